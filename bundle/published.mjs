import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const { version } = JSON.parse(readFileSync(fileURLToPath(new URL('../package.json', import.meta.url)), 'utf8'));

const hash = (algorithm, content) => createHash(algorithm).update(content).digest('base64');

/** Whether a file is a script of a project. A publisher's folder may have other files too. */
const isScript = (file) => /-(web(\..+)?|companion)\.js$/.test(file);

/** Size and hash of each file, for subresource integrity. */
const entriesOf = (dist, files) =>
  files.map((file) => {
    const content = readFileSync(resolve(dist, file));
    return { file, bytes: content.length, sha384: `sha384-${hash('sha384', content)}` };
  });

/**
 * Completes a build: copies the project's scripts and data to `v{version}/`, where they stay when a later version
 * replaces the others, and lists all scripts with their hashes in `integrity.json`. The folder of the version has a
 * list of its own.
 */
export const publish = (dist) => {
  const folder = `v${version}`;
  const files = readdirSync(dist).filter((file) => isScript(file) || file.endsWith('.mjs'));
  const scripts = files.filter(isScript);
  const data = readdirSync(dist).filter((file) => file.endsWith('.cohorts.json'));
  rmSync(resolve(dist, folder), { recursive: true, force: true });
  mkdirSync(resolve(dist, folder));
  for (const file of [...scripts, ...data]) copyFileSync(resolve(dist, file), resolve(dist, folder, file));
  const list = (path, names) =>
    writeFileSync(
      resolve(dist, path, 'integrity.json'),
      `${JSON.stringify(entriesOf(resolve(dist, path), names), null, 2)}\n`,
    );
  writeIntegrity(dist, scripts);
  list('.', [...files, ...scripts.map((file) => `${folder}/${file}`)]);
  list(folder, scripts);
};

/** Writes the hash of the page script into the script element that publishers paste. */
const writeIntegrity = (dist, scripts) => {
  for (const page of scripts.filter((file) => file.endsWith('-web.js'))) {
    const head = resolve(dist, page.replace('-web.js', '-head.html'));
    const integrity = `sha384-${hash('sha384', readFileSync(resolve(dist, page)))}`;
    if (existsSync(head))
      writeFileSync(head, readFileSync(head, 'utf8').replace(/ integrity="[^"]*"/, ` integrity="${integrity}"`));
  }
};

/** The hash of the query definitions in the page script, which is in it once. */
const queriesHash = /("worker\.queries":)"[\w+/=]{44}"/;

/**
 * Writes the hash of the present query definitions into the page script, which holds the hashes of all other files of
 * the bundle. Throws where there is no page script.
 */
export const updateQueriesHash = (dist) => {
  const queries = readdirSync(dist).find((file) => file.endsWith('-web.worker.queries.js'));
  const page = queries?.replace('.worker.queries', '');
  if (page === undefined || !existsSync(resolve(dist, page))) throw new Error(`${dist} has no build of this project`);
  const text = readFileSync(resolve(dist, page), 'utf8');
  if (!queriesHash.test(text)) throw new Error(`${page} has no hash of its query definitions`);
  const present = hash('sha256', readFileSync(resolve(dist, queries)));
  writeFileSync(
    resolve(dist, page),
    text.replace(queriesHash, (_, name) => `${name}"${present}"`),
  );
};
