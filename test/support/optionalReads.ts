import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { optionalReads as readsIn } from '../../scripts/optionalFields';

const root = resolve(__dirname, '../..');
const folder = resolve(root, 'build');

interface Found {
  readonly version: string;
  readonly reads: readonly (readonly [name: string, places: readonly string[]])[];
}

/** A text that is another where a source is, or what looks for the reads. */
const versionOf = (): string => {
  const hash = createHash('sha256');
  for (const each of ['src', 'scripts'])
    for (const name of readdirSync(resolve(root, each), { recursive: true, encoding: 'utf8' }).sort())
      if (name.endsWith('.ts')) hash.update(name).update(readFileSync(resolve(root, each, name)));
  return hash.digest('hex');
};

/**
 * By the name of each optional field, the places in the sources that read it. To find them, the compiler reads all
 * sources, which takes long: the files of tests that need them share what the first of them has found.
 */
export const optionalReads = (): ReadonlyMap<string, readonly string[]> => {
  const file = resolve(folder, 'optionalReads.json');
  const version = versionOf();
  const found = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Found) : undefined;
  if (found?.version === version) return new Map(found.reads);
  const reads = [...readsIn(root)];
  mkdirSync(folder, { recursive: true });
  // Another worker may read or write the file at the same time.
  writeFileSync(`${file}.${process.pid}`, JSON.stringify({ version, reads } satisfies Found));
  renameSync(`${file}.${process.pid}`, file);
  return new Map(reads);
};
export const optionalFields = (): readonly string[] => [...optionalReads().keys()].sort();
