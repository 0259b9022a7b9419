import { project } from '../../demo/project/project';
import { sharedKeys } from '../../src/model/storageKeys';
import { bidderNames, bids, hold, rtd, withBidders } from './support/auction';
import { openChanged } from './support/changedPage';
import { builtHead, exampleHead } from './support/examplePage';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { failedRequests, scriptFile, type Visitor, type VisitorOptions, workerFile } from './support/visitor';

const article = '/personal-finance/savings/where-to-keep-money-you-may-need-by-spring';

/** What the first ad requests of a page carried. */
interface FirstRequests {
  readonly google: Readonly<Record<string, readonly string[]>>;
  readonly appnexus: readonly string[];
  /** Google's publisher provided signals. */
  readonly signals: unknown;
}

/** Ad tags and slots as a publisher has them, which note what their first requests carry. */
const adTags = `
<script src="/assets/googletag.js" async></script>
<script src="/assets/apntag.js" async></script>
<script>
  window.googletag = window.googletag || { cmd: [] };
  window.apntag = window.apntag || { anq: [] };
  googletag.cmd.push(function () {
    googletag.pubads().addEventListener('slotRequested', function () {
      if (window.firstGoogle) return;
      window.firstGoogle = {};
      window.firstSignals = googletag.pps;
      googletag.pubads().getTargetingKeys().forEach(function (key) {
        firstGoogle[key] = googletag.pubads().getTargeting(key);
      });
    });
    googletag.defineSlot('/1/first', [300, 250], 'google-place').addService(googletag.pubads());
    googletag.enableServices();
    googletag.display('google-place');
  });
  apntag.anq.push(function () {
    apntag.setPageOpts({ member: 958 });
    apntag.onEvent('adRequested', 'appnexus-place', function () {
      var keywords = apntag.getTag('appnexus-place').keywords;
      window.firstAppnexus = window.firstAppnexus || ((keywords && keywords.permutive) || []).slice();
    });
    apntag.defineTag({ targetId: 'appnexus-place', tagId: 1, sizes: [[300, 250]] });
    apntag.loadTags();
    apntag.showTag('appnexus-place');
  });
</script>`;
/** Prebid as a publisher has it after the head, with an auction that the page asks for at once. */
const firstAuction = (site: string): string => `
<script src="${site}/prebid.js" async></script>
<script>
  window.pbjs = window.pbjs || { que: [] };
  pbjs.que.push(function () {
    pbjs.setConfig({ bidderTimeout: 20000, userSync: { syncEnabled: false }, ortb2: { site: { name: 'Example' } } });
    pbjs.requestBids({
      adUnits: [${JSON.stringify({ code: 'auctioned', mediaTypes: { banner: { sizes: [[300, 250]] } }, bids })}],
      bidsBackHandler: function () { pbjs.setTargetingForGPTAsync(); window.auctionIsOver = true; }
    });
  });
</script>`;
interface Prebid {
  readonly pbjs: { readonly getConfig: (topic: string) => unknown };
}
const places = '<div id="google-place" style="width:300px;height:250px"></div><div id="appnexus-place"></div>';

