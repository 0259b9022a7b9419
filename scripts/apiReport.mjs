// The public surface of the package, one file for each entry in `api`: all that its types declare, without comments.
// A change of it shows in the diff of a commit. `npm run api-report` writes the files from the build, and `npm run
// surface` fails where they are not as the build has them.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

import { packageEntries } from './packageEntries.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The report of one entry, from its types. */
const reportOf = (path, types) => {
  const source = ts.createSourceFile('types.d.ts', types, ts.ScriptTarget.Latest);
  const declarations = ts.createPrinter({ removeComments: true }).printFile(source).trim();
  return `# permutive-web-sdk${path.slice(1)}\n\n\`\`\`ts\n${declarations}\n\`\`\`\n`;
};

/** By the files of `api`, what they have to contain after this build. */
const apiReports = () =>
  Object.fromEntries(
    Object.entries(packageEntries).map(([path, { name }]) => [
      `${name}.api.md`,
      reportOf(path, readFileSync(resolve(root, `dist/types/${name}.d.mts`), 'utf8')),
    ]),
  );

const folder = resolve(root, 'api');
if (process.argv.includes('--write')) {
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(apiReports())) writeFileSync(resolve(folder, file), text);
}
if (process.argv.includes('--check')) {
  const reports = apiReports();
  const kept = readdirSync(folder);
  const textOf = (file) => (kept.includes(file) ? readFileSync(resolve(folder, file), 'utf8') : undefined);
  for (const file of new Set([...kept, ...Object.keys(reports)])) {
    if (textOf(file) === reports[file]) continue;
    console.log(`api/${file} is not what the build exports: \`npm run api-report\` writes it`);
    process.exitCode = 1;
  }
}
