import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { project } from './project';

writeFileSync(fileURLToPath(new URL('project.json', import.meta.url)), `${JSON.stringify(project, null, 2)}\n`);
