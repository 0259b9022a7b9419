import { type Difference as CohortDifference, differencesOf } from '../project/differences';
import { loadProject } from '../project/loadProject';
import type { BuildProject } from '../project/readProject';
import { memberCounts, type Visits } from '../project/visits/visits';
import { command } from './command';
import { definitionFile, loaded, sayFindings } from './support/definition';
import { readVisits } from './support/visits';

/** What has happened to one cohort, or how many are in it. */
type Difference = CohortDifference | (Omit<CohortDifference, 'what'> & { readonly what: 'members' });

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
      ...differencesOf(before, after),
      ...(values.visits === undefined ? [] : memberChanges(readVisits(values.visits, io.cwd), before, after)),
    ];
    if (values.json) io.out(JSON.stringify(found, null, 2));
    else if (found.length === 0) io.out('No cohort and no activation is different');
    else for (const { what, cohort, detail } of found) io.out(`${cohort}: ${what}${detail && ` (${detail})`}`);
    return 0;
  },
);
