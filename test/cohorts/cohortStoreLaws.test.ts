import * as fc from 'fast-check';

import { cohortStoreOf } from '../../src/cohorts/cohortStore';
import { lawOf } from '../support/laws';
import { maxSegs, nothingPlaced, type OldKeys, placedBy11, placedByNext, places } from '../support/prebidModules';

const codes = (prefix: string): fc.Arbitrary<string[]> =>
  fc.uniqueArray(fc.nat(30), { maxLength: 8 }).map((numbers) => numbers.map((number) => `${prefix}${number}`));
const bidder = fc.constantFrom('appnexus', 'rubicon', 'ix', 'msft', 'openx', 'pubmatic', 'gam', 'other');
const bidders = fc.uniqueArray(bidder, { maxLength: 5 });

/** Keys as services and addons write them. `prefixes`: of the codes of each list; the same prefix: lists may share. */
const keysWith = (prefixes: Readonly<Record<'room' | 'sold' | 'ssp' | 'own', string>>): fc.Arbitrary<OldKeys> =>
  fc.record({
    _psegs: fc.uniqueArray(fc.oneof(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 999_990, max: 1_000_030 })), {
      maxLength: 12,
    }),
    _pcrprs: codes(prefixes.room),
    _ppam: codes(prefixes.sold),
    _pssps: fc.record({ ssps: bidders, cohorts: codes(prefixes.ssp) }),
    _papns: codes(prefixes.own),
    _prubicons: codes(prefixes.own),
    _pindexs: codes(prefixes.own),
    _pdfps: codes(prefixes.own),
    'permutive-prebid-rtd': fc.record(
      {
        acBidders: bidders,
        bidders: fc.dictionary(
          bidder,
          fc.record({
            customCohorts: fc.record({
              source: fc.constant('ls'),
              key: fc.constantFrom('_papns', '_prubicons', '_pindexs', '_pdfps'),
            }),
          }),
        ),
      },
      { requiredKeys: ['acBidders'] },
    ),
  });
const apart = keysWith({ room: 'r', sold: 's', ssp: 'p', own: 'c' });
const shared = keysWith({ room: '', sold: '', ssp: '', own: '' });
const numbers = fc.uniqueArray(fc.nat(30).map(String), { maxLength: 5 });

const storeOf = (keys: OldKeys, modelCodes: readonly string[] = []) =>
  cohortStoreOf((key) => (keys as unknown as Readonly<Record<string, unknown>>)[key] ?? null, modelCodes);
/** As the module is told: `msft` takes the codes of AppNexus, where nothing else is said. */
const before11 = (keys: OldKeys): ReturnType<typeof placedBy11> => {
  const config = keys['permutive-prebid-rtd'];
  const msft = { customCohorts: { source: 'ls', key: '_papns' } };
  return placedBy11({ ...keys, 'permutive-prebid-rtd': { ...config, bidders: { msft, ...config.bidders } } });
};
const law = lawOf(2000);

describe('The store of Prebid’s next module', () => {
  it(
    'has each id in one category, and each id of a list in a category',
    law(shared, numbers, (keys, models) => {
      const { categories, activations } = storeOf(keys, models);
      const ids = Object.values(categories).flat();
      expect(ids).toHaveLength(new Set(ids).size);
      expect(Object.values(activations.ortb2).flatMap((list) => list.filter((id) => !ids.includes(id)))).toEqual([]);
    }),
  );

  it(
    'says for each bidder and place what Prebid 11.36 writes from the keys of before',
    law(apart, (keys) => {
      const next = placedByNext(storeOf(keys));
      for (const [name, placed] of Object.entries(before11(keys))) {
        // Only bidders that get the codes of supply-side partners are told the audience.
        const audience = keys._pssps.ssps.includes(name) ? placed.p_standard_aud : [];
        expect({ name, ...(next[name] ?? nothingPlaced()) }).toEqual({ name, ...placed, p_standard_aud: audience });
      }
    }),
  );

  it(
    'gives each bidder the same ids where one id is of several kinds, each in one place',
    law(shared, (keys) => {
      const next = placedByNext(storeOf(keys));
      for (const [name, placed] of Object.entries(before11(keys))) {
        const { 'permutive.com': standard, permutive } = next[name] ?? nothingPlaced();
        const given = [...placed['permutive.com'], ...placed.permutive];
        expect([...standard, ...permutive].sort()).toEqual([...new Set(given)].sort());
      }
    }),
  );

  it('gives a place the same first 500 ids', () => {
    const many = (prefix: string, count: number): readonly string[] =>
      Array.from({ length: count }, (_, i) => `${prefix}${i}`);
    const keys: OldKeys = {
      _psegs: Array.from({ length: 300 }, (_, i) => 1_000_000 + i),
      _pcrprs: many('r', 150),
      _ppam: many('s', 100),
      _pssps: { ssps: ['ix'], cohorts: many('p', 600) },
      _papns: many('c', 501),
      _prubicons: many('c', 499),
      _pindexs: many('c', maxSegs),
      _pdfps: [],
      'permutive-prebid-rtd': { acBidders: ['appnexus', 'ix', 'rubicon'] },
    };
    const [before, next] = [before11(keys), placedByNext(storeOf(keys))];
    for (const name of ['appnexus', 'ix', 'rubicon'])
      for (const place of places)
        if (place !== 'p_standard_aud' || name === 'ix') expect(next[name]![place]).toEqual(before[name]![place]);
    expect(next['appnexus']!['permutive.com']).toHaveLength(500);
  });
});
