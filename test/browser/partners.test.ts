import { RestrictionType } from '@iabtechlabtcf/core';

import { changeBundle } from './support/changedBundle';
import { consentPlatform } from './support/consentPlatform';
import { pause } from './support/pause';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import type { Visitor } from './support/visitor';

/** The sample's partners. The page starts them, because they are named so in its definition. */
const partners = [
  'pubmatic',
  'tradedesk',
  'facebook_v2',
  'tiktok',
  'pinterest',
  'twitter_pixel',
  'eyeota',
  'lotame',
  'gigya',
  'ddp',
  'neustar_fabrick',
];
/** One activation of each, by its short id. */
const activations = '00b001|00fb01|007701|009101|007801|00e701|001001|009a01|00dd01|00fa01';

/** What the page's functions were called with, by the name of the function. */
interface WithPixels {
  called: unknown[][];
}

describe('Partners', () => {
  const stage = stageForTests();

  /** The bundle with these activations for the cohort of everybody; requests to partners are answered here. */
  const prepared = async (visitor: Visitor): Promise<readonly URL[]> => {
    const asked: URL[] = [];
    await visitor.page.route(/https:\/\/[^/]*\.example\//, async (route) => {
      asked.push(new URL(route.request().url()));
      await route.fulfill({ status: 204 });
    });
    await changeBundle(visitor.page, {
      deferred: (text) =>
        text.replace(new RegExp(`short_id:"(${activations})",sc:\\d+`, 'g'), 'short_id:"$1",sc:20401'),
    });
    return asked;
  };

  const start = (visitor: Visitor): Promise<void> =>
    visitor.ask((permutive, names) => {
      for (const name of names) permutive.addon(name, {});
    }, partners);

  /** The partners' functions come after the SDK has started, as they do on most pages. */
  const addPixels = (visitor: Visitor): Promise<void> =>
    visitor.page.evaluate(() => {
      const called: unknown[][] = [];
      const note =
        (name: string) =>
        (...given: unknown[]): void =>
          void called.push([name, ...given]);
      Object.assign(window, {
        called,
        fbq: note('fbq'),
        pintrk: note('pintrk'),
        twq: note('twq'),
        ttq: { track: note('ttq'), instance: (id: string) => ({ track: note(`ttq ${id}`) }) },
        gigya: { accounts: { setAccountInfo: note('gigya') } },
      });
    });

  const calls = (visitor: Visitor): Promise<readonly unknown[][]> =>
    visitor.page.evaluate(() => (window as unknown as WithPixels).called);

  const untilCalled = (visitor: Visitor, count: number): Promise<readonly unknown[][]> =>
    until(async () => {
      const all = await calls(visitor);
      return all.length >= count ? all : undefined;
    }, 'the calls of the page’s functions');

  test('are told of a segment once, over pages, by their functions and by images', async () => {
    const visitor = await stage.visitor();
    const asked = await prepared(visitor);
    await visitor.open('/blank');
    await visitor.ready();
    await start(visitor);
    await addPixels(visitor);
    expect([...(await untilCalled(visitor, 5))].sort()).toEqual([
      ['fbq', 'trackSingleCustom', '100200300400500', 'SegmentEntry', { segment: 'money-reader' }],
      ['gigya', { data: { permutive_segments: { 'loyal-reader': true } } }],
      ['pintrk', 'track', 'SegmentEntry_fashion'],
      ['ttq C0LEDGERPOST', 'SegmentEntry', { segment: 'remote-worker' }],
      ['twq', 'event', 'tw-o1a2b-o1a2c', { contents: [{ content_name: 'SegmentEntry', content_id: 'founders' }] }],
    ]);
    await until(() => (asked.length >= 6 ? true : undefined), 'the images');
    const { user_id } = await visitor.ask(({ context }) => ({ user_id: String(context.user_id) }));
    expect(asked.map(({ href }) => decodeURIComponent(href)).sort()).toEqual([
      'https://bcp.lotame.example/5/c=17310/seg=money?gdpr=0&gdpr_consent=',
      `https://ddp.example/segment?user=${user_id}&segment=responsible&gdpr=0&gdpr_consent=`,
      'https://fabrick.example/p?segment=savings&gdpr=0&gdpr_consent=',
      'https://image.pubmatic.example/AdServer/UCookieSetPug?rd=https://aud.pubmatic.example/AdServer/Artemis?dpid=410&segid=20401&gdpr=0&gdpr_consent=&userid=#PM_USER_ID&gdpr=0&gdpr_consent=',
      `https://match.tradedesk.example/track/cmf/generic?ttd_pid=ledgerpost&ttd_tpi=1&ttd_puid=${user_id}&gdpr=0&gdpr_consent=`,
      'https://ps.eyeota.example/pixel?pid=ledger&t=gif&cat=household-savers&gdpr=0&gdpr_consent=',
    ]);
    const notes = JSON.parse((await visitor.storage())['permutive-data-misc'] ?? '{}') as Record<string, unknown>;
    expect(Object.keys(notes)).toEqual(
      expect.arrayContaining([
        'pubmatic',
        'lotame',
        ...['tradedesk', 'facebook_v2', 'tiktok', 'pinterest', 'twitter_pixel', 'eyeota', 'gigya', 'ddp'].map(
          (name) => `addon:${name}`,
        ),
        'addon:neustar_fabrick',
      ]),
    );

    await visitor.open('/blank');
    await visitor.ready();
    // The functions are there first now, so that what is told would be told at once.
    await addPixels(visitor);
    await start(visitor);
    await visitor.track('Last');
    await stage.untilArrived('Last');
    expect([await calls(visitor), asked.length]).toEqual([[], 6]);
    const reactions = await stage.untilArrived('Reaction', 9);
    expect(reactions).toHaveLength(9);
    expect(visitor.errors).toEqual([]);
  });

  test('that are vendors are not asked without their consent', async () => {
    const visitor = await stage.visitor();
    const asked = await prepared(visitor);
    const platform = await consentPlatform(visitor, stage.demo.site);
    await platform.withStub();
    await platform.open('/blank');
    await platform.start();
    await platform.answer([21]);
    await visitor.ready();
    await start(visitor);
    await addPixels(visitor);
    await untilCalled(visitor, 5);
    await until(() => (asked.length > 0 ? true : undefined), 'the match');
    expect(asked.map(({ host, searchParams }) => [host, searchParams.get('gdpr')])).toEqual([
      ['match.tradedesk.example', '1'],
    ]);
    await platform.answer([21, 755]);
    await until(() => (asked.length > 1 ? true : undefined), 'the image of the other vendor');
    expect(asked.map(({ host }) => host)).toEqual(['match.tradedesk.example', 'ddp.example']);
  });

  test('are not asked where the visitor was not shown them, or the publisher restricts them', async () => {
    const visitor = await stage.visitor();
    const asked = await prepared(visitor);
    const platform = await consentPlatform(visitor, stage.demo.site);
    await platform.withStub();
    await platform.open('/blank');
    await platform.start();
    await platform.answer([21, 755], { disclosed: [10, 32] });
    await visitor.ready();
    await start(visitor);
    await addPixels(visitor);
    // Partners that are no vendors are told, so that vendors would have been by now.
    await untilCalled(visitor, 5);
    await pause(500, 'a vendor that may be used would be asked by then');
    expect(asked).toEqual([]);
    await platform.answer([21, 755], {
      restrictions: [
        [21, 3, RestrictionType.NOT_ALLOWED],
        [755, 4, RestrictionType.REQUIRE_LI],
      ],
    });
    await pause(500, 'a vendor that may be used would be asked by then');
    expect(asked).toEqual([]);
    // A purpose that the vendor does not need may be forbidden to it. Strings from before TCF 2.3 forbid nobody.
    await platform.answer([21], { restrictions: [[21, 7, RestrictionType.NOT_ALLOWED]] });
    await until(() => (asked.length > 0 ? true : undefined), 'the match');
    await platform.answer([21, 755], { disclosed: undefined });
    await until(() => (asked.length > 1 ? true : undefined), 'the image of the other vendor');
    expect(asked.map(({ host }) => host)).toEqual(['match.tradedesk.example', 'ddp.example']);
  });

  test('are told nothing where their purposes are refused, whatever vendors have consent', async () => {
    const visitor = await stage.visitor();
    const asked = await prepared(visitor);
    const platform = await consentPlatform(visitor, stage.demo.site);
    await platform.withStub();
    await platform.open('/blank');
    await platform.start();
    await platform.answer([21, 755], { purposes: [] });
    await visitor.ready();
    await start(visitor);
    await addPixels(visitor);
    await visitor.track('Later');
    await stage.untilArrived('Later');
    await pause(500, 'a partner that needs no purpose would be told by then');
    expect([await calls(visitor), asked.map(({ host }) => host)]).toEqual([[], []]);
    // Purpose 1 alone is not enough to make a profile.
    await platform.answer([21, 755], { purposes: [1] });
    await platform.answer([21, 755], { purposes: [1, 3, 4] });
    await untilCalled(visitor, 5);
    await until(() => (asked.length > 1 ? true : undefined), 'images of vendors');
  });
});
