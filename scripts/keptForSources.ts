import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(__dirname, '..');
/** Whatever decides about what is found in the sources. */
const inputs: readonly string[] = ['src', 'scripts/lint', 'tsconfig.json', 'package-lock.json'];

const filesOf = (path: string): readonly string[] =>
  /\.\w+$/.test(path)
    ? [path]
    : readdirSync(join(root, path), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1))
        .sort();

const hashOf = (files: readonly string[]): string => {
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
};

/**
 * A list that is found in the sources, kept in `build` until they change: the compiler takes ten seconds to read them,
 * and several tests ask. `scripts`: the scripts that find it.
 */
export const keptForSources = (
  name: string,
  scripts: readonly string[],
  find: () => readonly string[],
): readonly string[] => {
  const folder = join(root, 'build/kept');
  const file = join(folder, `${name}-${hashOf([...inputs.flatMap(filesOf), ...scripts]).slice(0, 16)}.json`);
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as readonly string[];
  } catch {
    const found = find();
    mkdirSync(folder, { recursive: true });
    // Another test may read it at the same time.
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(found));
    renameSync(`${file}.${process.pid}`, file);
    return found;
  }
};
