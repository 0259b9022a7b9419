import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { configTable } from '../src/model/config';

const root = fileURLToPath(new URL('..', import.meta.url));
const readme = resolve(root, 'README.md');
const [start, end] = ['<!-- config -->', '<!-- /config -->'];

/** The table of the settings in `src/model/config.ts`; their meanings are the comments there. */
export const configDocs = (): string => {
  const source = readFileSync(resolve(root, 'src/model/config.ts'), 'utf8');
  const meanings = new Map(
    [...source.matchAll(/\/\*\* (.*) \*\/\n {2}(\w+): field/g)].map(([, meaning = '', name = '']) => [name, meaning]),
  );
  const rows = Object.entries(configTable).map(([name, { codec, fallback }]) => {
    const value: unknown =
      typeof fallback === 'function' ? (fallback as (environment: string) => unknown)('production') : fallback;
    return `| \`${name}\` | ${codec.name.replaceAll('|', '\\|')} | ${value === '' ? '' : `\`${JSON.stringify(value)}\``} | ${meanings.get(name) ?? ''} |`;
  });
  return ['| name | type | default | meaning |', '| --- | --- | --- | --- |', ...rows].join('\n');
};

/** The README with the table as it is now. */
export const withConfigDocs = (text: string): string => {
  const [before = '', rest = ''] = text.split(start);
  const [, after = ''] = rest.split(end);
  return `${before}${start}\n${configDocs()}\n${end}${after}`;
};

if (process.argv[1] === fileURLToPath(import.meta.url))
  writeFileSync(readme, withConfigDocs(readFileSync(readme, 'utf8')));
