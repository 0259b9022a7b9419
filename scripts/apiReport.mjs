// The public surface of the package, one file for each entry in `api`, and one of what several entries have: all that
// their types declare, without comments. A change of it shows in the diff of a commit. `npm run api-report` writes the
// files from the build, and `npm run surface` fails where they are not as the build has them.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

import { packageEntries } from './packageEntries.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The declarations of one entry, from its types: each without comments and `export`, and whether it is exported. */
const declarationsOf = (types) => {
  const source = ts.createSourceFile('types.d.ts', types, ts.ScriptTarget.Latest);
  const printer = ts.createPrinter({ removeComments: true });
  return source.statements.map((statement) => {
    const text = printer.printNode(ts.EmitHint.Unspecified, statement, source);
    const name = (statement.name ?? statement.declarationList?.declarations[0].name)?.text;
    const isExported = name !== undefined && text.startsWith('export ');
    return { name, isExported, text: isExported ? text.slice('export '.length) : text };
  });
};

const fileOf = (title, lines) => `# ${title}\n\n\`\`\`ts\n${lines.join('\n')}\n\`\`\`\n`;

/**
 * By the files of `api`, what they have to contain after this build. A declaration that several entries have stands in
 * `shared.api.md` alone, so that one change is one change there; the entries that export it name it.
 */
const apiReports = () => {
  const entries = Object.entries(packageEntries).map(([path, { name }]) => ({
    title: `permutive-web-sdk${path.slice(1)}`,
    file: `${name}.api.md`,
    declarations: declarationsOf(readFileSync(resolve(root, `dist/types/${name}.d.mts`), 'utf8')),
  }));
  const texts = entries.flatMap(({ declarations }) => [...new Set(declarations.map(({ text }) => text))]);
  const isShared = ({ name, text }) => name !== undefined && texts.indexOf(text) !== texts.lastIndexOf(text);
  const linesOf = (declarations) => {
    const named = declarations.filter((one) => isShared(one) && one.isExported).map(({ name }) => `    ${name},`);
    return [
      ...(named.length > 0 ? ['export {', ...named.sort(), "} from './shared';"] : []),
      ...declarations
        .filter((one) => !isShared(one))
        .map(({ isExported, text }) => (isExported ? `export ${text}` : text)),
    ];
  };
  const shared = new Set(entries.flatMap(({ declarations }) => declarations.filter(isShared).map(({ text }) => text)));
  return {
    ...Object.fromEntries(entries.map(({ title, file, declarations }) => [file, fileOf(title, linesOf(declarations))])),
    'shared.api.md': fileOf('Declarations of several entries', [...shared]),
  };
};

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
