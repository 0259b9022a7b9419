import { type AdRequest, adRequestRows } from '../../src/inspector/adRequests/adRequest';
import { adServerRequests } from '../../src/inspector/adRequests/adServers';
import { openRtbCodes, openRtbEntries, openRtbGroup } from '../../src/inspector/adRequests/openRtb';
import { storedCodes } from '../../src/inspector/adRequests/storedCodes';

const request = (changes: Partial<AdRequest> = {}): AdRequest => ({
  partner: 'google',
  bidder: 'Google',
  slot: '/1/top',
  at: 100,
  codes: [],
  ...changes,
});

describe('adRequestRows', () => {
  const known = () => ({ before: ['20111', '20401'], now: ['20111', '20402'] });

  it('tells what a request could have carried from what the page has found since', () => {
    const [row] = adRequestRows([request({ codes: ['20900'] })], known);
    expect(row).toMatchObject({ codes: ['20900'], missing: ['20111'], entered: ['20402'] });
  });

  it('misses nothing in a request with codes that the page has evaluated itself', () => {
    const [row] = adRequestRows([request({ codes: ['20900'], isRealtime: true })], known);
    expect(row).toMatchObject({ missing: [], entered: ['20111', '20402'] });
  });

  it('misses nothing in a request that has all codes, nor in one whose body cannot be seen', () => {
    const rows = adRequestRows([request({ codes: ['20402', '20111'] }), request({ codes: undefined })], known);
    expect(rows.map(({ missing, entered }) => [...missing, ...entered])).toEqual([[], []]);
  });

  it('has the order of time, and marks the first request of each slot to each bidder', () => {
    const rows = adRequestRows(
      [
        request({ at: 300 }),
        request({ at: 200, slot: '/1/side' }),
        request({ at: 100 }),
        request({ at: 400, partner: 'prebid', bidder: 'openx' }),
      ],
      known,
    );
    expect(rows.map(({ at, isFirst }) => [at, isFirst])).toEqual([
      [100, true],
      [200, true],
      [300, false],
      [400, true],
    ]);
  });

  it('asks for what is known of each request', () => {
    const rows = adRequestRows(
      [request(), request({ partner: 'appnexus', bidder: 'AppNexus' })],
      ({ partner }): { before: string[]; now: string[] } => ({ before: [partner], now: [partner] }),
    );
    expect(rows.map(({ missing }) => missing)).toEqual([['google'], ['appnexus']]);
  });
});

describe('adRequestRows, of what was taken out', () => {
  const told =
    (entries: readonly string[], left: readonly string[] = []) =>
    () => ({
      before: [],
      now: ['20111', '20402'],
      entries,
      left,
    });
  const said = (...entries: readonly string[]) => entries.map((entry) => ({ entry }));
  const erasedIn = (requests: readonly AdRequest[], known: Parameters<typeof adRequestRows>[1]) =>
    adRequestRows(requests, known).map(({ erasedCodes, erasedEntries, laterEntries }) => [
      erasedCodes,
      erasedEntries,
      laterEntries,
    ]);

  it('tells codes that an earlier request to the bidder had from those that came later', () => {
    const rows = adRequestRows(
      [
        request({ at: 1, codes: [] }),
        request({ at: 2, codes: ['20111'] }),
        request({ at: 3, codes: [] }),
        request({ at: 4, codes: [], bidder: 'other' }),
        request({ at: 5, codes: [], slot: '/1/side' }),
        request({ at: 6, codes: ['20402', '20111'] }),
      ],
      told([]),
    );
    expect(rows.map(({ erasedCodes, entered }) => [erasedCodes, entered])).toEqual([
      [[], ['20111', '20402']],
      [[], ['20402']],
      [['20111'], ['20402']],
      [[], ['20111', '20402']],
      [[], ['20111', '20402']],
      [[], []],
    ]);
  });

  it('tells entries that an earlier request to the partner had, or another one of the auction', () => {
    const bid = (changes: Partial<AdRequest>): AdRequest => request({ partner: 'prebid', codes: [], ...changes });
    const known = (): { before: string[]; now: string[]; entries: string[] } => ({
      before: [],
      now: [],
      entries: ['4:364', '4:365'],
    });
    expect(
      erasedIn(
        [
          bid({ at: 1, bidder: 'ix', auction: 'a', entries: [] }),
          bid({ at: 2, bidder: 'openx', auction: 'b', entries: [] }),
          bid({ at: 3, bidder: 'ix', auction: 'b', entries: said('4:364') }),
          bid({ at: 4, bidder: 'criteo', auction: 'c', entries: said('4:365') }),
        ],
        known,
      ),
    ).toEqual([
      [[], [], ['4:364', '4:365']],
      [[], ['4:364'], ['4:365']],
      [[], [], ['4:365']],
      [[], ['4:364'], []],
    ]);
  });

  it('says of an address without entries that it has none once another one had some, and before nothing', () => {
    const rows = adRequestRows(
      [
        request({ at: 1, entries: undefined }),
        request({ at: 2, entries: said('4:364') }),
        request({ at: 3, entries: undefined }),
        request({ at: 4, slot: '/1/video', entries: undefined }),
      ],
      told(['4:364']),
    );
    expect(rows.map(({ entries, erasedEntries, laterEntries }) => [entries, erasedEntries, laterEntries])).toEqual([
      [undefined, [], []],
      [said('4:364'), [], []],
      [[], ['4:364'], []],
      [undefined, [], []],
    ]);
  });

  it('accuses nobody where the visitor has left the cohort meanwhile', () => {
    const requests = [
      request({ at: 1, codes: ['20111', '20402'], entries: said('4:364') }),
      request({ at: 2, codes: [], entries: [] }),
    ];
    expect(erasedIn(requests, told(['4:364'], ['20111', '4:364']))[1]).toEqual([['20402'], [], ['4:364']]);
    expect(erasedIn(requests, told(['4:364']))[1]).toEqual([['20111', '20402'], ['4:364'], []]);
  });

  it('lacks no entries where nobody knows what partners are told', () => {
    const known = () => ({ before: [], now: [] });
    expect(erasedIn([request({ entries: said('4:364') }), request({ at: 200, entries: [] })], known)).toEqual([
      [[], [], []],
      [[], [], []],
    ]);
  });
});

