import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { brokenLimits } from './brokenLimits';
import { figuresOf } from './figures';
import { measureSource } from './measureSource';

// Prints how readable the sources are, as numbers: `npm run measure`. With `--check`, prints the limits that are
// broken, and exits 1 where there are any.

const root = fileURLToPath(new URL('../..', import.meta.url));
const sources = readdirSync(resolve(root, 'src'), { recursive: true, encoding: 'utf8' })
  .map((file) => `src/${file.replaceAll('\\', '/')}`)
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
  .sort()
  .map((file) => measureSource(file, readFileSync(resolve(root, file), 'utf8')));

if (process.argv.includes('--check')) {
  const broken = brokenLimits(sources);
  for (const sentence of broken) console.log(sentence);
  process.exitCode = broken.length > 0 ? 1 : 0;
} else for (const [title, value] of figuresOf(sources)) console.log(`${title.padEnd(30)}${value}`);
