import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = mkdtempSync(join(tmpdir(), 'published-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Calls an exported function of the script, which is a module that Jest does not load. */
const call = (name: string, dist: string): void => {
  const script = `import * as published from ${JSON.stringify(pathToFileURL('bundle/published.mjs').href)};
    published[${JSON.stringify(name)}](${JSON.stringify(dist)});`;
  execFileSync(process.execPath, ['--input-type=module', '-e', script], { stdio: 'pipe' });
};
const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');

const page = (hash: string): string => `start({"worker":"${sha256('w')}","worker.queries":"${hash}"});`;
const dist = (files: Readonly<Record<string, string>>): string => {
  const made = mkdtempSync(join(folder, 'dist-'));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(made, file), text);
  return made;
};

describe('updateQueriesHash', () => {
  it('writes the hash of the definitions into the page script, and changes nothing else', () => {
    const built = dist({ 'a-web.js': page(sha256('old')), 'a-web.worker.queries.js': 'new' });
    call('updateQueriesHash', built);
    expect(readFileSync(join(built, 'a-web.js'), 'utf8')).toBe(page(sha256('new')));
  });

  it.each([
    ['without a page script', { 'a-web.worker.queries.js': 'new' }, 'no build of this project'],
    ['whose page script has no such hash', { 'a-web.js': 'start()', 'a-web.worker.queries.js': '' }, 'has no hash'],
  ])('refuses a build %s', (_, files, reason) => {
    expect(() => call('updateQueriesHash', dist(files))).toThrow(reason);
  });
});

describe('publish', () => {
  it('copies the scripts and data of pages to the version, and lists the scripts with their hashes', () => {
    const built = dist({ 'a-web.js': 'page', 'a-web.cohorts.json': '{}', 'engine.mjs': 'engine' });
    call('publish', built);
    // A second time, as after a build of the definitions.
    call('publish', built);
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly version: string };
    const listed = (path: string): unknown => JSON.parse(readFileSync(join(built, path, 'integrity.json'), 'utf8'));
    const entry = (file: string, text: string): unknown => ({
      file,
      bytes: text.length,
      sha384: `sha384-${createHash('sha384').update(text).digest('base64')}`,
    });
    expect(listed('.')).toEqual([
      entry('a-web.js', 'page'),
      entry('engine.mjs', 'engine'),
      entry(`v${version}/a-web.js`, 'page'),
    ]);
    expect(listed(`v${version}`)).toEqual([entry('a-web.js', 'page')]);
    expect(readFileSync(join(built, `v${version}`, 'a-web.cohorts.json'), 'utf8')).toBe('{}');
  });
});
