import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { definedCohorts } from '../project/definedCohorts';
import { loadProject } from '../project/loadProject';
import { projectModule, projectTypes } from '../project/projectTypes';
import { command, WrongCall } from './command';
import { definitionFile, loaded, sayFindings } from './support/definition';

/** Writes the types of a project, and beside them the module with the ids of its cohorts. */
export const types = command(
  {
    usage: '[project] [--out FILE.d.ts]',
    summary:
      'Writes types of the project’s cohorts and events, permutive.d.ts, and permutive.js with the ids of cohorts.',
    options: { out: { type: 'string', default: 'permutive.d.ts' } },
    operands: [0, 1],
  },
  async ({ values: { out }, positionals: [given] }, io) => {
    if (!out.endsWith('.d.ts')) throw new WrongCall(`--out ${out}: expected a name that ends with .d.ts`);
    const file = definitionFile(given, io);
    const { project, findings } = await loaded(() => loadProject(file));
    sayFindings(findings, io);
    if (project === undefined) return 1;
    const unnamed = [...Object.keys(project.page.cohortCodes), ...Object.values(project.page.models)];
    const typed = {
      queries: project.definitions,
      cohorts: { ...Object.fromEntries(unnamed.map((id) => [id, {}])), ...definedCohorts(project, true) },
    };
    writeFileSync(resolve(io.cwd, out), projectTypes(typed));
    writeFileSync(resolve(io.cwd, out.replace(/\.d\.ts$/, '.js')), projectModule(typed));
    io.out(`${out}: ${typed.queries.length} queries`);
    return 0;
  },
);
