import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Context } from 'hono';

/** Where `build.ts` puts the playground. */
export const playgroundFolder = resolve(import.meta.dirname, '../../build/playground');

const contentTypes: Readonly<Record<string, string>> = {
  'index.html': 'text/html',
  'palette.css': 'text/css',
  'playground.css': 'text/css',
  'timeline.css': 'text/css',
  'playground.js': 'text/javascript',
  'engine.mjs': 'text/javascript',
};

/** Answers with the file of the playground that the last part of the path names; without a name, with its page. */
export const playgroundFile = (c: Context): Response => {
  const name = c.req.path.split('/').at(-1) || 'index.html';
  const file = resolve(playgroundFolder, name);
  const type = Object.hasOwn(contentTypes, name) ? contentTypes[name] : undefined;
  return type !== undefined && existsSync(file)
    ? c.body(readFileSync(file, 'utf8'), 200, {
        'Content-Type': `${type}; charset=utf-8`,
        'Cache-Control': 'no-cache',
      })
    : c.text('Not found', 404);
};