const google = 'https://securepubads.g.doubleclick.net/gampad/ads?';

describe('adServerRequests', () => {
  const slotsOf = (query: Readonly<Record<string, string>>) =>
    adServerRequests(google + new URLSearchParams(query).toString(), 7).map(({ slot, codes }) => [slot, codes]);

  it('reads the page’s and each slot’s key values of a request for several slots', () => {
    expect(
      slotsOf({
        iu_parts: '1,news,top,side',
        enc_prev_ius: '/0/1/2,/0/1/3',
        prev_scp: 'pos=1|pos=2&permutive=30001',
        cust_params: 'section=a%26b&permutive=20111%2C20401%2Crts&puid=x',
      }),
    ).toEqual([
      ['/1/news/top', ['20111', '20401']],
      ['/1/news/side', ['20111', '20401', '30001']],
    ]);
  });

  it('reads a request for one slot, and one without key values', () => {
    expect(slotsOf({ iu: '/1/top', scp: 'permutive=7' })).toEqual([['/1/top', ['7']]]);
    expect(slotsOf({ iu: '/1/top' })).toEqual([['/1/top', []]]);
  });

  const signals = {
    PublisherProvidedTaxonomySignals: [
      { taxonomy: 'IAB_AUDIENCE_1_1', values: ['364', '6'] },
      { taxonomy: 'IAB_CONTENT_2_2', values: ['186'] },
      { taxonomy: 'IAB_LATER_9_9', values: ['1??>>'] },
    ],
  };
  const encoded = Buffer.from(JSON.stringify(signals)).toString('base64');
  const entriesOf = (query: Readonly<Record<string, string>>) =>
    adServerRequests(google + new URLSearchParams({ iu: '/1/top', ...query }).toString(), 7)[0]?.entries;

  it('reads publisher provided signals, in both alphabets of base64', () => {
    const wanted = ['4:364', '4:6', '6:186', 'IAB_LATER_9_9:1??>>'].map((entry) => ({ entry }));
    expect(encoded).toMatch(/[+/]/);
    expect(entriesOf({ ppsj: encoded })).toEqual(wanted);
    expect(entriesOf({ ppsj: encoded.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '') })).toEqual(wanted);
  });

  it.each<[what: string, query: Readonly<Record<string, string>>, entries: readonly [] | undefined]>([
    ['nothing of an address without them', {}, undefined],
    ['nothing of what cannot be read', { ppsj: '%' }, undefined],
    ['nothing of what is no JSON', { ppsj: btoa('{') }, undefined],
    ['none in an empty list', { ppsj: btoa('{"PublisherProvidedTaxonomySignals":[]}') }, []],
    ['none in another object', { ppsj: btoa('[1]') }, []],
  ])('knows %s', (_, query, entries) => {
    expect(entriesOf(query)).toEqual(entries);
  });

  it('knows requests of the seller tag, whose bodies it does not see, and no others', () => {
    expect(adServerRequests('https://ib.adnxs.com/ut/v3', 7)).toEqual([
      { partner: 'appnexus', bidder: 'AppNexus', slot: '', at: 7, codes: undefined },
    ]);
    for (const address of ['https://ib.adnxs.com/ut/v3/prebid', 'https://a.example/gampad/other?x', 'gampad/ads?'])
      expect(adServerRequests(address, 7)).toEqual([]);
  });
});