describe('The companion of the README’s example', () => {
  const stage = stageForTests();

  const openExample = (visitor: Visitor, head = exampleHead(stage.demo)): Promise<void> =>
    openChanged(
      visitor,
      stage.demo.site,
      '',
      () => `<!doctype html><head>${head}${adTags}</head><body>${places}`,
      'domcontentloaded',
    );
  const firstRequests = ({ page }: Visitor): Promise<FirstRequests> =>
    until(
      () =>
        page.evaluate(() => {
          const { firstGoogle, firstAppnexus, firstSignals } = window as unknown as {
            firstGoogle?: FirstRequests['google'];
            firstSignals?: unknown;
            firstAppnexus?: FirstRequests['appnexus'];
          };
          return firstGoogle && firstAppnexus
            ? { google: firstGoogle, appnexus: firstAppnexus, signals: firstSignals }
            : undefined;
        }),
      'the first ad requests',
    );
  /**
   * A reader with stored codes. The example is of another origin, which takes over what the site has stored, with
   * `changes`.
   */
  const returningReader = async (
    options?: VisitorOptions,
    changes: Readonly<Record<string, string>> = {},
  ): Promise<Visitor> => {
    const visitor = await stage.visitor(options);
    await visitor.open(article);
    await visitor.ready('realtime');
    const stored = await until(async () => {
      const now = await visitor.storage();
      const keys = [now['_pdfps'], now['_papns']].map((text) => text?.includes('20111'));
      const entries = [now['permutive-pps'], now['permutive-prebid-data']].map((text) => text?.includes('268'));
      return [...keys, ...entries].every(Boolean) ? now : undefined;
    }, 'stored codes and entries');
    await visitor.page.addInitScript(
      (items) => {
        // Frames of ads come from nowhere, and have no storage.
        if (location.pathname === '/blank' && localStorage.length === 0)
          for (const [key, text] of Object.entries(items)) localStorage.setItem(key, text);
      },
      { ...stored, ...changes },
    );
    return visitor;
  };

  test.each([
    ['comes after the first auction', 'late'],
    ['is blocked', 'blocked'],
    ['is in the cache', 'cached'],
  ])('has the stored codes in the first ad requests where the script %s', async (_, script) => {
    const visitor = await returningReader(script === 'blocked' ? { expected: failedRequests } : {});
    const id = (await visitor.storage())['permutive-id'];
    const bidders = await withBidders(visitor);
    let release = (): void => undefined;
    if (script === 'late') release = await visitor.hold(scriptFile);
    // The engine finds out that the visitor has no history on the example's origin, after which the codes go.
    if (script === 'cached') release = await visitor.hold(workerFile);
    if (script === 'blocked') await visitor.page.route(scriptFile, (route) => route.abort());
    await openExample(visitor);
    const { google, appnexus } = await firstRequests(visitor);
    expect(google['permutive']).toContain('20111');
    expect(google['puid']).toEqual([id]);
    expect(google['prmtvwid']).toEqual([project.workspaceId]);
    expect(appnexus).toContain('20111');
    await hold(visitor, stage.demo.site, rtd(false));
    for (const name of bidderNames) expect(`${name}: ${bidders.sent()[name]}`).toMatch(/20111|p_standard/);
    release();
    if (script !== 'blocked') {
      await visitor.ready('realtime');
      await until(async () => (await visitor.targeting())['permutive']?.includes('rts') || undefined, 'the mark rts');
    }
  });

  test('has no code in the first ad requests that has ended since the last page', async () => {
    const visitor = await returningReader(
      { expected: failedRequests },
      { 'permutive-code-ends': JSON.stringify({ 20111: Date.now() - 1 }) },
    );
    const id = (await visitor.storage())['permutive-id'];
    await visitor.page.route(scriptFile, (route) => route.abort());
    await openExample(visitor);
    const { google, appnexus } = await firstRequests(visitor);
    expect(google['puid']).toEqual([id]);
    expect(google['permutive'] ?? []).not.toContain('20111');
    expect(appnexus).not.toContain('20111');
  });

  test('is in the head that the build writes, whose integrity is that of the script', async () => {
    const head = builtHead(stage.demo);
    expect(head).toMatch(/integrity="sha384-[^"]{64}"/);
    const visitor = await returningReader();
    // As above, the codes go once the engine has found no history.
    const release = await visitor.hold(workerFile);
    await openExample(visitor, head);
    const { google, appnexus } = await firstRequests(visitor);
    expect(google['permutive']).toContain('20111');
    expect(appnexus).toContain('20111');
    release();
    await visitor.ready('realtime');
  });

  test('says in the head what cohorts mean to buyers, in the first request and the first auction', async () => {
    const visitor = await returningReader();
    const bidders = await withBidders(visitor);
    const release = await visitor.hold(scriptFile);
    await openExample(visitor, `${builtHead(stage.demo)}${firstAuction(stage.demo.site)}`);
    const first = await firstRequests(visitor);
    const signals = { taxonomies: { IAB_AUDIENCE_1_1: { values: ['268'] } } };
    const data = { name: 'localhost', ext: { segtax: 4 }, segment: [{ id: '268' }] };
    const state = (): Promise<{ readonly pps: unknown; readonly data: readonly unknown[] }> =>
      visitor.page.evaluate(() => {
        const { googletag, pbjs } = window as unknown as {
          googletag: { readonly pps?: unknown };
          pbjs: { readonly getConfig: (topic: string) => { readonly user?: { readonly data?: readonly unknown[] } } };
        };
        return { pps: googletag.pps, data: pbjs.getConfig('ortb2').user?.data ?? [] };
      });
    // Prebid's module may have set its own by then, of the auction's data.
    expect(first.signals).toMatchObject(signals);
    await until(() => visitor.page.evaluate(() => 'auctionIsOver' in window || undefined), 'the end of the auction');
    for (const name of ['ix', 'pubmatic', 'openx', 'msft', 'criteo', 'ttd'])
      expect(`${name}: ${bidders.sent()[name]}`).toContain(JSON.stringify([data]));
    expect(bidders.sent()['rubicon']).toContain('tg_v.iab=268');
    expect(await state()).toMatchObject({ pps: signals, data: [data] });

    // A visitor who refuses is told of to nobody from then on.
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    expect((await state()).pps).toBeNull();
    bidders.forget();
    await hold(visitor, stage.demo.site);
    expect(Object.values(bidders.sent()).join()).toContain('localhost');
    expect(Object.values(bidders.sent()).join()).not.toContain('"segtax":4');
    release();
  });

  test('leaves it to the SDK what cohorts mean, once that has come', async () => {
    const visitor = await returningReader();
    await withBidders(visitor);
    const release = await visitor.hold(scriptFile);
    await openExample(visitor, `${builtHead(stage.demo)}${firstAuction(stage.demo.site)}`);
    await until(() => visitor.page.evaluate(() => 'auctionIsOver' in window || undefined), 'the end of the auction');
    release();
    // The example's origin has no history, so the visitor is in no cohort that has an entry, until a page view.
    await visitor.ready('realtime');
    const signals = (): Promise<unknown> =>
      visitor.page.evaluate(() => (window as unknown as { googletag: { readonly pps?: unknown } }).googletag.pps);
    await until(async () => ((await signals()) === null ? true : undefined), 'no signals');
    await until(async () => ((await visitor.storage())['permutive-pps'] === '[]' ? true : undefined), 'no entries');
    await hold(visitor, stage.demo.site);
    expect(
      await visitor.page.evaluate(() => JSON.stringify((window as unknown as Prebid).pbjs.getConfig('ortb2'))),
    ).not.toContain('segtax');
  });

  test('takes back what it has told where another tab refuses, while the script has not come', async () => {
    const visitor = await returningReader({ expected: failedRequests });
    await visitor.page.route(scriptFile, (route) => route.abort());
    await openExample(visitor);
    await firstRequests(visitor);
    const keywords = (): Promise<unknown> =>
      visitor.page.evaluate(
        () =>
          (window as unknown as { apntag: { getTag: (id: string) => { keywords: unknown } } }).apntag.getTag(
            'appnexus-place',
          ).keywords,
      );
    expect((await visitor.targeting())['permutive']).toContain('20111');
    expect(await keywords()).toMatchObject({ permutive: expect.arrayContaining(['20111']) as unknown });
    const other = await visitor.context.newPage();
    // A page of the same origin without the SDK, which stores the refusal as the SDK does.
    const origin = await visitor.page.evaluate(() => location.origin);
    await other.goto(`${origin}/assets/googletag.js`);
    await other.evaluate(() => localStorage.setItem('permutive-consent', '{"opt_in":false}'));
    await until(async () => ((await visitor.targeting())['permutive'] === undefined ? true : undefined), 'no codes');
    expect((await visitor.targeting())['puid']).toBeUndefined();
    expect(await keywords()).toEqual({ permutive: [] });
    expect((await visitor.storage())['_psegs']).toBeUndefined();
  });

  test('leaves nothing to bidders and partners after a page on which the visitor has objected to sharing', async () => {
    const visitor = await returningReader({ expected: failedRequests });
    const before = Object.keys(await visitor.storage());
    expect(before).toEqual(expect.arrayContaining(['permutive-prebid-rtd', '_pssps', '_prubicons']));
    // The platform comes in the midst of the page, and tells of an objection.
    await visitor.page.evaluate(() => {
      const objection = { Version: 1, SaleOptOut: 1, SharingOptOut: 1, TargetedAdvertisingOptOut: 1 };
      const pingData = { signalStatus: 'ready', parsedSections: { usnat: [objection] } };
      Object.assign(window, {
        __gpp: (_: string, callback: (event: object, success: boolean) => void) =>
          callback({ eventName: 'signalStatus', listenerId: 1, data: 'ready', pingData }, true),
      });
    });
    const shared = async (): Promise<readonly string[]> =>
      Object.keys(await visitor.storage()).filter((key) => sharedKeys.includes(key));
    await until(async () => (await shared()).length === 0 || undefined, 'no keys of others');
    const left = await visitor.storage();
    await visitor.page.addInitScript((items) => {
      if (location.pathname !== '/blank') return;
      localStorage.clear();
      for (const [key, text] of Object.entries(items)) localStorage.setItem(key, text);
    }, left);
    // The next page, on which neither the SDK nor the platform has come yet.
    await visitor.page.route(scriptFile, (route) => route.abort());
    const bidders = await withBidders(visitor);
    await openExample(visitor);
    const { google, appnexus } = await firstRequests(visitor);
    expect(await shared()).toEqual([]);
    await hold(visitor, stage.demo.site, rtd(false));
    expect(Object.keys(bidders.sent()).sort()).toEqual([...bidderNames].sort());
    for (const name of bidderNames) expect(`${name}: ${bidders.sent()[name]}`).not.toMatch(/20111|p_standard/);
    // The publisher's own ad servers keep their codes (decision 055).
    expect(google['permutive']).toContain('20111');
    expect(appnexus).toContain('20111');
  });

  test('says nothing on the first page of all, and nothing of a visitor who refuses before the script has come', async () => {
    const newcomer = await stage.visitor();
    await openExample(newcomer);
    const first = await firstRequests(newcomer);
    expect(first.google['permutive'] ?? []).not.toContain('20111');
    expect(first.google['puid'] ?? []).toEqual([]);

    const visitor = await returningReader();
    const release = await visitor.hold(scriptFile);
    await openExample(visitor);
    await firstRequests(visitor);
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    expect((await visitor.targeting())['permutive'] ?? []).toEqual([]);
    expect((await visitor.targeting())['puid'] ?? []).toEqual([]);
    release();
  });
});
