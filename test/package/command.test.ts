import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { writeSampleProject } from '../../demo/project/write';
import type { Comparison, Published, StudioProject } from '../../studio/protocol';
import { installTools } from '../support/packedPackage';
import { inConsumer } from './support/consumer';

jest.setTimeout(600_000);

const packageName = 'permutive-web-sdk';
const { version } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as { readonly version: string };

/** A publisher's folder: the package as it was installed, and the packages that a build says it needs. */
const publisher = mkdtempSync(join(tmpdir(), 'permutive-publisher-'));
const installed = join(publisher, 'node_modules', packageName);

const run = (args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: publisher, encoding: 'utf8' });
  return { status, stdout, stderr };
};
const command = (...args: readonly string[]) => run([join(installed, 'dist/command.mjs'), ...args]);
const filesIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();

interface StudioCalls {
  readonly origin: string;
  /** Answers the text of a call that was not refused. */
  readonly call: (name: string, body: unknown) => Promise<string>;
}
/** Runs Studio of the installed command in a folder. */
const withStudio = async (
  cwd: string,
  args: readonly string[],
  use: (calls: StudioCalls) => Promise<void>,
): Promise<void> => {
  const all = [join(installed, 'dist/command.mjs'), 'studio', '--port', '0', ...args];
  const child = spawn(process.execPath, all, { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { origin, hash } = new URL(/Open (\S+)/.exec(line.toString())![1]!);
    const headers = { 'content-type': 'application/json', 'x-studio-token': hash.replace('#token=', '') };
    const call: StudioCalls['call'] = async (name, body) => {
      const answer = await fetch(`${origin}/api/${name}`, { method: 'POST', headers, body: JSON.stringify(body) });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${name}: ${answer.status} ${text}`);
      return text;
    };
    await use({ origin, call });
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
};

beforeAll(() => {
  cpSync(inConsumer(`node_modules/${packageName}`), installed, { recursive: true });
});

afterAll(() => rmSync(publisher, { recursive: true, force: true }));

// In this order: an empty folder, a project, a build, the definitions alone.
describe('the command, in an empty folder', () => {
  it('is put where npx finds it, and runs without any other package', () => {
    expect(existsSync(inConsumer(`node_modules/.bin/${packageName}`))).toBe(true);
    expect(command('--help')).toMatchObject({ status: 0, stderr: '' });
  });

  it('begins a project', () => {
    expect(command('init', '--yes', '--site', 'The Reader')).toMatchObject({ status: 0, stderr: '' });
    const { devDependencies } = JSON.parse(readFileSync(join(publisher, 'package.json'), 'utf8')) as {
      readonly devDependencies: Readonly<Record<string, string>>;
    };
    expect(devDependencies).toMatchObject({
      [packageName]: version,
      webpack: expect.stringMatching(/^\d+\.\d+\.\d+$/) as string,
    });
    expect(command('init', '--yes').status).toBe(2);
  });

  it('has Studio with its page and the thread that counts, without any other package', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'permutive-studio-'));
    writeFileSync(join(folder, 'project.json'), readFileSync(writeSampleProject()));
    const event = { user_id: 'a', name: 'Pageview', time: '2026-09-07T12:00:00.000Z', properties: {} };
    writeFileSync(join(folder, 'visits.ndjson'), JSON.stringify(event));
    await withStudio(folder, ['--data', 'visits.ndjson'], async ({ origin, call }) => {
      expect(await (await fetch(`${origin}/`)).text()).toContain('page.js');
      expect((await fetch(`${origin}/page.js`)).status).toBe(200);
      const sized = await call('size', { definition: { id: 'x', q: { event: 'Pageview' } } });
      expect(sized).toContain('"type":"sized"');
    });
    rmSync(folder, { recursive: true, force: true });
  });

  it('says what a build needs, and how it is installed', () => {
    const { status, stderr } = command('build');
    expect(status).toBe(2);
    expect(stderr).toMatch(/^npm install --save-dev @swc\/core@\d.* webpack@\d+\.\d+\.\d+$/m);
  });

  it('says what reading a program needs', () => {
    expect(command('check')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/npm install --save-dev tsx@\d+\.\d+\.\d+$/m) as string,
    });
    expect(command('doctor', 'https://page.example')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/npm install --save-dev playwright-core$/m) as string,
    });
  });

  describe('with the packages that it names', () => {
    beforeAll(() => installTools(publisher));

    it('checks the project that it has begun', () => {
      expect(command('check')).toEqual({ status: 0, stdout: '3 cohorts, 0 warnings\n', stderr: '' });
    });

    it('has begun a project whose tests pass', () => {
      expect(run(['--import', 'tsx', '--test', 'project.test.js'])).toMatchObject({ status: 0 });
    });

    it('builds the project, and its definitions alone', () => {
      expect(command('build')).toMatchObject({ status: 0, stderr: '' });
      const built = filesIn(join(publisher, 'dist'));
      expect(built.filter((file) => /^[\da-f-]{36}-web\.js$/.test(file))).toHaveLength(1);
      expect(built.filter((file) => file.endsWith('-head.html'))).toHaveLength(1);
      expect(built.filter((file) => /^[\da-f-]{36}-tag-manager\.tpl$/.test(file))).toHaveLength(1);
      const before = Object.fromEntries(built.map((file) => [file, readFileSync(join(publisher, 'dist', file))]));
      expect(command('build', '--only', 'queries')).toMatchObject({ status: 0, stderr: '' });
      expect(Object.fromEntries(built.map((file) => [file, readFileSync(join(publisher, 'dist', file))]))).toEqual(
        before,
      );
      expect(command('sizes')).toMatchObject({ status: 0 });
      expect(command('publish', '--dry-run')).toMatchObject({ status: 0 });
    });

    it('has Studio edit the program of the project, publish what it builds, and go one step back', async () => {
      const source = readFileSync(join(publisher, 'project.ts'), 'utf8');
      const names = (): string => {
        const file = readdirSync(join(publisher, 'dist')).find((name) => name.includes('-web.cohorts.')) ?? '';
        return readFileSync(join(publisher, 'dist', file), 'utf8');
      };
      await withStudio(publisher, [], async ({ call }) => {
        const project = async () => JSON.parse(await call('project', {})) as StudioProject;
        const rename = async (name: string): Promise<void> => {
          const { version: read, cohorts } = await project();
          const { definition } = cohorts[0]!;
          await call('save', { version: read, id: definition.id, definition: { ...definition, name } });
        };
        const { definition: first } = (await project()).cohorts[0]!;
        for (const name of ['One', 'Two']) {
          await rename(name);
          expect((await project()).cohorts[0]!.definition.name).toBe(name);
          const { files } = JSON.parse(await call('publish', { step: 'dryRun' })) as Published;
          expect(files.map(({ file }) => file)).toContainEqual(expect.stringMatching(/-web\.js$/));
          expect(names()).not.toContain(`"${name}"`);
          await call('publish', { step: 'publish' });
          expect(names()).toContain(`"${name}"`);
        }
        await call('publish', { step: 'back' });
        expect(names()).toContain('"One"');
        const compared = JSON.parse(await call('compare', {})) as Comparison;
        expect(compared.changes).toEqual([{ id: first.id, what: 'renamed', detail: 'One → Two' }]);
        await rename(first.name ?? '');
      });
      // All else in the program is as somebody wrote it.
      expect(readFileSync(join(publisher, 'project.ts'), 'utf8')).toBe(source);
    });

    it('writes nothing into the package', () => {
      const before = filesIn(inConsumer(`node_modules/${packageName}`));
      expect(filesIn(installed)).toEqual(before);
    });

    it('builds in an addon that another package exports, named by the package, and lets the definition name it', () => {
      const addon = join(publisher, 'node_modules/@reader/shelf');
      mkdirSync(addon, { recursive: true });
      // Only imports find it, as packages of today are.
      const exported = { name: '@reader/shelf', version: '1.0.0', type: 'module', exports: { import: './shelf.js' } };
      writeFileSync(join(addon, 'package.json'), JSON.stringify(exported));
      writeFileSync(
        join(addon, 'shelf.js'),
        `import { ignoreElements, switchMap, take, tap } from 'rxjs';
         import { isolate } from 'permutive-web-sdk/addon-kit';
         export const shelf = {
           name: 'shelf',
           autoInit: true,
           options: (input) => input ?? {},
           run: ({ cohorts$ }, options$, deps) =>
             options$.pipe(
               take(1),
               switchMap(() => cohorts$),
               tap((cohorts) => deps.writeKey('codes_of_shelf', deps.codesFor('shelf', cohorts))),
               ignoreElements(),
               isolate('Shelf is full', deps.report),
             ),
         };`,
      );
      const project = readFileSync(join(publisher, 'project.ts'), 'utf8');
      writeFileSync(join(publisher, 'shelf.ts'), project.replace('addons: {', 'addons: { shelf: {},'));
      expect(command('check', 'shelf.ts')).toMatchObject({
        status: 1,
        stderr: expect.stringContaining('addons/shelf') as string,
      });
      const named = ['shelf.ts', '--addon', '@reader/shelf'];
      expect(command('check', ...named)).toMatchObject({ status: 0, stderr: '' });
      expect(command('build', ...named, '--out', 'shelf')).toMatchObject({ status: 0, stderr: '' });
      const built = join(publisher, 'shelf');
      expect(
        filesIn(built).filter((file) => readFileSync(join(built, file), 'utf8').includes('codes_of_shelf')),
      ).toEqual([
        expect.stringMatching(/^[\da-f-]{36}-web\.deferred\.[\w-]{16}\.js$/),
        expect.stringMatching(/^v.*-web\.deferred\.[\w-]{16}\.js$/),
      ]);
      expect(command('build', '--addon', '@reader/none')).toMatchObject({
        status: 2,
        stderr: expect.stringContaining('--addon @reader/none: there is no such file') as string,
      });
    });

    it('builds from a definition byte for byte what this repository builds from it', () => {
      writeSampleProject(join(publisher, 'sample.json'));
      expect(command('build', 'sample.json', '--out', 'sample')).toMatchObject({ status: 0 });
      const [theirs, ours] = [join(publisher, 'sample'), resolve('dist')];
      const names = filesIn(theirs);
      expect(names.length).toBeGreaterThan(25);
      // The list has the modules of the package too, and the notices have all that the package contains.
      const ofPackage = /^integrity\.json$|THIRD-PARTY-NOTICES\.txt$/;
      const different = names.filter(
        (file) => !ofPackage.test(file) && !readFileSync(join(theirs, file)).equals(readFileSync(join(ours, file))),
      );
      expect(different).toEqual([]);
      const notices = readFileSync(join(theirs, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
      expect(notices).toMatch(/^rxjs [\d.]+\nLicense: Apache-2\.0$/m);
      expect(notices).not.toMatch(/^hono /m);
      const listed = (folder: string) =>
        (
          JSON.parse(readFileSync(join(folder, 'integrity.json'), 'utf8')) as readonly { readonly file: string }[]
        ).filter(({ file }) => !file.endsWith('.mjs'));
      expect(listed(theirs)).toEqual(listed(ours));
    });
  });
});
