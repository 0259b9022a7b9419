import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** The addon of the README's example, as an author would copy it. */
export const readmeAddon = (): string => {
  const readme = readFileSync(resolve(__dirname, '../../README.md'), 'utf8');
  const [, code = ''] = /## For addon authors[\s\S]*?```ts\n([\s\S]*?)```/.exec(readme) ?? [];
  return code;
};
