import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { writeSampleProject } from '../../demo/project/write';
import { readProject } from '../../scripts/readProject';
import { marbleTest } from '../../src/inspector/marbleTest';
import { json } from '../../src/model/plainJson';
import { replayProject } from '../../tools/replayProject';
import { recordVisit } from './support/recordedVisit';

const root = resolve(__dirname, '../..');
const folder = join(root, 'marbles/exported');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the marble tests of a folder, and answers what jest prints. */
const run = (tests: string): string => {
  try {
    return execFileSync(
      process.execPath,
      [join(root, 'node_modules/jest/bin/jest.js'), '--selectProjects', 'marbles', '--verbose', '--ci', tests],
      { cwd: root, encoding: 'utf8', stdio: 'pipe' },
    );
  } catch (error) {
    return String((error as { readonly stderr?: unknown }).stderr);
  }
};

it('runs as it is, and fails where the replay has other results', async () => {
  const project = await replayProject(readProject(writeSampleProject()));
  const log = recordVisit(
    {
      engineMs: 3,
      answers: [{ kind: 'taken', ms: 20 }],
      acts: [
        { at: 200, act: ({ calls }) => calls.startAddon('web', { page: { title: "a 'quoted' \\ title" } }) },
        { at: 1200, act: ({ track }) => track('Click') },
      ],
    },
    project,
  ).text();
  mkdirSync(folder, { recursive: true });
  const [right, wrong] = [join(folder, 'right.marbles.ts'), join(folder, 'wrong.marbles.ts')];
  writeFileSync(right, marbleTest(log, { name: "a reader's visit" }, json));
  // The request says that another event was uploaded.
  const changed = log.split('\n').map((line) => (line.includes('"request"') ? line.replace('Click', 'Clock') : line));
  writeFileSync(wrong, marbleTest(changed.join('\n'), { name: 'a changed visit' }, json));
  const said = run(folder);
  expect(said).toContain("✓ a reader's visit");
  expect(said).toContain('✕ a changed visit');
  expect(said).toContain('1 failed, 1 passed');
}, 120_000);
