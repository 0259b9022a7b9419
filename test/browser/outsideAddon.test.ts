import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

import { project } from '../../demo/project/project';
import { readmeAddon } from '../support/readmeAddon';
import { builtFile } from './support/bundleFile';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import type { Visitor } from './support/visitor';

const root = resolve(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'outside-'));
const dist = join(folder, 'dist');
const cohort = 29001;
const activation = { id: 'b6a9c0de-0000-4000-8000-000000000001', short_id: 's1', sc: cohort, tt: 'OnEntry' };

/** An addon that only the page starts. */
const counter = `
  import { map } from 'rxjs';
  import type { Addon } from 'permutive-web-sdk/addon-kit';
  export const counter: Addon<object> = {
    name: 'counter',
    autoInit: false,
    options: (input) => (typeof input === 'object' && input !== null ? input : {}),
    run: (_, options$) => options$.pipe(map((options) => ({ name: 'CounterStarted', properties: { options } }))),
  };`;

/** A definition as a publisher has it, which names the addon. */
const definition = {
  ...project,
  queries: [...project.queries, { id: String(cohort), name: 'Shelf', q: { event: 'ShelfOpened' } }],
  addons: { ...project.addons, shelf: { key: 'publisher_shelf' }, counter: { step: 2 } },
  activations: { ...project.activations, shelf: [activation] },
  platformCohorts: { ...project.platformCohorts, shelf: [cohort] },
};

describe('A build with addons from outside', () => {
  const stage = stageForTests();

  beforeAll(() => {
    const write = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const addons = [write('shelf.ts', readmeAddon()), write('counter.ts', counter)];
    const options = { project: write('project.json', JSON.stringify(definition)), out: dist };
    execFileSync(
      process.execPath,
      [
        'scripts/build.mjs',
        ...['page', 'worker', 'queries', 'natives'].flatMap((name) => ['--config-name', name]),
        ...Object.entries(options).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
        ...addons.flatMap((file) => ['--env', `addon=${file}`]),
      ],
      { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] },
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Serves the visitor this build in place of the sample project's. */
  const withBuild = (visitor: Visitor): Promise<unknown> =>
    visitor.page.route(/\/[\w-]+-web(\.[\w.-]+)?\.js$/, (route) =>
      route.fulfill({
        body: readFileSync(join(dist, basename(new URL(route.request().url()).pathname)), 'utf8'),
        contentType: 'text/javascript',
        headers: { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' },
      }),
    );

  test('acts on the entry of a cohort, with the options and activations of the definition', async () => {
    const visitor = await stage.visitor();
    await withBuild(visitor);
    await visitor.open('/blank');
    await visitor.ready();
    await visitor.track('ShelfOpened');
    const [impression] = await stage.untilArrived('Reaction');
    expect(impression?.properties).toMatchObject({ reaction_id: activation.id, type: 'impression' });
    const counts = (await stage.untilArrived('ShelfWritten', 2)).map(({ properties }) => properties['count']);
    expect([...counts].sort()).toEqual([0, 1]);
    const stored = await until(async () => (await visitor.storage())['publisher_shelf'], 'the key of the addon');
    expect(JSON.parse(stored)).toEqual([String(cohort)]);
  });

  test('starts an addon when the page does, with the options of both', async () => {
    const visitor = await stage.visitor();
    await withBuild(visitor);
    await visitor.open('/blank');
    await visitor.ready();
    await visitor.track('Seen');
    await stage.untilArrived('Seen');
    expect(await stage.arrived('CounterStarted')).toEqual([]);
    await visitor.ask((permutive) => permutive.addon('counter', { from: 'page' }));
    const [started] = await stage.untilArrived('CounterStarted');
    expect(started?.properties).toMatchObject({ options: { step: 2, from: 'page' } });
  });

  test('has its addons in the deferred chunk, and leaves the page script as it was', () => {
    const [ofBuild, ofSample] = [dist, 'dist'].map((files) =>
      ['', 'deferred'].map((part) => readFileSync(builtFile(part, files), 'utf8').includes('ShelfWritten')),
    );
    expect(ofBuild).toEqual([false, true]);
    expect(ofSample).toEqual([false, false]);
  });
});
