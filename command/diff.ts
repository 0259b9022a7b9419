import { loadProject } from '../project/loadProject';
import type { BuildProject } from '../project/readProject';
import { command } from './command';
import { definitionFile, loaded, sayFindings } from './support/definition';
import { memberCounts, readVisits, type Visits } from './support/visits';

/** What has happened to one cohort, or to one line of activations and codes. */
interface Difference {
  readonly what: 'added' | 'removed' | 'meaning' | 'renamed' | 'activation added' | 'activation removed' | 'members';
  /** Id of the cohort. */
  readonly cohort: string;
  /** The cohort's name, the activation, or both numbers of members. */
  readonly detail: string;
}

interface Meant {
  readonly name: string;
  /** The same for the same meaning. */
  readonly checksum: string;
}

const meanings = ({ bundle, definitions }: BuildProject): ReadonlyMap<string, Meant> => {
  const names = new Map(definitions.map(({ id, name = '' }) => [id, name]));
  return new Map(bundle.queries.map(({ id, checksum = '' }) => [id, { name: names.get(id) ?? '', checksum }]));
};

/** Everything by which a platform hears of a cohort, by a text that names it, with the cohort. */
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
  ]);

const changesOf = (before: BuildProject, after: BuildProject): readonly Difference[] => {
  const [old, present] = [meanings(before), meanings(after)];
  const [heard, hears] = [deliveries(before), deliveries(after)];
  const withoutId = (text: string): string => text.slice(text.indexOf(': ') + 2);
  const missing = (from: ReadonlyMap<string, string>, inn: ReadonlyMap<string, string>) =>
    [...from].filter(([text]) => !inn.has(text));
  return [
    ...[...present].flatMap(([cohort, { name, checksum }]): readonly Difference[] => {
      const known = old.get(cohort);
      if (known === undefined) return [{ what: 'added', cohort, detail: name }];
      return [
        ...(known.checksum === checksum
          ? []
          : [{ what: 'meaning' as const, cohort, detail: `${known.checksum} → ${checksum}` }]),
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

/** Cohorts that have other members after the same visits. */
const memberChanges = (visits: Visits, before: BuildProject, after: BuildProject): readonly Difference[] => {
  const [old, present] = [before, after].map(({ bundle }) => memberCounts(visits, bundle));
  return [...new Set([...old!.keys(), ...present!.keys()])].flatMap((id) => {
    const [was, is] = [old!.get(id) ?? 0, present!.get(id) ?? 0];
    return was === is ? [] : [{ what: 'members', cohort: id, detail: `${was} → ${is} of ${visits.size} visitors` }];
  });
};

/** Says what a new definition changes. */
export const diff = command(
  {
    usage: 'A B [--visits FILE] [--json]',
    summary:
      'Says what definition B changes of A, cohort by cohort. --visits: also members, after the visits of a recording or of one event a line.',
    options: { visits: { type: 'string' }, json: { type: 'boolean', default: false } },
    operands: [2, 2],
  },
  async ({ values, positionals }, io) => {
    const files = positionals.map((given) => definitionFile(given, io));
    const projects: BuildProject[] = [];
    for (const file of files) {
      const { project, findings } = await loaded(() => loadProject(file));
      if (project === undefined) {
        io.err(`${file} is wrong:`);
        sayFindings(findings, io);
        return 1;
      }
      projects.push(project);
    }
    const [before, after] = projects as [BuildProject, BuildProject];
    const found = [
      ...changesOf(before, after),
      ...(values.visits === undefined ? [] : memberChanges(readVisits(values.visits, io.cwd), before, after)),
    ];
    if (values.json) io.out(JSON.stringify(found, null, 2));
    else if (found.length === 0) io.out('No cohort and no activation is different');
    else for (const { what, cohort, detail } of found) io.out(`${cohort}: ${what}${detail && ` (${detail})`}`);
    return 0;
  },
);
