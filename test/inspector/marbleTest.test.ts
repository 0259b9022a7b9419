import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

import { replayProject } from '../../command/replayProject';
import { writeSampleProject } from '../../demo/project/write';
import { readProject } from '../../project/readProject';
import { json } from '../../src/hardening/plainJson';
import { marbleTest } from '../../src/inspector/marbleTest';
import { recordVisit } from './support/recordedVisit';

const root = resolve(__dirname, '../..');

/**
 * A folder outside of the repository that looks to jest like the repository with no marble tests but the exported ones.
 * Other tests read the real `marbles` meanwhile.
 */
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'exported-')));
const exported = join(folder, 'marbles/replays');
beforeAll(() => {
  mkdirSync(exported, { recursive: true });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(join(folder, 'test'));
  for (const shared of ['marbles/support', 'test/support']) symlinkSync(join(root, shared), join(folder, shared));
  const config = json.stringify(pathToFileURL(join(root, 'jest.config.js')).href);
  writeFileSync(
    join(folder, 'jest.config.mjs'),
    `import config from ${config};\nexport default config.projects.find(({ displayName }) => displayName === 'marbles');\n`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the exported tests, and answers what jest prints. */
const run = (): string => {
  try {
    return execFileSync(
      process.execPath,
      [join(root, 'node_modules/jest/bin/jest.js'), '--rootDir', folder, '--verbose', '--ci'],
      { cwd: folder, encoding: 'utf8', stdio: 'pipe' },
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
  const [right, wrong] = [join(exported, 'right.marbles.ts'), join(exported, 'wrong.marbles.ts')];
  writeFileSync(right, marbleTest(log, { name: "a reader's visit" }, json));
  // The request says that another event was uploaded.
  const changed = log.split('\n').map((line) => (line.includes('"request"') ? line.replace('Click', 'Clock') : line));
  writeFileSync(wrong, marbleTest(changed.join('\n'), { name: 'a changed visit' }, json));
  const said = run();
  expect(said).toContain("✓ a reader's visit");
  expect(said).toContain('✕ a changed visit');
  expect(said).toContain('1 failed, 1 passed');
});
