import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { writeSampleProject } from '../demo/project/write';
import { definedCohorts } from '../project/definedCohorts';
import { projectModule, projectTypes } from '../project/projectTypes';
import { readProject } from '../project/readProject';

// `npm run types -- --env project=PATH [--env out=FILE]`: writes the types of a project, `permutive.d.ts`, and beside
// it the module with the ids of its cohorts, `permutive.js`. Without a path it is the sample project. A definition
// that does not decode is refused with each wrong path, as by the build.

const { values } = parseArgs({ options: { env: { type: 'string', multiple: true, default: [] } } });
const given = Object.fromEntries(
  values.env.map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), pair.slice(at + 1)];
  }),
);
const { project, out = 'permutive.d.ts' } = given;
if (!out.endsWith('.d.ts')) throw new Error(`--env out=${out}: expected a name that ends with .d.ts`);

const built = readProject(project === undefined ? writeSampleProject() : resolve(project));
const unnamed = [...Object.keys(built.page.cohortCodes), ...Object.values(built.page.models)];
const typed = {
  queries: built.definitions,
  cohorts: { ...Object.fromEntries(unnamed.map((id) => [id, {}])), ...definedCohorts(built, true) },
};
writeFileSync(out, projectTypes(typed));
writeFileSync(out.replace(/\.d\.ts$/, '.js'), projectModule(typed));
console.log(`${out}: ${typed.queries.length} queries`);
