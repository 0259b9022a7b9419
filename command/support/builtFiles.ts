import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { allDefinitions } from '../../bundle/publishedBundle';
import type { PublishedBundle } from '../../src/engine/language/canonicalLanguage';
import type { Definition } from '../../src/engine/language/language';
import { WrongCall } from '../command';

/** The scripts, data and head of the projects that were built into a folder. */
export const builtFiles = (folder: string, named: string): readonly string[] => {
  const files = existsSync(folder) ? readdirSync(folder).filter(isBuilt) : [];
  if (files.length === 0) throw new WrongCall(`${named} has no build of a project`);
  return files.sort();
};

const isBuilt = (file: string): boolean =>
  (file.includes('-web.') && /\.js(?:on)?$/.test(file)) || /-(?:companion\.js|head\.html)$/.test(file);

/** The definitions that a built file of queries has, which sets one name to JSON. */
export const builtQueries = (file: string): readonly Definition[] => {
  const [, text] = /^self\.permutiveQueries=(.*)$/s.exec(readFileSync(file, 'utf8')) ?? [];
  if (text === undefined) throw new Error(`${file} has no queries`);
  const { bundle } = JSON.parse(text) as { readonly bundle: PublishedBundle };
  return allDefinitions(bundle);
};

/** The file of the queries among the files of a build. */
export const queriesFile = (folder: string, files: readonly string[]): string | undefined => {
  const file = files.find((name) => name.includes('-web.worker.queries.'));
  return file && resolve(folder, file);
};
