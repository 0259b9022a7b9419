import { taxonomyTableOf } from '../src/addons/adServer/taxonomies';
import type { Definition } from '../src/engine/language/language';
import { changedParts } from './changedParts';
import type { BuildProject } from './readProject';
import { publishedName, type TaxonomyEntry } from './taxonomies/published';

/** What has happened to one cohort, or to one line of activations, codes and entries of taxonomies. */
export interface Difference {
  readonly what: 'added' | 'removed' | 'meaning' | 'renamed' | 'activation added' | 'activation removed';
  /** Id of the cohort. */
  readonly cohort: string;
  /** The cohort's name, the activation, code or entry, or the parts of the condition that have changed. */
  readonly detail: string;
}

interface Meant {
  readonly name: string;
  /** The same for the same meaning. */
  readonly checksum: string;
  readonly condition: Pick<Definition, 'q' | 'sub'>;
}

const meanings = ({ bundle, definitions }: BuildProject): ReadonlyMap<string, Meant> => {
  const written = new Map(definitions.map((definition) => [definition.id, definition]));
  return new Map(
    bundle.queries.map((query) => {
      const { name = '', q, sub } = written.get(query.id) ?? query;
      return [query.id, { name, checksum: query.checksum ?? '', condition: { q, ...(sub && { sub }) } }];
    }),
  );
};

/** Such as `entry 4:268, Interest > Business and Finance`. */
const entryText = (entry: TaxonomyEntry): string => {
  const name = publishedName(entry);
  return `entry ${entry.segtax}:${entry.id}${name === undefined ? '' : `, ${name}`}`;
};

/** Everything by which a platform or a buyer hears of a cohort, by a text that names it, with the cohort. */
const deliveries = ({ page, definitions }: BuildProject): ReadonlyMap<string, string> =>
  new Map<string, string>([
    ...definitions.flatMap(({ id, activations = {} }) =>
      Object.entries(activations).map(([platform, { trigger }]) => [`${id}: ${platform} ${trigger}`, id] as const),
    ),
    ...Object.entries(page.activations).flatMap(([addon, list]) =>
      list.map(({ id, sc, tt }) => [`${sc}: ${addon} ${tt} by activation ${id}`, String(sc)] as const),
    ),
    ...Object.entries(page.platformCohorts).flatMap(([platform, cohorts]) =>
      cohorts.map((cohort) => [`${cohort}: ${platform} by platformCohorts`, String(cohort)] as const),
    ),
    ...Object.entries(page.cohortCodes).map(([cohort, code]) => [`${cohort}: code ${code}`, cohort] as const),
    ...Object.entries(taxonomyTableOf(page.addons['prebid_data'] ?? {})).flatMap(([segtax, entries]) =>
      Object.entries(entries).flatMap(([cohort, ids]) =>
        ids.map((id) => [`${cohort}: ${entryText({ segtax: Number(segtax), id })}`, cohort] as const),
      ),
    ),
  ]);

/** What a definition changes of the one before it, cohort by cohort. Another way to write a condition is no change. */
export const differencesOf = (before: BuildProject, after: BuildProject): readonly Difference[] => {
  const [old, present] = [meanings(before), meanings(after)];
  const [heard, hears] = [deliveries(before), deliveries(after)];
  const withoutId = (text: string): string => text.slice(text.indexOf(': ') + 2);
  const missing = (from: ReadonlyMap<string, string>, inn: ReadonlyMap<string, string>) =>
    [...from].filter(([text]) => !inn.has(text));
  return [
    ...[...present].flatMap(([cohort, { name, checksum, condition }]): readonly Difference[] => {
      const known = old.get(cohort);
      if (known === undefined) return [{ what: 'added', cohort, detail: name }];
      return [
        ...(known.checksum === checksum
          ? []
          : [{ what: 'meaning' as const, cohort, detail: changedParts(known.condition, condition) }]),
        ...(known.name === name ? [] : [{ what: 'renamed' as const, cohort, detail: `${known.name} → ${name}` }]),
      ];
    }),
    ...[...old].flatMap(([cohort, { name }]): readonly Difference[] =>
      present.has(cohort) ? [] : [{ what: 'removed', cohort, detail: name }],
    ),
    ...missing(hears, heard).map(([text, cohort]) => ({
      what: 'activation added' as const,
      cohort,
      detail: withoutId(text),
    })),
    ...missing(heard, hears).map(([text, cohort]) => ({
      what: 'activation removed' as const,
      cohort,
      detail: withoutId(text),
    })),
  ];
};
