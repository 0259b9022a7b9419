import { hold, type Pbjs, withBidders } from './support/auction';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import type { Visitor } from './support/visitor';

const article = '/personal-finance/savings/where-to-keep-money-you-may-need-by-spring';
/** Who reads anything is in the cohort 20401, of which the project says this. */
const entry = '268';
const signals = { taxonomies: { IAB_AUDIENCE_1_1: { values: [entry] } } };
const data = { name: 'localhost', ext: { segtax: 4 }, segment: [{ id: entry }] };

interface PrebidOnPage extends Pbjs {
  readonly installedModules: readonly string[];
  readonly getConfig: (topic: string) => { readonly user?: { readonly data?: readonly unknown[] } } | undefined;
  readonly mergeConfig: (config: object) => void;
  readonly setConfig: (config: object) => void;
  readonly setTargetingForGPTAsync: () => void;
}
interface Tag {
  readonly pps?: object | null;
  readonly setConfig: (config: object) => void;
}

const dataIn = ({ page }: Visitor): Promise<readonly unknown[]> =>
  page.evaluate(() => {
    const { pbjs } = window as unknown as { pbjs?: Partial<PrebidOnPage> };
    return pbjs?.getConfig?.('ortb2')?.user?.data ?? [];
  });
const untilData = (visitor: Visitor, wanted: readonly unknown[]): Promise<unknown> =>
  until(
    async () => JSON.stringify(await dataIn(visitor)) === JSON.stringify(wanted) || undefined,
    `${JSON.stringify(wanted)} in ortb2`,
  );
/** Hands the bids to Google's tag, as a page does right before it asks for ads; answers the signals of that moment. */
const signalsAtRequest = ({ page }: Visitor): Promise<unknown> =>
  page.evaluate(() => {
    const { pbjs, googletag } = window as unknown as { pbjs: PrebidOnPage; googletag: Tag };
    pbjs.setTargetingForGPTAsync();
    return googletag.pps;
  });

