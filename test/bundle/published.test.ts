import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { cacheControlOf, kindOf } from '../../bundle/fileHeaders';
import { publish, updateDefinitions } from '../../bundle/published';
import { nameHash } from '../../src/platform/bundleFiles';

const folder = mkdtempSync(join(tmpdir(), 'published-'));
afterAll(() => rmSync(folder, { recursive: true }));

const version = '1.2.3';
const hash = (algorithm: 'sha256' | 'sha384', text: string): string =>
  createHash(algorithm).update(text).digest('base64');
const named = (text: string): string => nameHash(hash('sha256', text));

const dist = (files: Readonly<Record<string, string>>): string => {
  const made = mkdtempSync(join(folder, 'dist-'));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(made, file), text);
  return made;
};
const read = (built: string, file: string): string => readFileSync(join(built, file), 'utf8');
const filesOf = (built: string): readonly string[] =>
  readdirSync(built)
    .filter((file) => file !== `v${version}`)
    .sort();

const page = (queries: string, cohorts: string): string =>
  `start({"worker":"${hash('sha256', 'w')}","worker.queries":"${hash('sha256', queries)}","cohorts":"${hash('sha256', cohorts)}"});`;

describe('updateDefinitions', () => {
  const definitions = { 'a-web.worker.queries.js': 'new', 'a-web.cohorts.json': '{"new":1}' };

  it('writes the hashes of the definitions into the page script, and changes nothing else', () => {
    const built = dist({ ...definitions, 'a-web.js': page('old', '{}') });
    updateDefinitions(built);
    expect(read(built, 'a-web.js')).toBe(page('new', '{"new":1}'));
  });

  it.each([
    ['without a page script', definitions, 'no build of this project'],
    ['whose page script has no such hash', { ...definitions, 'a-web.js': 'start()' }, 'has no hash'],
  ])('refuses a build %s', (_, files, reason) => {
    expect(() => updateDefinitions(dist(files))).toThrow(reason);
  });
});

describe('publish', () => {
  const files = {
    'a-web.js': page('old', '{}'),
    'a-web.main.js': 'm',
    'a-web.worker.js': 'w',
    'a-web.worker.queries.js': 'old',
    'a-web.cohorts.json': '{}',
    'a-companion.js': 'companion',
    'a-head.html':
      '<link href="https://cdn/v1.2.3/a-web.main.js" integrity="" crossorigin>' +
      '<script async src="https://cdn/v1.2.3/a-web.js" integrity="" crossorigin></script>',
    'THIRD-PARTY-NOTICES.txt': 'idb',
    'engine.mjs': 'engine',
    'mine-web.txt': 'of the publisher',
  };

  it('names every file but the page script by its content, and a copy of the page script too', () => {
    const built = dist(files);
    publish(built, version);
    expect(filesOf(built)).toEqual(
      [
        `${named(files['a-web.js'])}.a-web.js`,
        'a-web.js',
        `a-web.main.${named('m')}.js`,
        `a-web.worker.${named('w')}.js`,
        `a-web.worker.queries.${named('old')}.js`,
        `a-web.cohorts.${named('{}')}.json`,
        'a-companion.js',
        'a-head.html',
        'THIRD-PARTY-NOTICES.txt',
        'engine.mjs',
        'mine-web.txt',
        'integrity.json',
      ].sort(),
    );
  });

  const linkOf = (main: string): string =>
    `<link href="https://cdn/v1.2.3/a-web.main.${named(main)}.js" integrity="sha256-${hash('sha256', main)}" crossorigin>`;

  it('has the head of pages name the copy and the main part, with their hashes', () => {
    const built = dist(files);
    publish(built, version);
    const script = files['a-web.js'];
    expect(read(built, 'a-head.html')).toBe(
      `${linkOf('m')}<script async src="https://cdn/v1.2.3/${named(script)}.a-web.js" integrity="sha384-${hash('sha384', script)}" crossorigin></script>`,
    );
  });

  it('changes nothing where it is called again', () => {
    const built = dist(files);
    publish(built, version);
    const texts = (): unknown => filesOf(built).map((file) => [file, read(built, file)]);
    const before = texts();
    publish(built, version);
    expect(texts()).toEqual(before);
  });

  it('replaces the definitions that are built alone, the copy of the page script, and no other file', () => {
    const built = dist(files);
    publish(built, version);
    const before = filesOf(built);
    writeFileSync(join(built, 'a-web.worker.queries.js'), 'new');
    writeFileSync(join(built, 'a-web.cohorts.json'), '{}');
    updateDefinitions(built);
    publish(built, version);
    const script = page('new', '{}');
    expect(read(built, 'a-web.js')).toBe(script);
    const after = filesOf(built);
    expect(after.filter((file) => !before.includes(file)).sort()).toEqual(
      [`${named(script)}.a-web.js`, `a-web.worker.queries.${named('new')}.js`].sort(),
    );
    expect(before.filter((file) => !after.includes(file)).sort()).toEqual(
      [`${named(files['a-web.js'])}.a-web.js`, `a-web.worker.queries.${named('old')}.js`].sort(),
    );
    const head = read(built, 'a-head.html');
    expect(head).toContain(`/${named(script)}.a-web.js" integrity="sha384-${hash('sha384', script)}"`);
    expect(head).toContain(linkOf('m'));
  });

  it('has the head name a new main part', () => {
    const built = dist(files);
    publish(built, version);
    writeFileSync(join(built, 'a-web.main.js'), 'new');
    publish(built, version);
    expect(read(built, 'a-head.html')).toContain(linkOf('new'));
  });

  it('copies the scripts and data of pages to the version, and lists the scripts with their hashes', () => {
    const built = dist(files);
    publish(built, version);
    const listed = (path: string) =>
      JSON.parse(read(built, join(path, 'integrity.json'))) as readonly {
        readonly file: string;
        readonly bytes: number;
        readonly sha384: string;
      }[];
    const scripts = filesOf(built).filter((file) => file.endsWith('.js'));
    const inVersion = scripts.map((file) => `v${version}/${file}`);
    expect(
      listed('.')
        .map(({ file }) => file)
        .sort(),
    ).toEqual([...scripts, ...inVersion, 'engine.mjs'].sort());
    expect(
      listed(`v${version}`)
        .map(({ file }) => file)
        .sort(),
    ).toEqual(scripts);
    for (const { file, bytes, sha384 } of listed('.'))
      expect([bytes, sha384]).toEqual([read(built, file).length, `sha384-${hash('sha384', read(built, file))}`]);
    expect(readdirSync(join(built, `v${version}`)).sort()).toEqual(
      [...scripts, `a-web.cohorts.${named('{}')}.json`, 'THIRD-PARTY-NOTICES.txt', 'integrity.json'].sort(),
    );
  });

  it('makes names that the table of headers knows', () => {
    const built = dist(files);
    publish(built, version);
    const kinds = Object.fromEntries(
      filesOf(built).map((file) => [file.replace(/[\w-]{16}(?=\.)/, '#'), kindOf(file)]),
    );
    expect(kinds).toMatchObject({
      '#.a-web.js': 'named by content',
      'a-web.js': 'page script',
      'a-web.main.#.js': 'named by content',
      'a-web.worker.#.js': 'named by content',
      'a-web.worker.queries.#.js': 'named by content',
      'a-web.cohorts.#.json': 'named by content',
      'integrity.json': 'list',
      'engine.mjs': 'other',
    });
    expect(cacheControlOf('v1.2.3/a-web.js')).toBe('public, max-age=300, stale-while-revalidate=3600');
  });
});
