import { changeBundle } from './support/changedBundle';
import { letPass, withClock } from './support/clock';
import { openWithGpp } from './support/gppPlatform';
import { pause } from './support/pause';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { untilSettled } from './support/untilSettled';
import type { Visitor } from './support/visitor';

/** A GPP platform as the IAB describes it: the callback hears its registration, and each change of the signal. */
const installGpp = (visitor: Visitor, usnat: object): Promise<unknown> =>
  visitor.page.addInitScript((section) => {
    const listeners: ((event: object, success: boolean) => void)[] = [];
    const pingData = (isReady: boolean) => ({
      gppVersion: '1.1',
      cmpStatus: isReady ? 'loaded' : 'loading',
      cmpDisplayStatus: 'hidden',
      signalStatus: isReady ? 'ready' : 'not ready',
      supportedAPIs: ['7:usnat'],
      sectionList: [7],
      applicableSections: [7],
      gppString: 'DBABLA~BVQVAAAAAg',
      parsedSections: isReady ? { usnat: [section, { GpcSegmentType: 1, Gpc: false }] } : {},
    });
    const tell = (listenerId: number, eventName: string, data: unknown, isReady: boolean): void =>
      listeners[listenerId]?.({ eventName, listenerId, data, pingData: pingData(isReady) }, true);
    Object.assign(window, {
      __gpp: (command: string, callback: (event: object, success: boolean) => void) => {
        if (command !== 'addEventListener') return;
        const id = listeners.push(callback) - 1;
        tell(id, 'listenerRegistered', true, false);
        setTimeout(() => tell(id, 'signalStatus', 'ready', true), 50);
      },
    });
  }, usnat);

/** Keys of local storage by which bidders and partners get something of the visitor. */
const keysOfOthers = [
  ...['permutive-prebid-rtd', 'permutive-prebid-id', '_pssps', '_pcohorts'],
  ...['_prubicons', '_pnativo', '_pfws', '_ppam', '_pcrprs'],
];

/** Parts of the addresses of everything that hands the visitor's data to others. */
const sharingCalls = ['/audience-matching/', '/tpd', '/adv/', '/sync/', '/v1/signal', '/pxid', 'pixel.'];

/** An article that lets its reader into cohorts which segment sync is told. */
const article = '/tech/how-to/lock-down-a-home-office-in-one-evening';

