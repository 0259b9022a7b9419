// What versions of Prebid's module `permutive` write into bid requests, read from their public documentation.
import type { CohortStore } from '../../src/cohorts/cohortStore';

/** Places of a bid request where cohorts go. The module writes each of the first three in several forms. */
export const places = ['permutive.com', 'p_standard_aud', 'permutive'] as const;
/** By bidder, and by place, the ids in their order. */
export type Placed = Readonly<Record<string, Readonly<Record<(typeof places)[number], readonly string[]>>>>;

/** A place takes this many ids. */
export const maxSegs = 500;

/** Where the ids of a category go. */
const placement: Readonly<Record<string, readonly (typeof places)[number][]>> = {
  standard: ['permutive.com'],
  dcr: ['permutive.com'],
  curated: ['permutive.com', 'p_standard_aud'],
  clm: ['permutive'],
  custom: ['permutive'],
};

/** What the next module writes from `_pcohorts`. An id without a category is left out. */
export const placedByNext = ({ categories, activations }: CohortStore): Placed =>
  Object.fromEntries(
    Object.entries(activations.ortb2).map(([bidder, ids]) => {
      const idsAt = (place: (typeof places)[number]): readonly string[] => {
        const wanted = Object.entries(categories).filter(([category]) => placement[category]?.includes(place));
        // The module goes through the categories in the order in which the bidder's list has them.
        const groups = new Map<string, string[]>();
        for (const id of ids) {
          const [category] = wanted.find(([, members]) => members.includes(id)) ?? [];
          if (category !== undefined) groups.set(category, [...(groups.get(category) ?? []), id]);
        }
        return [...new Set([...groups.values()].flat())].slice(0, maxSegs);
      };
      return [bidder, placedAt(idsAt)];
    }),
  );

/** The keys that Prebid 11.36 reads. */
export interface OldKeys {
  readonly _psegs: readonly number[];
  readonly _pcrprs: readonly string[];
  readonly _ppam: readonly string[];
  readonly _pssps: { readonly ssps: readonly string[]; readonly cohorts: readonly string[] };
  readonly _papns: readonly string[];
  readonly _prubicons: readonly string[];
  readonly _pindexs: readonly string[];
  readonly _pdfps: readonly string[];
  readonly 'permutive-prebid-rtd': {
    readonly acBidders: readonly string[];
    readonly bidders?: Readonly<Record<string, { readonly customCohorts?: { source: string; key: string } }>>;
  };
}

/** What the module of Prebid 11.36 writes from the keys of before, for each bidder that it gives anything. */
export const placedBy11 = (keys: OldKeys): Placed => {
  const { acBidders, bidders = {} } = keys['permutive-prebid-rtd'];
  const { ssps, cohorts } = keys._pssps;
  const ac = [...keys._pcrprs, ...keys._ppam, ...keys._psegs.filter((id) => id >= 1_000_000).map(String)];
  const own: Readonly<Record<string, readonly string[]>> = {
    appnexus: keys._papns,
    rubicon: keys._prubicons,
    ix: keys._pindexs,
    gam: keys._pdfps,
  };
  const named = [...new Set([...acBidders, ...ssps, ...Object.keys(bidders)])];
  return Object.fromEntries(
    named.map((bidder) => {
      const key = bidders[bidder]?.customCohorts?.key;
      const standard = acBidders.includes(bidder) ? ac.slice(0, maxSegs) : [];
      const audience = cohorts.slice(0, maxSegs);
      const byPlace = {
        'permutive.com': ssps.includes(bidder) ? [...standard, ...audience] : standard,
        p_standard_aud: audience,
        permutive: key === undefined ? (own[bidder] ?? []) : codesAt(keys, key),
      };
      return [bidder, placedAt((place) => [...new Set(byPlace[place])].slice(0, maxSegs))];
    }),
  );
};

/** What a bidder gets that is given nothing. */
export const nothingPlaced = (): Placed[string] => placedAt(() => []);

const codesAt = (keys: OldKeys, key: string): readonly string[] =>
  (Object.entries(keys).find(([name]) => name === key)?.[1] ?? []) as readonly string[];

const placedAt = (idsAt: (place: (typeof places)[number]) => readonly string[]): Placed[string] =>
  Object.fromEntries(places.map((place) => [place, idsAt(place)])) as unknown as Placed[string];
