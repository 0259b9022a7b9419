import { RestrictionType } from '@iabtechlabtcf/core';

import { consentPlatform } from './support/consentPlatform';
import {
  emitted,
  framedPage,
  framedTab,
  gppPlatform,
  locator,
  tcfStub,
  untilEmitted,
  uspPlatform,
} from './support/framedConsent';
import { type FramedSite, framedSite } from './support/framedSite';
import { can, listMissing } from './support/needs';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import type { Visitor } from './support/visitor';

const sites: FramedSite[] = [];
afterEach(() => sites.splice(0).forEach((site) => site.close()));

const stage = stageForTests();

/** A visitor, and a site whose page `/outer` has this above the frame of the SDK, and the frame on that host. */
const framed = async (above: string, host = 'publisher'): Promise<readonly [Visitor, string]> => {
  const site = await framedSite(stage.demo.site, {
    '/outer': (originOf) => `<!doctype html><body>${above}${framedPage(originOf(host))}`,
    '/outermost': (originOf) => `<!doctype html><body>${above}<iframe src="${originOf('middle')}/between"></iframe>`,
    '/between': (originOf) => `<!doctype html><body>${framedPage(originOf(host))}`,
  });
  sites.push(site);
  return [await stage.visitor(), site.originOf('publisher')];
};

/** Runs in the outermost window. */
const outside = <A>({ page }: Visitor, script: string): Promise<A> => page.evaluate<A>(script);

describe('The IAB’s consent platform of the TCF in the top window', () => {
  test.each([
    ['of the same origin', 'publisher', '/outer'],
    ['of another site', 'embedded', '/outer'],
    ['of another site, two windows up', 'embedded', '/outermost'],
  ])('is found and heard by a frame %s, until the visitor refuses', async (_, host, path) => {
    const [visitor, origin] = await framed(`<script>${tcfStub}</script>`, host);
    const platform = await consentPlatform(visitor, origin);
    await platform.open(path);
    const frame = await framedTab(visitor);
    // The stub has the listener in its queue, and hands it over.
    await until(async () => (await outside<number>(visitor, '__tcfapi().length')) === 1 || undefined, 'a listener');
    await platform.start();
    await platform.showDialog();
    expect(await platform.listeners()).toBe(1);
    expect(await emitted(frame, 'tcf')).toEqual([]);
    await platform.answer([21, 755]);
    const tcString = await outside<string>(
      visitor,
      'new Promise((told) => __tcfapi("getTCData", 2, ({ tcString }) => told(tcString)))',
    );
    expect(tcString).toMatch(/^C/);
    expect(await untilEmitted(frame, 'tcf', 1)).toEqual([
      expect.objectContaining({ status: 'loaded', gdprApplies: true, vendors: [21, 755], tcString }),
    ]);
    await platform.showDialog();
    await platform.answer([21, 755], {
      purposes: [1, 2],
      disclosed: [755],
      restrictions: [[755, 1, RestrictionType.NOT_ALLOWED]],
    });
    expect((await untilEmitted(frame, 'tcf', 2))[1]).toMatchObject({
      vendors: [755],
      purposes: [1, 2],
      restricted: [[], [755], ...Array.from({ length: 10 }, () => [])],
    });
    await frame.evaluate('permutive.consent({ opt_in: false })');
    await until(async () => (await platform.listeners()) === 0 || undefined, 'the listener to be removed');
  });
});

/** A page of its own in the frame, whose visitor the trade desk knows, and the frame's SDK. */
const opened = async (above: string, host?: string) => {
  const [visitor, origin] = await framed(above, host);
  await visitor.context.addCookies([{ name: 'lp_tradedesk', value: 'td-1', url: origin }]);
  await visitor.page.goto(`${origin}/outer`);
  return [visitor, await framedTab(visitor)] as const;
};

/** A locator whose window answers each call of a frame with these texts and objects, in which `ID` is the call's id. */
const answering = (...answers: readonly string[]): string => `${locator('__tcfapi')}<script>
addEventListener('message', ({ data, source }) => {
  if (!data.__tcfapiCall) return;
  const ID = data.__tcfapiCall.callId;
  for (const answer of [${answers.join()}]) source.postMessage(answer, '*');
});
</script>`;
const returned = (returnValue: string, success = 'true'): string =>
  `{ __tcfapiReturn: { callId: ID, success: ${success}, returnValue: ${returnValue} } }`;
