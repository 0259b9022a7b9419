import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { resolve } from 'node:path';

import { nameHash, partName } from '../src/platform/bundleFiles';
import { isPageScript } from './fileNames';
import { noticesFile } from './notices.js';

const hashOf = (algorithm: 'sha256' | 'sha384', file: string): string =>
  createHash(algorithm).update(readFileSync(file)).digest('base64');

/** Whether a file is a script of a project. A publisher's folder may have other files too. */
const isScript = (file: string): boolean =>
  file.endsWith('.js') && (file.includes('-web.') || file.endsWith('-companion.js'));

/**
 * Completes a build: names all files but the page script by their content, and puts a copy of the page script beside it
 * that is named so too, for pages that pin it. Copies the project's scripts, data and notices to `v{version}/`, where
 * they stay when a later version replaces the others, and lists all scripts with their hashes in `integrity.json`. The
 * folder of the version has a list of its own.
 */
export const publish = (dist: string, version: string): void => {
  const folder = `v${version}`;
  for (const script of readdirSync(dist).filter(isPageScript)) {
    nameParts(dist, script.slice(0, -'.js'.length));
    pin(dist, script);
  }
  const files = readdirSync(dist).filter((file) => isScript(file) || file.endsWith('.mjs'));
  const scripts = files.filter(isScript);
  const data = readdirSync(dist).filter((file) => /-web\.cohorts\.[^.]+\.json$/.test(file) || file === noticesFile);
  rmSync(resolve(dist, folder), { recursive: true, force: true });
  mkdirSync(resolve(dist, folder));
  for (const file of [...scripts, ...data]) copyFileSync(resolve(dist, file), resolve(dist, folder, file));
  list(dist, '.', [...files, ...scripts.map((file) => `${folder}/${file}`)]);
  list(dist, folder, scripts);
};

/** A file of a project's build beside its page script. */
interface PartFile {
  readonly file: string;
  /** The name that the sources call it by. */
  readonly part: string;
  /** The name that says its content. The file may have it already. */
  readonly name: string;
}

const partFiles = (dist: string, script: string): readonly PartFile[] =>
  readdirSync(dist).flatMap((file) => {
    if (!file.startsWith(`${script}.`)) return [];
    const words = file.slice(script.length + 1).split('.');
    const ending = words.pop() ?? '';
    if (words.length === 0 || !['js', 'json'].includes(ending)) return [];
    const sha256 = hashOf('sha256', resolve(dist, file));
    if (words.at(-1) === nameHash(sha256)) words.pop();
    const part = words.join('.');
    return [{ file, part, name: `${partName(script, part, sha256)}.${ending}` }];
  });

/**
 * Names the parts that webpack has written by their content. The files of an earlier build go. Where only the
 * definitions were built, the other parts have their names already.
 */
const nameParts = (dist: string, script: string): void => {
  const files = partFiles(dist, script);
  const [named, written] = [files.filter(isNamed), files.filter((file) => !isNamed(file))];
  for (const { file, part, name } of written) {
    for (const earlier of named) if (earlier.part === part) rmSync(resolve(dist, earlier.file));
    renameSync(resolve(dist, file), resolve(dist, name));
  }
};
const isNamed = ({ file, name }: PartFile): boolean => file === name;

/**
 * Puts the copy of a page script that pages pin beside it, and writes its name and hash into the head, and those of the
 * main part.
 */
const pin = (dist: string, script: string): void => {
  const copy = `${nameHash(hashOf('sha256', resolve(dist, script)))}.${script}`;
  for (const file of readdirSync(dist)) if (file.endsWith(`.${script}`)) rmSync(resolve(dist, file));
  copyFileSync(resolve(dist, script), resolve(dist, copy));
  const head = resolve(dist, script.replace('-web.js', '-head.html'));
  if (!existsSync(head)) return;
  const name = script.slice(0, -'.js'.length);
  const main = partFiles(dist, name).find(({ part }) => part === 'main')?.name ?? `${name}.main.js`;
  const named = (file: string, algorithm: 'sha256' | 'sha384') => (_: string, folder: string) =>
    `="${folder}${file}" integrity="${algorithm}-${hashOf(algorithm, resolve(dist, file))}"`;
  const written = readFileSync(head, 'utf8')
    .replace(/(?<= src)="([^"]*\/)[^"/]*" integrity="[^"]*"/, named(copy, 'sha384'))
    // Browsers take a preload only for a request with the same hash, and the page script asks with this one.
    .replace(/(?<= href)="([^"]*\/)[^"/]*" integrity="[^"]*"/, named(main, 'sha256'));
  writeFileSync(head, written);
};

/** Writes size and hash of each file, for subresource integrity. */
const list = (dist: string, folder: string, files: readonly string[]): void => {
  const entries = files.map((file) => {
    const path = resolve(dist, folder, file);
    return { file, bytes: statSync(path).size, sha384: `sha384-${hashOf('sha384', path)}` };
  });
  writeFileSync(resolve(dist, folder, 'integrity.json'), `${JSON.stringify(entries, null, 2)}\n`);
};

/** What a build of the definitions alone writes: the parts, their endings, and their places in the page script. */
const definitionParts = [
  { part: 'worker.queries', ending: 'js', place: /(?<="worker\.queries":")[\w+/=]{44}/ },
  { part: 'cohorts', ending: 'json', place: /(?<="cohorts":")[\w+/=]{44}/ },
];

/**
 * Writes the hashes of the definitions that were just built alone into the page script, which holds the hashes of all
 * parts. Throws where there is no page script of that project.
 */
export const updateDefinitions = (dist: string): void => {
  const queries = readdirSync(dist).find((file) => file.endsWith('-web.worker.queries.js'));
  const page = queries?.replace('.worker.queries', '');
  if (page === undefined || !existsSync(resolve(dist, page))) throw new Error(`${dist} has no build of this project`);
  let text = readFileSync(resolve(dist, page), 'utf8');
  for (const { part, ending, place } of definitionParts) {
    if (!place.test(text)) throw new Error(`${page} has no hash of its part “${part}”`);
    const file = resolve(dist, page.replace(/js$/, `${part}.${ending}`));
    text = text.replace(place, () => hashOf('sha256', file));
  }
  writeFileSync(resolve(dist, page), text);
};
