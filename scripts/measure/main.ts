import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { figuresOf } from './figures';
import { measureSource } from './measureSource';

// Prints how readable the sources are, as numbers: `npm run measure`. Lint holds the limits; this shows where we stand.

const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = readdirSync(resolve(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file.replaceAll('\\', '/')}`)
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
  .sort()
  .map((file) => measureSource(file, readFileSync(resolve(root, file), 'utf8')));

for (const [title, value] of figuresOf(sources)) console.log(`${title.padEnd(30)}${value}`);