const decision = (consents: string): string =>
  returned(
    `{ listenerId: 0, eventStatus: 'tcloaded', gdprApplies: true, tcString: 'C', vendor: { consents: ${consents} } }`,
  );

describe('A frame', () => {
  test('without a locator in any window has no platform, and asks vendors', async () => {
    const [, frame] = await opened('');
    expect(await untilEmitted(frame, 'tcf', 1)).toEqual([expect.objectContaining({ status: 'missing' })]);
    if (can('partnerIds'))
      expect(await untilEmitted(frame, 'identities', 1)).toEqual([[['tradedesk', expect.anything()]]]);
  });
  listMissing('partnerIds', 'without a locator asks vendors');

  test('whose locator never answers asks no vendor, and is ready all the same', async () => {
    const [, frame] = await opened(locator('__tcfapi'));
    // The lookup has waited for 2 s by then.
    expect(await untilEmitted(frame, 'identities', 1)).toEqual([[]]);
    await frame.evaluate('new Promise((ready) => permutive.ready(ready, "realtime"))');
    expect(await emitted(frame, 'tcf')).toEqual([]);
  });

  test('takes no malformed answer for consent, and hears the good one after it', async () => {
    const [, frame] = await opened(
      answering(
        '"__tcfapiReturn"',
        '"{ __tcfapiReturn: "',
        'null',
        '[]',
        '{ __tcfapiReturn: null }',
        '{ __tcfapiReturn: { callId: "another", success: true, returnValue: { eventStatus: "tcloaded" } } }',
        returned('null'),
        returned('"tcloaded"'),
        returned('{ eventStatus: ["tcloaded"] }'),
        decision('"all"'),
        `JSON.stringify(${decision('{ 21: true, 32: "yes", 755: 1 }')})`,
      ),
    );
    const values = await untilEmitted(frame, 'tcf', 2);
    expect(values).toEqual([
      expect.objectContaining({ status: 'loaded', vendors: [] }),
      expect.objectContaining({ status: 'loaded', vendors: [21] }),
    ]);
  });

  test.each(['false', '"true"', 'undefined'])(
    'has consent for nobody where the platform fails with %s',
    async (success) => {
      const [, frame] = await opened(answering(returned('null', success)));
      expect(await untilEmitted(frame, 'tcf', 1)).toEqual([
        expect.objectContaining({ status: 'aborted', vendors: [] }),
      ]);
      expect(await untilEmitted(frame, 'identities', 1)).toEqual([[]]);
    },
  );
});

describe.each([
  ['the same origin', 'publisher'],
  ['another site', 'embedded'],
])('A frame of %s', (_, host) => {
  const count = 'listeners.size';

  test('hears GPP in the top window, until the visitor refuses', async () => {
    const [visitor, frame] = await opened(gppPlatform, host);
    await until(async () => (await outside<number>(visitor, count)) === 1 || undefined, 'a listener');
    await outside(visitor, 'decide({ SaleOptOut: 2, SharingOptOut: 2, TargetedAdvertisingOptOut: 0 })');
    expect(await untilEmitted(frame, 'sharing', 1)).toEqual([true]);
    await outside(visitor, 'decide({ SaleOptOut: 1, SharingOptOut: 2, TargetedAdvertisingOptOut: 0 })');
    expect(await untilEmitted(frame, 'sharing', 2)).toEqual([true, false]);
    await frame.evaluate('permutive.consent({ opt_in: false })');
    await until(async () => (await outside<number>(visitor, count)) === 0 || undefined, 'the listener to be removed');
  });

  test.each([
    ['1YYN', false],
    ['1YNN', true],
  ])('asks for the US Privacy string in the top window: %s', async (uspString, mayShare) => {
    const [, frame] = await opened(uspPlatform(uspString), host);
    expect(await untilEmitted(frame, 'sharing', 1)).toEqual([mayShare]);
  });
});
