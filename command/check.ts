import { dirname } from 'node:path';

import { commonLeafFindings } from '../project/check/commonLeaves';
import type { ProjectFinding } from '../project/check/finding';
import { findingsJson } from '../project/check/findingsJson';
import { exampleFindings, readExamples } from '../project/examples/examples';
import { loadProject } from '../project/loadProject';
import type { BuildProject } from '../project/readProject';
import { hasTools } from './build';
import { command, type Io } from './command';
import { addonFiles, addonOption, readAddons } from './support/addonFiles';
import { definitionFile, loaded, sayFindings } from './support/definition';
import { readVisits } from './support/visits';

/** Says what is wrong with a definition. */
export const check = command(
  {
    usage: '[project] [--json] [--visits FILE] [--addon FILE|PACKAGE]…',
    summary:
      'Checks a project definition, and the examples in the folder beside it. A warning does not fail it. --json: prints the findings as a list. --visits: also warns of what holds for too many page views of a recording or of one event a line. --addon: the definition may name the addons of that file.',
    options: { json: { type: 'boolean', default: false }, visits: { type: 'string' }, addon: addonOption },
    operands: [0, 1],
  },
  async ({ values, positionals }, io) => {
    const file = definitionFile(positionals[0], io);
    if (values.addon.length > 0 && !hasTools(io)) return 2;
    const outside = values.addon.length > 0 ? await readAddons(await addonFiles(values.addon, io)) : undefined;
    const loading = await loaded(() => loadProject(file, Object.keys(outside?.listed ?? {})));
    const { project } = loading;
    if (project !== undefined) outside?.check(project.page);
    const findings = [...loading.findings, ...(project === undefined ? [] : more(project, file, values.visits, io))];
    const isWrong = findings.some(({ severity }) => severity === 'error');
    sayFindings(findings, io);
    if (values.json) io.out(findingsJson(findings));
    else if (project !== undefined && !isWrong)
      io.out(`${project.definitions.length} cohorts, ${findings.length} warnings`);
    return project === undefined || isWrong ? 1 : 0;
  },
);

/** What the examples beside the definition and the visits show. */
const more = (project: BuildProject, file: string, visits: string | undefined, io: Io): readonly ProjectFinding[] => {
  const examples = readExamples(dirname(file), new Set(project.definitions.map(({ id }) => id)));
  return [
    ...examples.findings,
    ...exampleFindings(project, examples),
    ...(visits === undefined
      ? []
      : commonLeafFindings(project.bundle, [...readVisits(visits, io.cwd).values()].flat())),
  ];
};