describe('The group of an experiment', () => {
  const groupsOf = (query: Readonly<Record<string, string>>) =>
    adServerRequests(google + new URLSearchParams(query).toString(), 7).map(({ group }) => group);

  it('is the page’s in a request to Google, or a slot’s own', () => {
    expect(groupsOf({ iu: '/1/top', cust_params: 'permutive=1&prmtvexp=control' })).toEqual(['control']);
    expect(groupsOf({ iu: '/1/top', cust_params: 'permutive=1&prmtvexp=' })).toEqual(['']);
    expect(groupsOf({ iu: '/1/top' })).toEqual(['']);
    const several = { iu_parts: '1,a,b', enc_prev_ius: '/0/1,/0/2', prev_scp: 'prmtvexp=exposed|pos=2' };
    expect(groupsOf({ ...several, cust_params: 'prmtvexp=control' })).toEqual(['exposed', 'control']);
  });

  it('cannot be seen in a request of the seller tag', () => {
    expect(adServerRequests('https://ib.adnxs.com/ut/v3', 7).map(({ group }) => group)).toEqual([undefined]);
  });

  it('is in what OpenRTB has for facts of the visitor', () => {
    expect(openRtbGroup({ user: { ext: { data: { prmtvexp: 'control' } } } })).toBe('control');
    expect(openRtbGroup({ user: { ext: { data: { prmtvexp: ['control'] } } } })).toBe('control');
    for (const none of [undefined, {}, { user: { ext: { data: {} } } }, { user: { data: { prmtvexp: 'control' } } }])
      expect(openRtbGroup(none)).toBe('');
  });
});

describe('openRtbCodes', () => {
  it('finds cohorts wherever Prebid’s module puts them, each once', () => {
    expect(
      openRtbCodes({
        user: {
          data: [
            { name: 'permutive.com', segment: [{ id: '1000001' }] },
            { name: 'permutive', segment: [{ id: '20111' }] },
            { name: 'permutive.com', ext: { segtax: 600 }, segment: [{ id: '42' }] },
            { name: 'other', segment: [{ id: '43' }] },
          ],
          keywords: 'age=44,permutive=20111,p_standard_aud=1000002',
          ext: { data: { permutive: ['20112'], else: ['45'] } },
        },
        site: { ext: { permutive: { p_standard: ['1000003'] }, data: { permutive: '20113' } } },
      }),
    ).toEqual(['1000001', '20111', '20112', '1000002', '1000003', '20113']);
  });

  it.each([[undefined], [null], ['text'], [{}], [{ user: null, site: 3 }]])('finds none in %j', (given) => {
    expect(openRtbCodes(given)).toEqual([]);
  });
});

describe('openRtbEntries', () => {
  it('finds entries of visitor and content, in whose name they are', () => {
    expect(
      openRtbEntries({
        user: {
          data: [
            { name: 'ledger.example', ext: { segtax: 4 }, segment: [{ id: '364' }, { id: '9' }] },
            { ext: { segtax: 600 }, segment: [{ id: '42' }] },
            { name: 'permutive', segment: [{ id: '20111' }] },
          ],
        },
        site: { content: { data: [{ name: 'ledger.example', ext: { segtax: 7 }, segment: [{ id: '186' }] }] } },
      }),
    ).toEqual([
      { entry: '4:364', by: 'ledger.example' },
      { entry: '4:9', by: 'ledger.example' },
      { entry: '600:42', by: undefined },
      { entry: '7:186', by: 'ledger.example' },
    ]);
  });

  it.each([[undefined], [null], ['text'], [{ user: { data: 'x' }, site: 3 }]])('finds none in %j', (given) => {
    expect(openRtbEntries(given)).toEqual([]);
  });
});

describe('storedCodes', () => {
  const keys: Readonly<Record<string, unknown>> = {
    _pdfps: [20111],
    _papns: ['20112'],
    _psegs: ['20113', '1000001', 1000002],
    _ppam: ['adv'],
    _pssps: { ssps: ['ix'], cohorts: ['abc'] },
    _pindexs: ['20114'],
    'permutive-prebid-rtd': { acBidders: ['appnexus', 'openx'] },
  };
  const codesOf = (partner: AdRequest['partner'], bidder: string, params?: unknown) =>
    storedCodes({ partner, bidder }, (key) => keys[key] ?? null, params);

  it('has a key for each ad server', () => {
    expect(codesOf('google', 'Google')).toEqual(['20111']);
    expect(codesOf('appnexus', 'AppNexus')).toEqual(['20112']);
  });

  it('gives a bidder what Prebid’s module gives it', () => {
    expect(codesOf('prebid', 'appnexus')).toEqual(['adv', '1000001', '1000002', '20112']);
    expect(codesOf('prebid', 'openx')).toEqual(['adv', '1000001', '1000002']);
    expect(codesOf('prebid', 'ix')).toEqual(['abc', '20114']);
    expect(codesOf('prebid', 'rubicon')).toEqual([]);
  });

  it('heeds what the page tells the module', () => {
    const params = { acBidders: ['rubicon'], maxSegs: 1, bidders: { quiet: { customCohorts: { key: '_pdfps' } } } };
    expect(codesOf('prebid', 'rubicon', params)).toEqual(['adv']);
    expect(codesOf('prebid', 'quiet', params)).toEqual(['20111']);
  });
});
