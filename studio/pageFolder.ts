import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

/** Where `build.ts` puts the page in this repository. */
export const builtPage = resolve(import.meta.dirname, '../build/studio');

/** The folder of the page's files: beside the command where the package is installed, else in this repository. */
export const pageFolder = (): string =>
  ['../studio/page', 'studio/page']
    .map((path) => resolve(import.meta.dirname, path))
    .find((folder) => existsSync(resolve(folder, 'page.js'))) ?? builtPage;
