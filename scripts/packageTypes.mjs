// Writes the types of each package entry into `types` of the folder that is named, one file each. A file has all that
// it refers to, so that it is read in the same way under every module resolution.
import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { generateDtsBundle } from 'dts-bundle-generator';

import { packageEntries } from './packageEntries.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = resolve(process.argv[2], 'types');

const entries = Object.values(packageEntries);
const texts = generateDtsBundle(
  entries.map(({ source, hasGlobals = false }) => ({
    filePath: resolve(root, source),
    // `npm run typecheck` checks the sources.
    failOnClass: false,
    output: { exportReferencedTypes: false, inlineDeclareGlobals: hasGlobals, noBanner: true },
  })),
  { preferredConfigPath: resolve(root, 'tsconfig.types.json') },
);
mkdirSync(folder, { recursive: true });
entries.forEach(({ name }, i) => writeFileSync(resolve(folder, `${name}.d.mts`), texts[i]));
