import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { visitFiles, visitKinds } from '../bundle/visitFiles';
import { consentRecipes, consentScript } from '../command/init/consentRecipes';
import { configTable } from '../src/model/config';
import { databases, localKeys, partnerKeys, sessionKeys, storeKeys } from '../src/model/storageKeys';
import { withCosts } from './cookbook';
import { languageTables } from './languageReference';
import { openApi } from './openApi';
import { siteOf } from './site/site';
import { declarations } from './storedData';
import { visitLimits } from './visitLimits';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The comments above the lines of a table in a source file, by what the pattern of a line captures. */
const commentsAbove = (source: string, line: RegExp): ReadonlyMap<string, string> =>
  new Map(
    [...source.matchAll(new RegExp(`/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\n {2}${line.source}`, 'g'))].map(
      ([, comment = '', name = '']) => [name, comment.replace(/\n\s*\* ?/g, ' ').trim()],
    ),
  );

/**
 * The table of settings, from `src/model/config.ts`: names, types and defaults from the code, meanings from its
 * comments.
 */
const configDocs = (): string => {
  const source = readFileSync(resolve(root, 'src/model/config.ts'), 'utf8');
  const meanings = commentsAbove(source, /(\w+): field/);
  const rows = Object.entries(configTable).map(([name, { codec, fallback }]) => {
    const value: unknown =
      typeof fallback === 'function' ? (fallback as (environment: string) => unknown)('production') : fallback;
    return `| \`${name}\` | ${codec(undefined)[0]?.expected.replaceAll('|', '\\|')} | ${value === '' ? '' : `\`${JSON.stringify(value)}\``} | ${meanings.get(name) ?? ''} |`;
  });
  return ['| name | type | default | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
};

/**
 * The tables of stored names, from `src/model/storageKeys.ts`: where they are kept, by the table that they stand in.
 */
const storageTables: readonly (readonly [where: string, names: Readonly<Record<string, string>>])[] = [
  ['local storage', localKeys],
  ['local storage, for partners', partnerKeys],
  ['session storage', sessionKeys],
  ['the encrypted store; local storage without IndexedDB', storeKeys],
  ['IndexedDB', databases],
];

/** Every name under which the SDK keeps something, from the code, with its meaning from the comment above it. */
const storageDocs = (): string => {
  const source = readFileSync(resolve(root, 'src/model/storageKeys.ts'), 'utf8');
  const meanings = commentsAbove(source, /\w+: '(.*)',/);
  const rows = storageTables.flatMap(([where, keys]) =>
    Object.entries(keys).map(([name, key]) => {
      const { purpose, lifeTime, basis } = declarations[name as keyof typeof declarations];
      return `| \`${key}\` | ${where} | ${meanings.get(key) ?? ''} | ${purpose} | ${lifeTime} | ${basis} |`;
    }),
  );
  const head = ['name', 'where', 'what', 'purpose', 'life time', 'legal basis'];
  return [`| ${head.join(' | ')} |`, `|${' --- |'.repeat(head.length)}`, ...rows].join('\n');
};

/** The table of what each kind of visit may load at most, in kB of 1,000 bytes. */
const visitDocs = (): string => {
  const kB = (bytes: number): string => (bytes / 1000).toFixed(1);
  const rows = visitKinds.map((visit) => {
    const { when, parts } = visitFiles[visit];
    const { gzip, brotli } = visitLimits[visit];
    return `| ${when} | ${parts.length} | ${kB(gzip)} | ${kB(brotli)} |`;
  });
  return ['| | files | kB, gzip | kB, Brotli |', '| --- | --- | --- | --- |', ...rows].join('\n');
};

/** A text with what stands between the marks `<!-- name -->` and `<!-- /name -->` replaced. */
const withPart = (text: string, name: string, part: string): string => {
  const [start, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [before = '', rest = ''] = text.split(start);
  const [, after = ''] = rest.split(end);
  return `${before}${start}\n${part}\n${end}${after}`;
};

/** A part of a page that is made from the code, by the mark around it. */
interface Part {
  readonly name: string;
  readonly text: () => string;
}

/** The script of each consent platform, as `init` writes it. */
const recipeParts: readonly Part[] = Object.entries(consentRecipes).map(([name, recipe]) => ({
  name,
  text: () => `\n\`\`\`html\n${consentScript(recipe)}\`\`\`\n`,
}));

/** Pages with parts that are made from the code. */
export const partPages: Readonly<Record<string, readonly Part[]>> = {
  'README.md': [{ name: 'visits', text: visitDocs }],
  'docs/configuration.md': [{ name: 'config', text: configDocs }],
  'docs/consent-platforms.md': recipeParts,
  'docs/privacy.md': [{ name: 'storage', text: storageDocs }],
  'docs/query-language.md': languageTables,
};

/** The text of a page with such parts as they are now. */
export const withParts = (page: string, text: string): string =>
  (partPages[page] ?? []).reduce((written, { name, text: part }) => withPart(written, name, part()), text);

/** The text of docs/collector.openapi.json as it is now. */
export const collectorText = (): string => `${JSON.stringify(openApi(), null, 2)}\n`;

/** Those parts of the pages, the collector's format, and the whole documentation as one file that needs no other. */
const writeDocs = (): void => {
  const rewrite = (page: string, change: (text: string) => string): void =>
    writeFileSync(resolve(root, page), change(readFileSync(resolve(root, page), 'utf8')));
  for (const page of Object.keys(partPages)) rewrite(page, (text) => withParts(page, text));
  rewrite('docs/cookbook.md', (text) => withCosts(text, process.argv.includes('--measure')));
  writeFileSync(resolve(root, 'docs/collector.openapi.json'), collectorText());
  const folder = resolve(root, 'build/docs');
  mkdirSync(folder, { recursive: true });
  writeFileSync(resolve(folder, 'index.html'), siteOf(root, { settings: configDocs(), storage: storageDocs() }));
  console.log(`Written: ${resolve(folder, 'index.html')}`);
};

if (process.argv[1] === fileURLToPath(import.meta.url)) writeDocs();
