import type { NotedCall } from '../../command/companion/noteWrites';
import { entriesToldIn, type Write, writesIn } from '../../command/companion/writes';

const page = { address: 'https://site.example:8080/front?x=1#top', workspace: 'w-1' };
const call = (method: string, given: readonly unknown[], caller = 'at https://ads.example/ads.js:12:5'): NotedCall => ({
  method,
  given: JSON.stringify(given),
  at: 7,
  stack: [caller, 'at https://other.example/later.js:1:1'],
});
const write = (method: string, ...given: readonly unknown[]) => writesIn([call(method, given)], page);
const byOf = (caller: string): string | undefined =>
  writesIn([call('pubads.setTargeting', ['permutive', '1'], caller)], page)[0]?.by;

describe('writesIn', () => {
  const key = { place: 'key permutive', at: 7, by: 'https://ads.example/ads.js, line 12' };
  const signals = { ...key, place: 'publisher provided signals' };
  const ortb2 = { ...key, place: 'ortb2' };
  const data = { user: { data: [{ name: 'site.example', ext: { segtax: 4 }, segment: [{ id: '364' }] }] } };
  const said = [{ entry: '4:364', by: 'site.example' }];
  const pps = {
    taxonomies: {
      IAB_AUDIENCE_1_1: { values: ['364', '6'] },
      IAB_CONTENT_2_2: { values: ['1'] },
      LATER: { values: 2 },
    },
  };

  it.each<[method: string, given: readonly unknown[], writes: readonly object[]]>([
    ['pubads.setTargeting', ['permutive', ['20111', 'rts']], [{ ...key, codes: ['20111', 'rts'] }]],
    ['pubads.setTargeting', ['permutive', '20111'], [{ ...key, codes: ['20111'] }]],
    ['pubads.setTargeting', ['section', 'news'], []],
    ['pubads.clearTargeting', [], [{ ...key, codes: [] }]],
    ['pubads.clearTargeting', ['permutive'], [{ ...key, codes: [] }]],
    ['pubads.clearTargeting', ['section'], []],
    ['googletag.setConfig', [{ targeting: { permutive: ['20111'] } }], [{ ...key, codes: ['20111'] }]],
    ['googletag.setConfig', [{ targeting: { permutive: null } }], [{ ...key, codes: [] }]],
    ['googletag.setConfig', [{ targeting: null }], [{ ...key, codes: [] }]],
    ['googletag.setConfig', [{ targeting: { section: 'news' } }], []],
    [
      'googletag.setConfig',
      [{ pps }],
      [{ ...signals, entries: ['4:364', '4:6', '6:1', 'LATER:2'].map((entry) => ({ entry })) }],
    ],
    ['googletag.setConfig', [{ pps: null }], [{ ...signals, entries: [] }]],
    [
      'googletag.setConfig',
      [{ pps: {}, targeting: null }],
      [
        { ...key, codes: [] },
        { ...signals, entries: [] },
      ],
    ],
    ['googletag.setConfig', [{ singleRequest: true }], []],
    ['pbjs.setConfig', [{ ortb2: data }], [{ ...ortb2, entries: said }]],
    ['pbjs.mergeConfig', [{ ortb2: {} }], [{ ...ortb2, entries: [] }]],
    ['pbjs.setConfig', [{ debug: true }], []],
    ['pbjs.setBidderConfig', [{ bidders: ['ix'], config: { ortb2: data } }], [{ ...ortb2, entries: said }]],
    ['pbjs.setConfig', [], []],
    ['googletag.setConfig', ['text'], []],
  ])('reads what %s was given: %j', (method, given, writes) => {
    expect(write(method, ...given)).toEqual(writes);
  });

  it.each<[caller: string, by: string]>([
    ['    at show (https://ads.example/a/ads.js?v=2:1200:7)', 'https://ads.example/a/ads.js?v=2, line 1200'],
    ['    at https://ads.example:8443/ads.js:3:1', 'https://ads.example:8443/ads.js, line 3'],
    ['    at async Promise.all (index 0)', ''],
    ['    at https://site.example:8080/front?x=1:15:9', 'the page, line 15'],
    ['    at https://site.example:8080/other.js:15:9', 'https://site.example:8080/other.js, line 15'],
    ['    at n.next (https://cdn.example/w-1-web.js:1:999)', 'the SDK'],
    ['    at https://cdn.example/Hash.w-1-web.deferred.Abc_-1.js:1:999', 'the SDK'],
    ['    at https://cdn.example/w-2-web.js:1:999', 'https://cdn.example/w-2-web.js, line 1'],
    [
      '    at eval (eval at run (https://tags.example/tm.js:4:2), <anonymous>:1:1)',
      'https://tags.example/tm.js, line 4',
    ],
    ['    at <anonymous>:1:1', ''],
    ['', ''],
  ])('knows the script of %j', (caller, by) => {
    expect(byOf(caller)).toBe(by);
  });

  it('takes no script for the SDK where the tag names no workspace', () => {
    const [found] = writesIn([call('pubads.clearTargeting', [], 'at https://a.example/-web.js:1:1')], {
      ...page,
      workspace: '',
    });
    expect(found?.by).toBe('https://a.example/-web.js, line 1');
  });

  it.each([undefined, null, 7, [{}], [{ method: 'pbjs.setConfig', given: '[]', at: 1 }], [null, 'x']])(
    'passes over what a page has put in place of the calls: %j',
    (calls) => {
      expect(writesIn(calls, page)).toEqual([]);
    },
  );

  it('passes over what is no JSON, and over calls without a stack', () => {
    expect(writesIn([{ method: 'pbjs.setConfig', given: '{', at: 1, stack: [] }], page)).toEqual([]);
    expect(writesIn([{ method: 'pubads.clearTargeting', given: '[]', at: 1, stack: [] }], page)).toEqual([
      { place: 'key permutive', at: 1, by: '', codes: [] },
    ]);
  });
});

describe('entriesToldIn', () => {
  const writes: readonly Write[] = [
    { place: 'publisher provided signals', at: 1, by: 'the SDK', entries: [{ entry: '4:1' }] },
    {
      place: 'ortb2',
      at: 2,
      by: 'the SDK',
      entries: [
        { entry: '4:2', by: 'site.example' },
        { entry: '4:3', by: 'b' },
      ],
    },
    { place: 'publisher provided signals', at: 3, by: 'the SDK', entries: [{ entry: '4:4' }] },
    { place: 'publisher provided signals', at: 4, by: 'the page, line 1', entries: [{ entry: '4:5' }] },
  ];

  it('has what the SDK has said last, in its own name', () => {
    expect(entriesToldIn(writes, 'google', 'site.example')).toEqual(['4:4']);
    expect(entriesToldIn(writes, 'prebid', 'site.example')).toEqual(['4:2']);
  });

  it('knows nothing where the SDK has said nothing', () => {
    expect(entriesToldIn(writes, 'appnexus', 'site.example')).toBeUndefined();
    expect(entriesToldIn(writes.slice(3), 'google', 'site.example')).toBeUndefined();
  });
});
