import { freewheel, localStorage, nativo, rubicon } from '../../../src/addons/storedCodes/storedCodes';
import type { Activation } from '../../../src/model/activation';
import type { Cohorts } from '../../../src/model/cohorts';
import { addonDeps, addonStreams } from '../../support/addonWorld';
import { marble, marbles } from '../../support/marbles';

/** l: the last page's; a, b: own, of one and of two cohorts; n: own, of none. */
const cohorts: Readonly<Record<string, Cohorts>> = {
  l: { members: ['7'], activations: {}, isRealtime: false },
  a: { members: ['7'], activations: {}, isRealtime: true },
  b: { members: ['7', '10000001'], activations: {}, isRealtime: true },
  n: { members: [], activations: {}, isRealtime: true },
};
const codesFor = (platform: string, { members }: Cohorts): string[] => members.map((id) => `${platform}-${id}`);

describe.each([
  [rubicon, '_prubicons', 'rubicon_ssp'],
  [nativo, '_pnativo', 'nativo'],
  [freewheel, '_pfws', 'freewheel'],
])('$name', (addon, key, platform) => {
  marble(
    'stores its platform’s codes as they change, and none of the last page’s',
    ({ hot, flush, expectObservable }) => {
      const deps = addonDeps({ codesFor });
      const cohorts$ = hot('l-a-a-b-n', cohorts);
      expectObservable(addon.run(addonStreams({ cohorts$ }), hot('o'), deps)).toBe('-');
      flush();
      expect(deps.writeKey.mock.calls).toEqual([
        [key, [`${platform}-7`]],
        [key, [`${platform}-7`, `${platform}-10000001`]],
        [key, []],
      ]);
    },
  );

  marble('stores the same codes once more for another user', ({ hot, flush, expectObservable }) => {
    const deps = addonDeps({ codesFor });
    expectObservable(addon.run(addonStreams({ cohorts$: hot('-a-l-a', cohorts) }), hot('o'), deps)).toBe('-');
    flush();
    expect(deps.writeKey.mock.calls).toEqual(Array(2).fill([key, [`${platform}-7`]]));
  });

  marble('stores nothing before it is started', ({ hot, flush, expectObservable }) => {
    const deps = addonDeps({ codesFor });
    expectObservable(addon.run(addonStreams({ cohorts$: hot('a', cohorts) }), hot('-'), deps)).toBe('-');
    flush();
    expect(deps.writeKey).not.toHaveBeenCalled();
  });

  marble('lets go when unsubscribed', ({ hot, expectObservable, expectSubscriptions }) => {
    const cohorts$ = hot('a--', cohorts);
    const unsub = '       ^-!';
    expectObservable(addon.run(addonStreams({ cohorts$ }), hot('o'), addonDeps()), unsub).toBe('-');
    expectSubscriptions(cohorts$.subscriptions).toBe(unsub);
  });
});

describe('local_storage', () => {
  const activation = (id: string, sc: number, storage_key: unknown, changes: Partial<Activation> = {}): Activation => ({
    id,
    short_id: id,
    sc,
    tt: 'EveryTime',
    c: { storage_key },
    ...changes,
  });
  const stored = (activations: readonly Activation[], diagram: string): unknown[] => {
    const deps = addonDeps({
      activations,
      context: () => ({ domain: 'site.example' }),
      codesOf: (ids) => ids.map((id) => (id === '10000001' ? 'abcd' : id)),
    });
    marbles(({ hot, cold, flush, expectObservable }) => {
      expectObservable(localStorage.run(addonStreams({ cohorts$: cold(diagram, cohorts) }), hot('o'), deps)).toBe('-');
      flush();
    })();
    return deps.writeKey.mock.calls;
  };

  it('stores under each key the codes of its activated cohorts, an empty array when there are none', () => {
    const lists = [
      activation('1', 7, 'audience'),
      activation('2', 10000001, 'audience'),
      activation('3', 10000001, '_pindexs'),
    ];
    expect(stored(lists, 'l-a-b-n')).toEqual([
      ['audience', ['7']],
      ['_pindexs', []],
      ['audience', ['7', 'abcd']],
      ['_pindexs', ['abcd']],
      ['audience', []],
      ['_pindexs', []],
    ]);
  });

  it.each([[undefined], [7], [''], ['permutive-id'], ['permutive-consent'], ['_psegs'], ['_pssps']])(
    'writes nothing for the key %p',
    (key) => {
      expect(stored([activation('1', 7, key)], 'a')).toEqual([]);
    },
  );

  it('has no code for an exit, because a list is of the visitor’s present cohorts', () => {
    const lists = [
      activation('1', 7, 'audience', { tt: 'OnEntry' }),
      activation('2', 10000001, 'audience', { tt: 'OnExit' }),
      activation('3', 7, 'gone', { tt: 'OnExit' }),
    ];
    expect(stored(lists, 'b-n')).toEqual([
      ['audience', ['7']],
      ['gone', []],
      ['audience', []],
      ['gone', []],
    ]);
  });

  it('leaves out what does not apply on this page', () => {
    const cc = (value: string) => ({
      operator: 'AND' as const,
      criteria: [{ key: 'domain', comparison: 'EQUALS' as const, value }],
    });
    expect(
      stored(
        [
          activation('1', 7, 'here', { cc: cc('site.example') }),
          activation('2', 7, 'there', { cc: cc('other.example') }),
        ],
        'a',
      ),
    ).toEqual([
      ['here', ['7']],
      ['there', []],
    ]);
  });
});
