import type { BrowserContext } from 'playwright-core';

import { optionalFields } from '../../../scripts/optionalFields';
import { withClock } from '../support/clock';
import { needs } from '../support/needs';
import { expectSilence } from '../support/silence';
import { stageForTests } from '../support/stage';
import { until } from '../support/until';
import type { Visitor } from '../support/visitor';

/**
 * Optional fields that a page may set for all objects with effect, each with the reason. All others change nothing of
 * what is sent.
 */
const effective: Readonly<Record<string, string>> = {
  globalPrivacyControl:
    'A browser that does not know the signal seems to send it. Nothing is shared then, which harms no visitor; to look the signal up on the navigator alone would miss those that extensions define.',
};
const fields = optionalFields();
const names = fields.filter((name) => !Object.hasOwn(effective, name));

/** What a merge of foreign JSON may leave on `Object.prototype`. */
const values = { text: '.evil.test', flag: true, object: { url: 'https://evil.test/', method: 'POST' } };

/** With workers, and with the engine on the page. */
const pages = { worker: '/blank', noworker: '/blank?csp=noworker' };
const cases = Object.entries(pages).flatMap(([engine, path]) =>
  Object.entries(values).map(([kind, value]) => [engine, kind, path, value] as const),
);

/**
 * The calls of the page. The page makes them itself, before the fields are set: the tool that drives the browser breaks
 * on some of the fields.
 */
const calls = `permutive.identify([{ tag: 'crm', id: 'c1' }]); permutive.track('Polluted', { a: { b: 1 } });`;

/** Opens a page that makes its calls and adds the fields to all objects right before the SDK's script runs. */
const openPolluted = async ({ page, open }: Visitor, path: string, added: object): Promise<void> => {
  await page.route('**/*-web.js', async (route) => {
    const response = await route.fetch();
    const prelude = `${calls} Object.assign(Object.prototype, ${JSON.stringify(added)});`;
    await route.fulfill({ response, body: prelude + (await response.text()) });
  });
  // The page's own scripts may never finish.
  await open(path, 'domcontentloaded');
};

const withAll = (value: unknown): object => Object.fromEntries(names.map((name) => [name, value]));

/** Requests to anything but the page, by method, host and path. */
const requestsOf = (context: BrowserContext): ReadonlySet<string> => {
  const seen = new Set<string>();
  context.on('request', (request) => {
    const url = new URL(request.url());
    // Each visitor has an id of their own.
    const path = url.pathname.replace(/[^/]{36}$/, 'USER');
    // Reports are sent in a while, which a visit may not last. They are compared nowhere.
    if (request.resourceType() === 'fetch' && !path.includes('/sdk-errors/'))
      seen.add(`${request.method()} ${url.host}${path}`);
  });
  return seen;
};

describe('A page on which foreign data has added fields to Object.prototype', () => {
  const stage = stageForTests();

  const eventsOf = async (path: string, added: object) => {
    // The page's own scripts and partners may stumble; the SDK must not.
    const visitor = await stage.visitor({ expected: /./ });
    const requests = requestsOf(visitor.context);
    await openPolluted(visitor, path, added);
    const [polluted] = await stage.untilArrived('Polluted');
    const [pageview] = await stage.untilArrived('Pageview');
    await stage.untilArrived('SegmentEntry');
    await until(async () => ((await stage.requests('/identify')).length > 0 ? true : undefined), 'identify');
    // The page cannot be asked whether it has more to send: the tool that drives the browser breaks on some fields.
    // What services give is told half a second after they answer, and state is exchanged half a second after changes.
    await stage.untilQuiet(2000);
    const entries = await stage.arrived('SegmentEntry');
    const entered = [...new Set(entries.map(({ properties }) => properties['segment_number']))].sort();
    const shown = [polluted, pageview].map((event) => ({
      name: event?.name,
      fields: Object.keys(event ?? {}).sort(),
      properties: Object.keys(event?.properties ?? {}).sort(),
      client: event?.properties['client'],
    }));
    await stage.endVisits();
    return { shown, entered, requests: [...requests].sort() };
  };
  const controls = new Map<string, ReturnType<typeof eventsOf>>();
  const controlOf = (path: string): ReturnType<typeof eventsOf> => {
    const control = controls.get(path) ?? eventsOf(path, {});
    controls.set(path, control);
    return control;
  };

  test('is tried with all optional fields of the sources', () => {
    expect(names.length).toBeGreaterThan(150);
    expect(fields).toEqual(expect.arrayContaining(Object.keys(effective)));
  });

  test.each(cases)('is sent to the same hosts as any other (%s), with the value %s', async (_, kind, path, value) => {
    const control = await controlOf(path);
    expect(control.requests.length).toBeGreaterThan(8);
    expect(await eventsOf(path, withAll(value))).toEqual(control);
  });

  needs('noPrivacySignal').each(Object.keys(effective))('is known to have an effect by %s alone', async (name) => {
    const control = await controlOf(pages.worker);
    const { shown, requests } = await eventsOf(pages.worker, { [name]: true });
    expect(shown).toEqual(control.shown);
    expect(requests).not.toEqual(control.requests);
    expect(control.requests).toEqual(expect.arrayContaining([...requests]));
  });

  test.each(cases)('sends nothing without consent (%s), with the value %s', async (_, kind, path, value) => {
    const visitor = await stage.visitor({ expected: /./ });
    await withClock(visitor.page);
    const consent = `${path}${path.includes('?') ? '&' : '?'}consent=required`;
    await openPolluted(visitor, consent, withAll(value));
    await visitor.untilWarned('No consent to run on the page');
    await expectSilence(visitor, stage);
    expect(await visitor.cookies()).toEqual({});
  });
});
