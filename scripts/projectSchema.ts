// Writes the JSON Schema of project definitions, `schema.json`, into the folder that is named.
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { projectSchema } from '../project/schema/projectSchema';

const [folder = 'dist'] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
writeFileSync(resolve(folder, 'schema.json'), `${JSON.stringify(projectSchema(), null, 2)}\n`);
