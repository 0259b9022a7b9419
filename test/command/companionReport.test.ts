import { adRequestsIn, type FollowedRequest } from '../../command/companion/bodies';
import type { Followed } from '../../command/companion/followVisits';
import { isComplete, visitsText } from '../../command/companion/visitsText';

const read = (changes: Partial<FollowedRequest>) =>
  adRequestsIn([{ url: 'https://other.example/', body: '', at: 7, ...changes }]).map(
    ({ partner, bidder, slot, codes }) => [partner, bidder, slot, codes],
  );

describe('adRequestsIn', () => {
  const user = { data: [{ name: 'permutive', segment: [{ id: '20111' }] }] };
  const tags = {
    keywords: [{ key: 'p_standard', value: ['1000001'] }],
    tags: [
      { id: 5, keywords: [{ key: 'permutive', value: ['20111'] }] },
      { id: 6, gpid: '/1/side' },
    ],
  };

  type Row = [what: string, changes: Partial<FollowedRequest>, rows: readonly unknown[]];
  it.each<Row>([
    [
      'Google',
      { url: 'https://securepubads.g.doubleclick.net/gampad/ads?iu=%2F1%2Ftop&cust_params=permutive%3D20111' },
      [['google', 'Google', '/1/top', ['20111']]],
    ],
    [
      'the seller tag',
      { url: 'https://ib.adnxs.com/ut/v3', body: JSON.stringify(tags) },
      [
        ['appnexus', 'AppNexus', '5', ['1000001', '20111']],
        ['appnexus', 'AppNexus', '/1/side', ['1000001']],
      ],
    ],
    [
      'Prebid’s adapter of AppNexus',
      { url: 'https://ib.adnxs.com/ut/v3/prebid', body: JSON.stringify({ tags: [{ id: 5 }] }) },
      [['prebid', 'appnexus', '5', []]],
    ],
    [
      'Rubicon',
      {
        url: 'https://fastlane.rubiconproject.com/a/api/fastlane.json?tg_v.permutive=20111%2C20112&tg_v.p_standard=1000001&tg_fl.eid=top;side',
      },
      [
        ['prebid', 'rubicon', 'top', ['20111', '20112', '1000001']],
        ['prebid', 'rubicon', 'side', ['20111', '20112', '1000001']],
      ],
    ],
    [
      'a bidder by name',
      {
        url: 'https://rtb.openx.net/openrtbb/prebidjs',
        body: JSON.stringify({ imp: [{ tagid: 'a', id: 'b' }], user }),
      },
      [['prebid', 'openx', 'a', ['20111']]],
    ],
    ...[
      ['msft', 'https://ib.adnxs.com/openrtb2/prebidjs'],
      ['msft', 'https://ib.adnxs-simple.com/openrtb2/prebidjs'],
      ['criteo', 'https://grid-bidder.criteo.com/openrtb_2_5/pbjs/auction/request?profileId=207'],
      ['ttd', 'https://direct.adsrvr.org/bid/bidder/ledger'],
    ].map(([bidder = '', url = '']): Row => [
      `${bidder} at ${new URL(url).host}`,
      { url, body: JSON.stringify({ imp: [{ tagid: 'a', id: 'b' }], user }) },
      [['prebid', bidder, 'a', ['20111']]],
    ]),
    [
      'any server in the form of OpenRTB',
      { body: JSON.stringify({ imp: [{ id: 'b', ext: { gpid: '/1/top' } }], user }) },
      [['prebid', 'other.example', '/1/top', ['20111']]],
    ],
    [
      'the demo’s exchange',
      { url: 'http://localhost:1/exchange', body: JSON.stringify({ bidder: 'harbour', request: 'r', user }) },
      [['prebid', 'harbour', '', ['20111']]],
    ],
    [
      'the demo’s stand-in for Google',
      {
        url: 'http://localhost:1/ad?ad_unit_path=%2F1%2Ftop&targeting=%7B%22permutive%22%3A%5B%2220111%22%2C%22rts%22%5D%7D',
      },
      [['google', 'Google (stand-in)', '/1/top', ['20111']]],
    ],
  ])('reads a request to %s', (_, changes, rows) => {
    expect(read(changes)).toEqual(rows);
  });

  const ofControl = { ext: { data: { prmtvexp: 'control' } } };
  it.each<[what: string, groups: readonly string[], changes: Partial<FollowedRequest>]>([
    ['Google', ['control'], { url: 'https://g.example/gampad/ads?iu=%2F1%2Ftop&cust_params=prmtvexp%3Dcontrol' }],
    [
      'AppNexus',
      ['exposed', 'control'],
      {
        url: 'https://ib.adnxs.com/ut/v3',
        body: JSON.stringify({
          keywords: [
            { key: 'permutive', value: ['20111'] },
            { key: 'prmtvexp', value: ['control'] },
          ],
          tags: [{ id: 5, keywords: [{ key: 'prmtvexp', value: ['exposed'] }] }, { id: 6 }],
        }),
      },
    ],
    ['AppNexus, without one', [''], { url: 'https://ib.adnxs.com/ut/v3', body: JSON.stringify({ tags: [{ id: 5 }] }) }],
    [
      'Rubicon',
      ['control'],
      { url: 'https://fastlane.rubiconproject.com/a/api/fastlane.json?tg_v.prmtvexp=control&tg_fl.eid=top' },
    ],
    ['OpenRTB', ['control'], { body: JSON.stringify({ imp: [{ id: 'b' }], user: ofControl }) }],
    [
      'the demo’s exchange',
      ['control'],
      { url: 'http://localhost:1/exchange', body: JSON.stringify({ bidder: 'harbour', user: ofControl }) },
    ],
    [
      'the demo’s stand-in for Google',
      ['control'],
      { url: 'http://localhost:1/ad?ad_unit_path=%2F1%2Ftop&targeting=%7B%22prmtvexp%22%3A%5B%22control%22%5D%7D' },
    ],
  ])('reads the group of an experiment in a request to %s', (_, groups, changes) => {
    const rows = adRequestsIn([{ url: 'https://other.example/', body: '', at: 7, ...changes }]);
    expect(rows.map(({ group }) => group)).toEqual(groups);
  });

  it.each<[what: string, isRealtime: boolean | undefined, changes: Partial<FollowedRequest>]>([
    ['Google', true, { url: 'https://g.example/gampad/ads?iu=%2F1%2Ftop&cust_params=permutive%3D20111%2Crts' }],
    ['Google', false, { url: 'https://g.example/gampad/ads?iu=%2F1%2Ftop&cust_params=permutive%3D20111' }],
    [
      'AppNexus',
      true,
      {
        url: 'https://ib.adnxs.com/ut/v3',
        body: JSON.stringify({ tags: [{ id: 5, keywords: [{ key: 'permutive', value: ['20111', 'rts'] }] }] }),
      },
    ],
    ['OpenRTB', undefined, { body: JSON.stringify({ imp: [{ id: 'b' }], user }) }],
  ])('knows a request to %s whose codes the page has evaluated: %p', (_, isRealtime, changes) => {
    const [found] = adRequestsIn([{ url: 'https://other.example/', body: '', at: 7, ...changes }]);
    expect(found).toMatchObject({ codes: ['20111'] });
    expect(found?.isRealtime).toBe(isRealtime);
  });

  const data = [{ name: 'ledger.example', ext: { segtax: 4 }, segment: [{ id: '364' }] }];
  it.each<[what: string, changes: Partial<FollowedRequest>, entries: readonly unknown[] | undefined]>([
    [
      'OpenRTB',
      { body: JSON.stringify({ imp: [{ id: 'b' }], user: { data } }) },
      [{ entry: '4:364', by: 'ledger.example' }],
    ],
    [
      'the demo’s exchange',
      { url: 'http://localhost:1/exchange', body: JSON.stringify({ user: { data } }) },
      [{ entry: '4:364', by: 'ledger.example' }],
    ],
    [
      'Rubicon',
      { url: 'https://fastlane.rubiconproject.com/a/api/fastlane.json?tg_v.iab=364%2C9&tg_fl.eid=top' },
      [{ entry: '4:364' }, { entry: '4:9' }],
    ],
    ['Rubicon without any', { url: 'https://fastlane.rubiconproject.com/a/api/fastlane.json?tg_fl.eid=top' }, []],
    [
      'the seller tag, which has no place for them',
      { url: 'https://ib.adnxs.com/ut/v3', body: '{"tags":[{}]}' },
      undefined,
    ],
  ])('reads the entries of taxonomies in a request to %s', (_, changes, entries) => {
    const [found] = adRequestsIn([{ url: 'https://other.example/', body: '', at: 7, ...changes }]);
    expect(found?.entries).toEqual(entries);
  });

  it.each<Partial<FollowedRequest>>([
    {},
    { body: 'text' },
    { body: '[]' },
    { body: 'null' },
    { url: 'data:text/plain,x' },
    { url: 'https://ib.adnxs.com/ut/v3', body: '' },
    { url: 'no address' },
  ])('passes over %j', (changes) => {
    expect(read(changes)).toEqual([]);
  });
});

