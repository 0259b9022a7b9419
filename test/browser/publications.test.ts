import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { partAt } from '../../bundle/fileNames';
import { publish } from '../../bundle/published';
import { uploadPlan } from '../../command/support/uploadPlan';
import { project } from '../../demo/project/project';
import { readmeAddon } from '../support/readmeAddon';
import { browserName } from './support/browserName';
import { scriptName } from './support/bundleFile';
import { openPublisher } from './support/publisher';
import { stageForTests } from './support/stage';

const root = resolve(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'publications-'));
const script = `${scriptName}.js`;

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64');

/** Builds a definition, or its queries into a copy of an earlier build. Answers the folder. */
const build = (name: string, definition: object, { into, addon }: { into?: string; addon?: string } = {}): string => {
  const out = join(folder, name);
  if (into !== undefined) cpSync(into, out, { recursive: true });
  const file = join(folder, `${name}.json`);
  writeFileSync(file, JSON.stringify(definition));
  const given = [
    `project=${file}`,
    `out=${out}`,
    ...(into ? ['only=queries'] : []),
    ...(addon ? [`addon=${addon}`] : []),
  ];
  const options = given.flatMap((option) => ['--env', option]);
  execFileSync(process.execPath, ['scripts/build.mjs', ...options], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return out;
};
/** The same build by another version of the SDK: each part has another content, and those that load it know that. */
const otherVersion = (from: string): string => {
  const out = join(folder, 'version');
  cpSync(from, out, { recursive: true });
  const textOf = (file: string): string => readFileSync(join(out, file), 'utf8');
  const files = readdirSync(out).filter((file) => file.startsWith(scriptName) && partAt(file));
  const isMain = (file: string): boolean => partAt(file) === 'main';
  // The main part comes last: it has the hashes of its chunks, and the page script has its own.
  const [chunks, mains] = [files.filter((file) => !isMain(file)), files.filter(isMain)];
  let renewed = (text: string): string => text;
  for (const file of [...chunks, ...mains]) {
    const [before, earlier] = [textOf(file), renewed];
    const content = isMain(file) ? `${renewed(before)};` : `${before};`;
    writeFileSync(join(out, `${scriptName}.${partAt(file)}.js`), content);
    renewed = (text) => earlier(text).replace(sha256(before), sha256(content));
  }
  writeFileSync(join(out, script), renewed(textOf(script)));
  publish(out, '99.0.0');
  const head = join(out, script.replace('-web.js', '-head.html'));
  writeFileSync(head, readFileSync(head, 'utf8').replace(/\/v[\d.]+\//g, '/v99.0.0/'));
  return out;
};

describe('A returning visitor after a publication', () => {
  const stage = stageForTests();
  let first: string;
  let second: Readonly<Record<'cohorts' | 'addons' | 'version', string>>;

  beforeAll(() => {
    const cohort = { id: '29001', name: 'Shelf', q: { event: 'ShelfOpened' } };
    const addon = join(folder, 'shelf.ts');
    writeFileSync(addon, readmeAddon());
    first = build('first', project);
    second = {
      cohorts: build('cohorts', { ...project, queries: [...project.queries, cohort] }, { into: first }),
      addons: build('addons', { ...project, addons: { ...project.addons, shelf: { key: 'shelf' } } }, { addon }),
      version: otherVersion(first),
    };
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** A visitor, and a function that has them see the page: it answers which builds have what the page has loaded. */
  const returning = async (published: readonly string[]) => {
    const publisher = await openPublisher(stage.demo.site);
    const visitor = await stage.visitor();
    let visits = 0;
    const names = published.map((build) => new Set(uploadPlan(build, 'dist').uploads.map(({ file }) => file)));
    const see = async (): Promise<readonly number[]> => {
      const before = visitor.asked.length;
      await visitor.page.goto(`${publisher.site}/blank`);
      await visitor.ready('realtime');
      await visitor.track('Visited', { visits });
      visits += 1;
      await stage.untilArrived('Visited', visits);
      expect(await visitor.warnings()).toEqual([]);
      const loaded = visitor.asked.slice(before).flatMap((url) => {
        const path = url.startsWith(publisher.cdn) && url.slice(publisher.cdn.length + 1);
        return path && path !== script ? [path] : [];
      });
      expect(loaded.some((path) => path.includes('-web.deferred.'))).toBe(true);
      return [...names.keys()].filter((build) => loaded.every((path) => names[build]?.has(path)));
    };
    return { publisher, visitor, see };
  };

  const changes = ['cohorts', 'addons', 'version'] as const;
  const after = changes.flatMap((change) =>
    (
      [
        ['while the script before is fresh in the browser', 0, [], 0],
        ['while the browser may use the script before and asks anew', 301, [], undefined],
        // Firefox counts from when an answer came, whatever its age, and so may use the script once more.
        ['once the script before is too old', 4000, [], browserName === 'firefox' ? undefined : 1],
        ['while an edge serves the page script of before', 4000, [script], 0],
      ] as const
    ).map(([when, age, but, expected]) => [change, when, age, but, expected] as const),
  );

  test.each(after)('of %s has one build %s', async (change, _, age, but, expected) => {
    const { publisher, see } = await returning([first, second[change]]);
    publisher.setAge(age);
    publisher.name();
    publisher.upload(first);
    expect(await see()).toEqual([0]);
    publisher.upload(second[change], but);
    const builds = await see();
    expect(builds).toHaveLength(1);
    if (expected !== undefined) expect(builds).toEqual([expected]);
    // The edge has the new files in the end, and nothing is kept longer than its headers say.
    publisher.upload(second[change]);
    if (age > 0) {
      await see();
      expect(await see()).toEqual([1]);
    }
    publisher.close();
  });

  test.each(changes)('of %s has the build that the page pins, however old the page is', async (change) => {
    const { publisher, see } = await returning([first, second[change]]);
    publisher.upload(first);
    publisher.pin(first);
    expect(await see()).toEqual([0]);
    publisher.upload(second[change]);
    expect(await see()).toEqual([0]);
    publisher.pin(second[change]);
    expect(await see()).toEqual([1]);
    publisher.close();
  });

  test('of cohorts loads the page script and the definitions anew, and nothing else', () => {
    const [before, now] = [first, second.cohorts].map((build) =>
      uploadPlan(build, 'dist').uploads.map(({ file }) => file),
    );
    const isNew = (file: string): boolean => !before?.includes(file) && !file.includes('/');
    const withoutHash = (file: string): string => file.replace(/(^|\.)[\w-]{16}(?=\.)/, '$1#');
    expect(now?.filter(isNew).map(withoutHash).sort()).toEqual([
      `#.${script}`,
      `${scriptName}.cohorts.#.json`,
      `${scriptName}.worker.queries.#.js`,
    ]);
  });
});