describe('A visitor who shares nothing', () => {
  const stage = stageForTests();

  /** Opens a page of a project whose visitors all have a pixel. */
  const opened = async (prepare: (visitor: Visitor) => Promise<unknown>): Promise<readonly string[]> => {
    const visitor = await stage.visitor();
    const asked: string[] = [];
    await visitor.page.route('https://pixel.northfield.example/**', (route) => {
      asked.push(route.request().url());
      return route.fulfill({ status: 204 });
    });
    await prepare(visitor);
    await changeBundle(visitor.page, {
      deferred: (text) => text.replace(/sc:20601,tt:"OnEntry",c:\{pixel_url/, 'sc:20401,tt:"OnEntry",c:{pixel_url'),
    });
    await visitor.open('/blank');
    await visitor.ready();
    await untilSettled(stage, visitor);
    await pause(300, 'the pixel would be asked for by then');
    // The publisher's own cohorts stay.
    expect(await visitor.ask((permutive) => permutive.segments())).toContain(20401);
    return asked;
  };

  test('by Global Privacy Control: no service that shares, and empty keys of partners', async () => {
    const visitor = await stage.visitor();
    await withClock(visitor.page);
    const asked: string[] = [];
    visitor.context.on('request', (request) => asked.push(request.url()));
    await visitor.page.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { value: true }),
    );
    await changeBundle(visitor.page, {
      deferred: (text) => text.replace(/sc:20601,tt:"OnEntry",c:\{pixel_url/, 'sc:20401,tt:"OnEntry",c:{pixel_url'),
    });
    await visitor.open(article);
    await visitor.ready();
    await visitor.ask((permutive) => permutive.addon('secure_signal'));
    expect(await visitor.ask((permutive) => permutive.startup())).toMatchObject({ secureSignal: null, realtime: true });
    await untilSettled(stage, visitor);
    // Segment sync waits 5 s for the cohorts to be quiet.
    await letPass(visitor.page, 60_000);
    await untilSettled(stage, visitor);

    expect(asked.filter((url) => sharingCalls.some((part) => url.includes(part)))).toEqual([]);
    const stored = await visitor.storage();
    expect(Object.keys(stored).filter((key) => keysOfOthers.includes(key))).toEqual([]);
    expect(stored).not.toHaveProperty('_GESPSK-permutive.com');
    expect(
      await visitor.page.evaluate(() => (window as unknown as { googletag: { pps?: unknown } }).googletag.pps),
    ).toBeUndefined();
    // The publisher's own cohorts stay, on the ad server too.
    expect(await visitor.ask((permutive) => permutive.segments())).toContain(20401);
    expect((await visitor.targeting())['permutive']).toEqual(expect.arrayContaining(['20401', 'rts']));
  });

  test('is asked for everything where the visitor does not object', async () => {
    const visitor = await stage.visitor();
    await withClock(visitor.page);
    const asked: string[] = [];
    visitor.context.on('request', (request) => asked.push(request.url()));
    await visitor.open(article);
    await visitor.ready();
    await visitor.ask((permutive) => permutive.addon('secure_signal'));
    expect(await visitor.ask((permutive) => permutive.startup())).toMatchObject({
      secureSignal: expect.any(String) as unknown,
    });
    for (const part of ['/adv/', '/v1/signal']) expect(asked.filter((url) => url.includes(part))).not.toEqual([]);
    const [sync] = await until(async () => {
      // It waits 5 s for the cohorts to be quiet.
      await letPass(visitor.page, 1000);
      const requests = await stage.requests('/sync/');
      return requests.length > 0 ? requests : undefined;
    }, 'segment sync');
    expect(new URLSearchParams(sync?.body ?? '').get('segments')?.split(',')).toContain('20116');
    expect(JSON.parse((await visitor.storage())['_pssps'] ?? 'null')).not.toEqual({ ssps: [], cohorts: [] });
  });

  test('by GPP on a later page, and in the midst of a page: keys of bidders and partners are cleared', async () => {
    const visitor = await stage.visitor();
    const withKeys = async (): Promise<readonly string[]> =>
      Object.keys(await visitor.storage()).filter((key) => keysOfOthers.includes(key));
    const optOut = { Version: 1, SaleOptOut: 1, SharingOptOut: 1, TargetedAdvertisingOptOut: 1 };
    await visitor.open(article);
    await visitor.ready();
    await visitor.ask((permutive) => {
      permutive.addon('identity_manager');
      return permutive.identify([{ tag: 'uid2', id: 'uid2-reader' }]);
    });
    await until(async () => {
      const keys = await withKeys();
      return ['permutive-prebid-rtd', 'permutive-prebid-id', '_pssps', '_prubicons'].every((key) => keys.includes(key))
        ? keys
        : undefined;
    }, 'keys of bidders and partners');

    // In the midst of the page: the platform comes now.
    await visitor.page.evaluate((section) => {
      const pingData = { signalStatus: 'ready', parsedSections: { usnat: [section] } };
      Object.assign(window, {
        __gpp: (_: string, callback: (event: object, success: boolean) => void) =>
          callback({ eventName: 'signalStatus', listenerId: 1, data: 'ready', pingData }, true),
      });
    }, optOut);
    await until(async () => (await withKeys()).length === 0 || undefined, 'no keys of others', 60_000);
    expect(
      await visitor.page.evaluate(() =>
        (
          window as unknown as { permutive: { addons: { prebid: { getPermutiveRtdConfig: () => unknown } } } }
        ).permutive.addons.prebid.getPermutiveRtdConfig(),
      ),
    ).toEqual({ acBidders: [] });
    const own = await visitor.storage();
    expect(JSON.parse(own['_pdfps'] ?? '[]')).not.toEqual([]);

    // Keys of an earlier page, on a page whose visitor has objected.
    await visitor.page.evaluate((keys) => keys.forEach((key) => localStorage.setItem(key, '["stale"]')), keysOfOthers);
    await installGpp(visitor, optOut);
    await visitor.open(article);
    await visitor.ready();
    await until(async () => (await withKeys()).length === 0 || undefined, 'no keys of others');
    await untilSettled(stage, visitor);
    expect(await withKeys()).toEqual([]);
    expect((await visitor.targeting())['permutive']).toEqual(expect.arrayContaining(['rts']));
  });

  test('by the platform of the IAB itself, once the visitor has chosen: keys of bidders and partners come and go', async () => {
    const visitor = await stage.visitor();
    const withKeys = async (): Promise<readonly string[]> =>
      Object.keys(await visitor.storage()).filter((key) => keysOfOthers.includes(key));
    const choose = await openWithGpp(visitor, stage.demo.site + article);
    await visitor.ready();
    await untilSettled(stage, visitor);
    // The visitor has not been asked yet.
    expect(await withKeys()).toEqual([]);
    await choose({ usnj: { SaleOptOut: 2, TargetedAdvertisingOptOut: 2 } });
    await until(async () => (await withKeys()).includes('_pssps') || undefined, 'keys of bidders');
    await choose({ usnj: { TargetedAdvertisingOptOut: 1 } });
    await until(async () => (await withKeys()).length === 0 || undefined, 'no keys of others');
    expect(visitor.errors).toEqual([]);
  });

  test('by Global Privacy Control: no pixel, own cohorts', async () => {
    const asked = await opened(({ page }) =>
      page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { value: true })),
    );
    expect(asked).toEqual([]);
  });

  test('by GPP: no pixel, own cohorts', async () => {
    const asked = await opened((visitor) =>
      installGpp(visitor, { Version: 1, SaleOptOut: 1, SharingOptOut: 1, TargetedAdvertisingOptOut: 1 }),
    );
    expect(asked).toEqual([]);
  });

  test('is not one who has not opted out by GPP', async () => {
    const asked = await opened((visitor) =>
      installGpp(visitor, { Version: 1, SaleOptOut: 2, SharingOptOut: 2, TargetedAdvertisingOptOut: 0 }),
    );
    await until(() => asked.length > 0 || undefined, 'the pixel');
  });
});