describe('the report of two views', () => {
  const row = {
    partner: 'google',
    bidder: 'Google',
    slot: '/1/top',
    at: 412.4,
    codes: ['20111'],
    isFirst: true,
    missing: [],
    entered: [],
    erasedCodes: [],
    erasedEntries: [],
    laterEntries: [],
  } as const;
  const well: Followed = {
    pageFailure: undefined,
    views: [[{ ...row, codes: [], entries: [] }], [{ ...row, entries: [{ entry: '4:364', by: 'a.example' }] }]],
    writes: [[], []],
    hasCodes: true,
    findings: [],
  };
  const lacking: Followed = { ...well, views: [[], [row, { ...row, codes: [], missing: ['20111', '20401'] }]] };

  it('is complete where the second view has all codes that the first has stored', () => {
    expect(isComplete(well)).toBe(true);
    expect(visitsText(well).split('\n')).toEqual([
      'view  when    bidder  slot    codes  entries            missing  taken out  entered on the page',
      '1     412 ms  Google  /1/top  -      -                  -        -          -',
      '2     412 ms  Google  /1/top  20111  4:364 (a.example)  -        -          -',
      '',
      expect.stringMatching(/^codes: .* missing: /),
      expect.stringMatching(/^entries: .* taken out: /),
      expect.stringMatching(/^entered on the page: /),
      '',
      'Each ad request of the second view had all codes that the first had stored.',
    ]);
  });

  it('has a column for the group where a request says one', () => {
    const rows = [{ ...row, group: 'control' }, { ...row, group: '' }, row];
    const printed = visitsText({ ...well, views: [[], rows] }).split('\n');
    expect(printed.slice(0, 4)).toEqual([
      'view  when    bidder  slot    codes  entries   group     missing  taken out  entered on the page',
      '2     412 ms  Google  /1/top  20111  not seen  control   -        -          -',
      '2     412 ms  Google  /1/top  20111  not seen  -         -        -          -',
      '2     412 ms  Google  /1/top  20111  not seen  not seen  -        -          -',
    ]);
    expect(printed).toContainEqual(expect.stringMatching(/^group: /));
    expect(visitsText({ ...well, views: [[], [{ ...row, group: '' }]] })).not.toMatch(/group/);
  });

  it('is not complete where a request lacks codes', () => {
    expect(isComplete(lacking)).toBe(false);
    expect(visitsText(lacking)).toMatch(/^2 {5}412 ms {2}Google {2}\/1\/top {2}- {6}not seen {2}20111 20401/m);
    expect(visitsText(lacking)).toMatch(/1 of 2 ad requests of the second view lacked codes that the first/);
  });

  it('is not complete where something has taken codes out', () => {
    const erased: Followed = { ...well, views: [[], [row, { ...row, codes: [], erasedCodes: ['20111'] }]] };
    expect(isComplete(erased)).toBe(false);
    expect(visitsText(erased)).toMatch(/^2 {5}412 ms {2}Google {2}\/1\/top {2}- {6}not seen {2}- {8}20111/m);
    expect(visitsText(erased)).toContain('1 of 2 ad requests of the second view lacked what another request had.');
    expect(visitsText(erased)).not.toContain('Each ad request');
    expect(isComplete({ ...well, views: [[], [row, { ...row, erasedEntries: ['4:364'] }]] })).toBe(false);
  });

  it('says who has written what to the places that ad requests read, the latest writes of each view', () => {
    const write = { at: 12.3, place: 'key permutive', by: 'the SDK', codes: ['20111', 'rts'] } as const;
    const printed = visitsText({
      ...well,
      writes: [
        [write],
        [
          ...Array.from({ length: 49 }, () => write),
          {
            at: 20,
            place: 'ortb2',
            by: 'https://a.example/x.js, line 7',
            entries: [{ entry: '4:9', by: 'b.example' }],
          },
          { at: 21, place: 'publisher provided signals', by: '', entries: [] },
        ],
      ],
    }).split('\n');
    const first = printed.findIndex((line) => line.startsWith('view  when   place'));
    expect(printed.slice(first, first + 2)).toEqual([
      'view  when   place                       written by                      what stands there from then on',
      '1     12 ms  key permutive               the SDK                         20111 rts',
    ]);
    expect(printed.filter((line) => line.startsWith('2  ') && line.includes('key permutive'))).toHaveLength(48);
    expect(printed.slice(first + 50, first + 52)).toEqual([
      '2     20 ms  ortb2                       https://a.example/x.js, line 7  4:9 (b.example)',
      '2     21 ms  publisher provided signals  not seen                        -',
    ]);
    expect(visitsText(well)).not.toContain('written by');
  });

  it.each<[changes: Partial<Followed>, words: string]>([
    [{ views: [[row], []] }, 'No ad request was seen in the second view'],
    [{ hasCodes: false }, 'The first view has stored no codes for these bidders'],
  ])('is not complete where nothing can be compared (%#)', (changes, words) => {
    expect(isComplete({ ...well, ...changes })).toBe(false);
    expect(visitsText({ ...well, ...changes })).toContain(words);
  });

  it('has the findings with their fixes, and no control characters of a page', () => {
    const text = '\u001b[2J\u202e';
    const printed = visitsText({
      ...well,
      views: [[{ ...row, slot: text, codes: [text] }], []],
      findings: [{ severity: 'warning', where: 'ad requests', finding: `Late ${text}`, fix: 'Put it first.' }],
    });
    expect(printed).toContain('→ Put it first.');
    expect(printed).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});
