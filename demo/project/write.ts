import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { project } from './project';

const defaultFile = fileURLToPath(new URL('../../build/project.json', import.meta.url));

/** Writes the sample project's definition as JSON, which a build reads. Returns the file's path. */
export const writeSampleProject = (file = defaultFile): string => {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(project, null, 2)}\n`);
  return file;
};
