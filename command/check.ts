import { findingsJson } from '../project/check/findingsJson';
import { loadProject } from '../project/loadProject';
import { command } from './command';
import { definitionFile, loaded, sayFindings } from './support/definition';

/** Says what is wrong with a definition. */
export const check = command(
  {
    usage: '[project] [--json]',
    summary: 'Checks a project definition. A warning does not fail it. --json: prints the findings as a list.',
    options: { json: { type: 'boolean', default: false } },
    operands: [0, 1],
  },
  async ({ values, positionals }, io) => {
    const file = definitionFile(positionals[0], io);
    const { project, findings } = await loaded(() => loadProject(file));
    sayFindings(findings, io);
    if (values.json) io.out(findingsJson(findings));
    else if (project !== undefined) io.out(`${project.definitions.length} cohorts, ${findings.length} warnings`);
    return project === undefined ? 1 : 0;
  },
);
