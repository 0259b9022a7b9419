import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const root = resolve(__dirname, '../..');

/** The text of README.md and of all reference pages in `docs`, one after the other. */
export const publicPages = (): string => {
  const pages = readdirSync(resolve(root, 'docs')).filter((file) => file.endsWith('.md'));
  return ['README.md', ...pages.map((page) => `docs/${page}`)]
    .map((page) => readFileSync(resolve(root, page), 'utf8'))
    .join('\n');
};
