import type { CohortStore } from '../../src/cohorts/cohortStore';
import { placedByNext } from '../support/prebidModules';
import {
  bidderNames as names,
  type Bidders,
  hold,
  render,
  rendered,
  rtd,
  standardCohorts,
  withBidders,
} from './support/auction';
import { frameOf, openTab, textOf, untilText } from './support/inspector';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { scriptFile } from './support/visitor';

const article = '/personal-finance/savings/where-to-keep-money-you-may-need-by-spring?gpt=none';

/** The values of a keyword in what a bidder's server was sent: `key=value` many times, or AppNexus's list of them. */
const keywordsIn = (sent: string, key: string): readonly string[] => {
  const [, list] = new RegExp(`"key":"${key}","value":(\\[[^\\]]*\\])`).exec(sent) ?? [];
  if (list !== undefined) return JSON.parse(list) as string[];
  return [...new Set([...sent.matchAll(new RegExp(`\\b${key}=([\\w-]+)`, 'g'))].map(([, value = '']) => value))];
};

describe('Prebid, as npm has it', () => {
  const stage = stageForTests();
  const whoHeard = (bidders: Bidders, cohorts: readonly string[]): readonly string[] =>
    names.filter((name) => cohorts.some((code) => bidders.sent()[name]?.includes(code) === true));

  test('waits for this page’s cohorts and gives them to every bidder that the project names; the next page has them before the SDK has come', async () => {
    const visitor = await stage.visitor();
    const bidders = await withBidders(visitor);
    const release = await visitor.hold(scriptFile);
    await visitor.open(article, 'domcontentloaded');
    const held = hold(visitor, stage.demo.site, rtd(true));
    release();
    await held;
    const cohorts = await standardCohorts(visitor);
    expect(cohorts.length).toBeGreaterThan(0);
    expect(Object.keys(bidders.sent()).sort()).toEqual([...names].sort());
    for (const name of names) for (const code of cohorts) expect(`${name}: ${bidders.sent()[name]}`).toContain(code);
    // Its own cohorts too, where a bidder has a key of its own.
    expect(bidders.sent()['appnexus']).toContain('20111');
    expect(
      await visitor.page.evaluate(() =>
        (
          window as unknown as { permutive: { addons: { prebid: { getPermutiveRtdConfig: () => unknown } } } }
        ).permutive.addons.prebid.getPermutiveRtdConfig(),
      ),
    ).toMatchObject({
      acBidders: expect.arrayContaining([...names]) as unknown,
    });

    bidders.forget();
    const hang = await visitor.hold(scriptFile);
    await visitor.open(article, 'domcontentloaded');
    await hold(visitor, stage.demo.site, rtd(false));
    expect(whoHeard(bidders, cohorts)).toEqual(names);
    hang();
  });

  test('is shown in the inspector with what each bid request says of the visitor', async () => {
    const visitor = await stage.visitor();
    await withBidders(visitor);
    await visitor.open(`${article}&__permutive.inspector=true`);
    await visitor.ready('realtime');
    const frame = await frameOf(visitor);
    await openTab(frame, 'Partners');
    expect(await textOf(frame)).toContain('Prebid is not on the page');
    await hold(visitor, stage.demo.site, rtd(true));
    const [code = ''] = await standardCohorts(visitor);
    await untilText(frame, new RegExp(`Prebid bid requests.*appnexus.*${code}.*Keys that partners read`));
  });

  test('gives supply-side partners the codes of the project and of curation, and every bidder the audience', async () => {
    const visitor = await stage.visitor();
    const bidders = await withBidders(visitor);
    await visitor.open(article);
    await visitor.ready();
    const { ssps, cohorts } = await until(async () => {
      const text = (await visitor.storage())['_pssps'];
      const stored = JSON.parse(text ?? '{"cohorts":[]}') as { ssps: string[]; cohorts: string[] };
      return stored.cohorts.length > 0 ? stored : undefined;
    }, 'codes for partners');
    expect([...ssps].sort()).toEqual(['appnexus', 'ix', 'openx', 'pubmatic']);
    expect(cohorts).toContain('20111');
    // The next page, so that Prebid finds them when it starts.
    await visitor.open(article);
    await visitor.ready();
    await hold(visitor, stage.demo.site, rtd(true));
    expect(Object.keys(bidders.sent()).sort()).toEqual([...names].sort());
    const keywordOf = (name: string, key: string): readonly string[] => keywordsIn(bidders.sent()[name] ?? '', key);
    for (const name of ssps) expect(keywordOf(name, 'p_standard')).toEqual(expect.arrayContaining(cohorts));
    for (const name of names) expect(keywordOf(name, 'p_standard_aud')).toEqual(expect.arrayContaining(cohorts));
    const standard = await standardCohorts(visitor);
    expect(standard.length).toBeGreaterThan(0);
    for (const name of names) expect(keywordOf(name, 'p_standard')).toEqual(expect.arrayContaining([...standard]));
    expect(keywordOf('rubicon', 'p_standard')).not.toContain('20111');
  });

  test('has in the store of its next module, for each bidder, what it writes itself', async () => {
    const visitor = await stage.visitor();
    const bidders = await withBidders(visitor);
    // A page on which Prebid has the visitor's cohorts when it starts, and on which they then stay as they are.
    const stored = await until(async () => {
      bidders.forget();
      await visitor.open(article);
      await visitor.ready();
      const before = await visitor.storage();
      await hold(visitor, stage.demo.site, rtd(true));
      const after = await visitor.storage();
      const isEmpty = (JSON.parse(after['_pssps'] ?? '{}') as { ssps?: string[] }).ssps?.length !== 4;
      return isEmpty || ['_pcohorts', '_pssps'].some((key) => before[key] !== after[key]) ? undefined : after;
    }, 'an auction with codes for partners that stay');
    const store = JSON.parse(stored['_pcohorts']!) as CohortStore;
    const next = placedByNext(store);
    const { standard, dcr, curated } = store.categories;
    // A code of two categories has the place of the first one, for a bidder's own codes too.
    const isStandard = (code: string): boolean => [standard, dcr, curated].some((codes) => codes.includes(code));
    for (const name of names) {
      const told = (key: string): readonly string[] => keywordsIn(bidders.sent()[name] ?? '', key);
      const own = told('permutive');
      const wanted = {
        standard: [...new Set([...told('p_standard'), ...own.filter(isStandard)])].sort(),
        own: own.filter((code) => !isStandard(code)).sort(),
      };
      const { 'permutive.com': placed, p_standard_aud: audience, permutive } = next[name]!;
      expect({ name, standard: [...placed].sort(), own: [...permutive].sort() }).toEqual({ name, ...wanted });
      expect(told('p_standard_aud')).toEqual(expect.arrayContaining([...audience]));
    }
  });

  test('puts the visitor’s identities on the wire: from storage, and by asking while there are none', async () => {
    const visitor = await stage.visitor();
    const bidders = await withBidders(visitor);
    const module = (params: object): object => ({
      userSync: {
        syncEnabled: false,
        auctionDelay: 5000,
        userIds: [{ name: 'permutiveIdentityManagerId', params, storage: { name: 'pim', type: 'html5', expires: 1 } }],
      },
    });
    await visitor.open(article);
    await visitor.ready();
    await visitor.ask((permutive) => {
      permutive.addon('identity_manager');
      return permutive.identify([
        { tag: 'id5', id: 'ID5*reader' },
        { tag: 'uid2', id: 'uid2-reader' },
      ]);
    });
    await hold(visitor, stage.demo.site, module({}));
    expect(bidders.sent()['ix']).toContain('id5-sync.com');
    expect(bidders.sent()['ix']).toContain('ID5*reader');
    expect(bidders.sent()['ix']).toContain('uid2-reader');

    // The module comes before the SDK, and the store is empty.
    bidders.forget();
    await visitor.page.evaluate(() =>
      ['permutive-prebid-id', 'pim', 'pim_exp', 'pim_last', 'pim_cst'].forEach((key) => localStorage.removeItem(key)),
    );
    const release = await visitor.hold(scriptFile);
    await visitor.open(article, 'domcontentloaded');
    await visitor.ask((permutive) => permutive.addon('identity_manager'));
    const held = hold(visitor, stage.demo.site, module({ ajaxTimeout: 4000 }));
    release();
    await held;
    expect(bidders.sent()['ix']).toContain('ID5*reader');
  });

  test('gives bidders neither cohorts nor identities of a visitor who objects to sharing', async () => {
    const visitor = await stage.visitor();
    const bidders = await withBidders(visitor);
    // A visit without objection leaves what Prebid reads before the SDK has come.
    await visitor.open(article);
    await visitor.ready();
    await visitor.ask((permutive) => {
      permutive.addon('identity_manager');
      return permutive.identify([{ tag: 'uid2', id: 'uid2-reader' }]);
    });
    await until(
      async () => ((await visitor.storage())['permutive-prebid-id'] ?? '').includes('uid2-reader') || undefined,
      'identities for Prebid',
    );
    await visitor.page.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { value: true }),
    );
    await visitor.open(article);
    await visitor.ready();
    await visitor.ask((permutive) => permutive.addon('identity_manager'));
    const cohorts = await standardCohorts(visitor);
    expect(cohorts.length).toBeGreaterThan(0);
    await hold(visitor, stage.demo.site, {
      ...rtd(true),
      userSync: {
        syncEnabled: false,
        auctionDelay: 2000,
        userIds: [{ name: 'permutiveIdentityManagerId', params: { ajaxTimeout: 1500 } }],
      },
    });
    expect(Object.keys(bidders.sent()).sort()).toEqual([...names].sort());
    expect(whoHeard(bidders, cohorts)).toEqual([]);
    for (const text of Object.values(bidders.sent())) expect(text).not.toMatch(/uid2-reader|p_standard/);
  });

  test('gives nothing where the visitor has not consented, be it here or to the consent platform', async () => {
    const visitor = await stage.visitor();
    const bidders = await withBidders(visitor);
    await visitor.open(`${article}&consent=required`);
    await hold(visitor, stage.demo.site, {
      ...rtd(false),
      realTimeData: { auctionDelay: 200, dataProviders: [{ name: 'permutive', waitForIt: false }] },
    });
    expect(Object.keys(bidders.sent()).sort()).toEqual([...names].sort());
    for (const text of Object.values(bidders.sent())) expect(text).not.toMatch(/permutive|p_standard/);
    expect(
      Object.keys(await visitor.storage()).filter((key) => key.startsWith('_p') || key.startsWith('permutive')),
    ).toEqual([]);

    // Consent to the SDK, so that there are cohorts, and then a consent platform where the reader has refused
    // personalisation.
    await visitor.open(article);
    await visitor.ready();
    const cohorts = await until(async () => {
      const codes = await standardCohorts(visitor);
      return codes.length > 0 ? codes : undefined;
    }, 'cohorts');
    bidders.forget();
    const purposes = (given: readonly number[]): object =>
      Object.fromEntries(Array.from({ length: 11 }, (_, i) => [i + 1, given.includes(i + 1)]));
    const tcf = (given: readonly number[]): object => ({
      consentManagement: {
        gdpr: {
          cmpApi: 'static',
          defaultGdprScope: true,
          consentData: {
            getTCData: {
              tcString: 'CPX',
              cmpId: 1,
              cmpVersion: 1,
              gdprApplies: true,
              tcfPolicyVersion: 4,
              purpose: { consents: purposes(given), legitimateInterests: {} },
              vendor: { consents: {}, legitimateInterests: {} },
              publisher: { consents: purposes(given), legitimateInterests: {}, restrictions: {} },
              purposeOneTreatment: false,
            },
          },
          rules: [
            { purpose: 'personalizedAds', enforcePurpose: true, enforceVendor: false },
            { purpose: 'storage', enforcePurpose: true, enforceVendor: false },
            { purpose: 'basicAds', enforcePurpose: false, enforceVendor: false },
          ],
        },
      },
    });
    await visitor.open(article);
    await hold(visitor, stage.demo.site, { ...tcf([]), ...rtd(false) });
    expect(whoHeard(bidders, cohorts)).toEqual([]);

    bidders.forget();
    await visitor.open(article);
    await hold(visitor, stage.demo.site, { ...tcf([1, 2, 3, 4, 7]), ...rtd(false) });
    expect(whoHeard(bidders, cohorts)).toEqual(names);
  });

  test('has its auctions and winning bids tracked, the bids always, the auctions as often as the page wants', async () => {
    const visitor = await stage.visitor();
    await withBidders(visitor);
    const show = async (threshold: number): Promise<string> => {
      await visitor.open(`${article}&__permutive.prebidAuctionsRandomDownsamplingThreshold=${threshold}`);
      await visitor.ask((permutive) => permutive.addon('prebid'));
      await visitor.ready();
      const [adId = ''] = await hold(visitor, stage.demo.site, rtd(true));
      await render(visitor, adId);
      return adId;
    };
    const adId = await show(0);
    const [bid] = await stage.untilArrived('PrebidBid');
    expect(bid?.properties).toMatchObject({
      bidder: 'openx',
      cpm: 2.5,
      currency: 'USD',
      ad_id: adId,
      ad_unit_code: 'auctioned',
      is_winning: true,
      advertiser_domains: ['harbour.example'],
    });
    const [{ properties } = { properties: {} }] = await stage.untilArrived('PrebidAuctions');
    expect(properties).toMatchObject({
      auctions: [
        {
          auction_id: bid?.properties['auction_id'],
          ad_units: ['auctioned'],
          bids: [{ bidder: 'openx', cpm: 2.5, is_winning: true }],
        },
      ],
    });
    const silent =
      (properties as { auctions: { no_bids: { bidder: string }[] }[] }).auctions[0]?.no_bids.map(
        ({ bidder }) => bidder,
      ) ?? [];
    expect([...silent].sort()).toEqual(names.filter((name) => name !== 'openx').sort());
    // The same ad again is no other bid.
    await render(visitor, adId);
    await until(async () => (await rendered(visitor)) >= 2 || undefined, 'the same ad again');

    const other = await show(1);
    await stage.untilArrived('PrebidBid', 2);
    // An auction is told as its page goes, at the latest.
    await visitor.open('/empty');
    await stage.untilArrived('PageviewComplete', 2);
    expect((await stage.arrived('PrebidBid')).map(({ properties }) => properties['ad_id'])).toEqual([adId, other]);
    expect((await stage.arrived('PrebidAuctions')).length).toBe(1);
  });

  test('has an auction of two units tracked once, with the winners of both', async () => {
    const visitor = await stage.visitor();
    await withBidders(visitor);
    await visitor.open(`${article}&__permutive.prebidAuctionsRandomDownsamplingThreshold=0`);
    await visitor.ask((permutive) => permutive.addon('prebid'));
    await visitor.ready();
    const auction = async (): Promise<readonly [string, string]> => {
      const [top = '', side = ''] = await hold(visitor, stage.demo.site, rtd(true), ['top', 'side']);
      return [top, side];
    };
    const [top, side] = await auction();
    await render(visitor, top);
    // The auction ends two seconds after its first ad.
    await until(async () => (await rendered(visitor)) >= 1 || undefined, 'the first ad');
    await render(visitor, side);
    const won = { bidder: 'openx', is_winning: true };
    const [both] = await stage.untilArrived('PrebidAuctions');
    expect(both?.properties).toMatchObject({
      auctions: [
        {
          ad_units: ['top', 'side'],
          bids: [
            { ...won, ad_id: top },
            { ...won, ad_id: side },
          ],
        },
      ],
    });

    // The ad server shows the ad of one unit only.
    const [shown] = await auction();
    await render(visitor, shown);
    const [, one] = await stage.untilArrived('PrebidAuctions', 2);
    expect(one?.properties).toMatchObject({ auctions: [{ bids: [{ ...won, ad_id: shown }, { is_winning: false }] }] });
    expect(await stage.untilArrived('PrebidBid', 3)).toHaveLength(3);
  });

  test('has what a rendered ad earns tracked once the page starts that, and not before', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/personal-finance/savings/where-to-keep-money-you-may-need-by-spring');
    await visitor.ready();
    await visitor.open('/advertising');
    await visitor.page.waitForSelector('.bid-won');
    await stage.untilArrived('PrebidBid');
    expect(await stage.arrived('AdRevenue')).toEqual([]);

    await visitor.ask((permutive) => permutive.addon('revenue_insights'));
    await visitor.page.click('#auction-again');
    const [revenue] = await stage.untilArrived('AdRevenue');
    const { cpm } = revenue!.properties as { readonly cpm: number };
    expect(cpm).toBeGreaterThan(0);
    expect(revenue?.properties).toMatchObject({ bidder: 'northfield', revenue: cpm / 1000 });
  });

  test('holds an auction on the paper’s own page, where readers see who was told what', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/personal-finance/savings/where-to-keep-money-you-may-need-by-spring');
    await visitor.ready();
    await visitor.open('/advertising');
    await visitor.page.waitForSelector('.bid-won');
    expect(await visitor.page.textContent('[data-test="bid-northfield"] .bid-heard')).not.toContain('nothing');
    expect(await visitor.page.textContent('[data-test="bid-harbour"] .bid-heard')).not.toContain('nothing');
    expect(await visitor.page.textContent('[data-test="bid-quiet"] .bid-heard')).toContain(
      'Was told nothing about you',
    );
    const [bid] = await stage.untilArrived('PrebidBid');
    expect(bid?.properties).toMatchObject({ bidder: 'northfield', advertiser_name: 'Northfield Cloud' });
  });
});