describe('What cohorts mean to buyers, beside the modules of Prebid that publishers have', () => {
  const stage = stageForTests();

  const reader = async (): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await visitor.open(article);
    await visitor.ready();
    return visitor;
  };

  test('stands in each request to Google, though Prebid sets its own, and in the requests to bidders', async () => {
    const visitor = await reader();
    const bidders = await withBidders(visitor);
    // The auction begins before the SDK has found Prebid, so its bidders and Prebid's own signals know nothing.
    await hold(visitor, stage.demo.site);
    expect(
      await visitor.page.evaluate(() => (window as unknown as { pbjs: PrebidOnPage }).pbjs.installedModules),
    ).toEqual(expect.arrayContaining(['gptPreAuction', 'permutiveRtdProvider', 'tcfControl', 'priceFloors']));
    await untilData(visitor, [data]);
    expect(await signalsAtRequest(visitor)).toEqual(signals);

    // Another party says something of the visitor too.
    const other = { name: 'other.example', ext: { segtax: 4 }, segment: [{ id: '9' }] };
    await visitor.page.evaluate(
      (given) => (window as unknown as { pbjs: PrebidOnPage }).pbjs.mergeConfig({ ortb2: { user: { data: [given] } } }),
      other,
    );
    bidders.forget();
    await hold(visitor, stage.demo.site);
    for (const name of ['ix', 'pubmatic', 'openx', 'msft', 'criteo', 'ttd']) {
      const { user } = JSON.parse(/^.*?\}(?=https:)/s.exec(bidders.sent()[name] ?? '')?.[0] ?? '{}') as {
        readonly user?: { readonly data?: readonly unknown[] };
      };
      expect([name, user?.data]).toEqual([name, expect.arrayContaining([data, other])]);
    }
    expect(bidders.sent()['rubicon']).toContain(`tg_v.iab=${entry},9`);
    expect(await signalsAtRequest(visitor)).toEqual({ taxonomies: { IAB_AUDIENCE_1_1: { values: [entry, '9'] } } });
  });

  test('stands beside what a single-page site sets anew at each of its routes', async () => {
    const visitor = await reader();
    const bidders = await withBidders(visitor);
    await hold(visitor, stage.demo.site);
    await untilData(visitor, [data]);
    await visitor.page.evaluate(() => {
      const { pbjs, googletag } = window as unknown as { pbjs: PrebidOnPage; googletag: Tag };
      history.pushState(null, '', '/markets');
      pbjs.setConfig({ ortb2: { site: { content: { language: 'en' } } } });
      googletag.setConfig({ pps: { taxonomies: { IAB_CONTENT_2_2: { values: ['186'] } } } });
    });
    expect(await dataIn(visitor)).toEqual([data]);
    const both = { taxonomies: { ...signals.taxonomies, IAB_CONTENT_2_2: { values: ['186'] } } };
    expect(await visitor.page.evaluate(() => (window as unknown as { googletag: Tag }).googletag.pps)).toEqual(both);
    bidders.forget();
    await hold(visitor, stage.demo.site);
    for (const name of ['ix', 'pubmatic', 'openx', 'msft', 'criteo', 'ttd']) {
      expect(bidders.sent()[name]).toContain('"segtax":4');
      expect(bidders.sent()[name]).toContain('"language":"en"');
    }
    // Prebid's module sets signals once more, of `ortb2` alone, so the page's are gone with that, and ours are not.
    expect(await signalsAtRequest(visitor)).toEqual(signals);
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    await untilData(visitor, []);
    expect(visitor.errors).toEqual([]);
  });

  test('stands in requests that lazy loading puts off, beside the bids, as it is at the moment of the request', async () => {
    const visitor = await stage.visitor();
    await visitor.page.addInitScript(() => {
      const page = window as unknown as { googletag?: { readonly cmd: (() => void)[] }; requests?: unknown[] };
      // A frame of an ad runs this too, and it has no use for it.
      page.googletag ??= { cmd: [] };
      const requests: unknown[] = (page.requests = []);
      page.googletag.cmd.push(() => {
        const pubads = googletag.pubads();
        googletag.setConfig({ lazyLoad: { fetchMarginPercent: 0, renderMarginPercent: 0, mobileScaling: 1 } });
        // The page asks in single requests, and only when this test says so.
        const refresh = pubads.refresh.bind(pubads);
        pubads.refresh = () => undefined;
        Object.assign(window, { askForAds: refresh });
      });
      window.addEventListener('googletag stand-in: ad request', (event) => {
        const { address, slots } = (event as CustomEvent<{ address: string; slots: string[] }>).detail;
        const { searchParams } = new URL(address);
        const ofPage = Object.fromEntries(new URLSearchParams(searchParams.get('cust_params') ?? ''));
        requests.push({
          slots,
          bids: searchParams.getAll('scp').map((text) => new URLSearchParams(text).get('hb_bidder')),
          cohorts: ofPage['permutive']?.split(','),
          view: ofPage['prmtvvid'],
          signals: structuredClone((page.googletag as unknown as Tag).pps),
        });
      });
    });
    await withBidders(visitor);
    await visitor.open(article);
    await visitor.ready();
    const requests = (): Promise<readonly object[]> =>
      visitor.page.evaluate(() => (window as unknown as { requests: readonly object[] }).requests);
    /** Asks for ads of these places in one request, with the bids of an auction that is held first. */
    const ask = async (places: readonly string[]): Promise<void> => {
      await hold(visitor, stage.demo.site, {}, places);
      await untilData(visitor, [data]);
      await visitor.page.evaluate((codes) => {
        const { pbjs, askForAds } = window as unknown as {
          pbjs: PrebidOnPage;
          askForAds: (slots: readonly googletag.Slot[]) => void;
        };
        pbjs.setTargetingForGPTAsync();
        askForAds(
          googletag
            .pubads()
            .getSlots()
            .filter((slot) => codes.includes(slot.getSlotElementId())),
        );
      }, places);
    };
    await visitor.page.evaluate(() => {
      for (const [id, top] of [
        ['lazy-near', '0'],
        ['lazy-far', '9000px'],
      ] as const) {
        const place = Object.assign(document.createElement('div'), { id });
        place.style.cssText = `position: absolute; top: ${top}; width: 300px; height: 250px`;
        document.body.append(place);
        googletag.defineSlot('/1/lazy', [300, 250], id)?.addService(googletag.pubads());
        googletag.display(id);
      }
    });
    const view = (): Promise<string | undefined> => visitor.ask((permutive) => permutive.context.view_id);
    const asWanted = async (slots: readonly string[]): Promise<object> => ({
      slots,
      bids: slots.map(() => 'openx'),
      cohorts: expect.arrayContaining(['20111', 'rts']) as unknown,
      view: await view(),
      signals,
    });

    // Two slots in one request, which the nearer one lets go.
    await ask(['lazy-near', 'lazy-far']);
    const first = await until(async () => (await requests())[0], 'the single request');
    expect(first).toEqual(await asWanted(['lazy-near', 'lazy-far']));

    // A request that waits until the reader comes near: by then the site has gone on to another view, without its keys.
    await ask(['lazy-far']);
    await visitor.ask((permutive) => permutive.addon('web', { page: { about: 'something else' } }));
    await visitor.page.evaluate(() => googletag.setConfig({ targeting: null }));
    expect(await requests()).toHaveLength(1);
    await visitor.page.evaluate(() => document.querySelector('#lazy-far')?.scrollIntoView());
    const second = await until(async () => (await requests())[1], 'the request that was put off');
    expect(second).toEqual(await asWanted(['lazy-far']));
    expect(second).not.toMatchObject({ view: (first as { readonly view: string }).view });
  });

  test('is taken back from both when the visitor refuses, and what others say stays', async () => {
    const visitor = await reader();
    await withBidders(visitor);
    await hold(visitor, stage.demo.site);
    await untilData(visitor, [data]);
    await visitor.page.evaluate(() =>
      (window as unknown as { pbjs: PrebidOnPage }).pbjs.mergeConfig({
        ortb2: { user: { data: [{ name: 'other.example', segment: [{ id: '9' }] }] } },
      }),
    );
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    await untilData(visitor, [{ name: 'other.example', segment: [{ id: '9' }] }]);
    expect(await visitor.page.evaluate(() => (window as unknown as { googletag: Tag }).googletag.pps)).toBeNull();
    // Auctions that begin from now on know nothing of the visitor.
    await hold(visitor, stage.demo.site);
    expect(JSON.stringify(await signalsAtRequest(visitor))).not.toContain(entry);
  });

  test('is told to nobody where the visitor objects to sharing', async () => {
    const visitor = await stage.visitor();
    await visitor.page.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { value: true }),
    );
    const bidders = await withBidders(visitor);
    await visitor.open(article);
    await visitor.ready();
    await hold(visitor, stage.demo.site);
    await visitor.ask((permutive) => permutive.startup());
    await hold(visitor, stage.demo.site);
    expect(JSON.stringify(await signalsAtRequest(visitor))).not.toContain(entry);
    expect(Object.values(bidders.sent()).join()).not.toContain('"segtax":4');
    expect(await dataIn(visitor)).toEqual([]);
  });
});
