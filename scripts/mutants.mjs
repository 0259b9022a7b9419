// Seeds the faults of test/engine/mutants.json, one at a time, in a copy of the engine, and runs its tests.
// The command fails and names each fault that no test notices.
// Usage: node scripts/mutants.mjs [regular expression for file and description]
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import jestConfig from '../jest.config.js';

// The tests of queries and state. The tests of file formats need more than the engine, which is all that is copied.
const tests =
  'test/engine/(\\w+/)?(cellLaws|conformance|dormant|dormantLaws|engine|engineLaws|language|predicate|storage)\\.test';
const only = new RegExp(process.argv[2] ?? '');
const mutants = JSON.parse(readFileSync('test/engine/mutants.json', 'utf8')).filter(({ file, breaks }) =>
  only.test(`${file} ${breaks}`),
);

const copy = mkdtempSync(join(tmpdir(), 'mutants-'));
for (const path of ['package.json', 'tsconfig.json', 'src', 'bundle', 'test/engine', 'test/support'])
  cpSync(path, join(copy, path), { recursive: true });
symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
const unit = jestConfig.projects.find(({ displayName }) => displayName === 'unit');
writeFileSync(join(copy, 'jest.config.json'), JSON.stringify({ ...unit, rootDir: copy }));
const jest = join(copy, 'node_modules/.bin/jest');

/** Whether the tests of the copy fail. A seed is given, so that the answer is the same each time. */
const isNoticed = () => {
  const args = ['--config', 'jest.config.json', '--testPathPatterns', tests, '--bail', '--silent'];
  const { status } = spawnSync(jest, args, {
    cwd: copy,
    stdio: 'ignore',
    timeout: 120_000,
    env: { ...process.env, LAWS: 'nightly', LAW_SEED: '1' },
  });
  return status !== 0;
};

const survivors = [];
let stale = 0;
if (isNoticed()) throw new Error('the tests fail without any fault');
for (const { file, find, replace, breaks, equivalent = false } of mutants) {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  const parts = text.split(find);
  if (parts.length !== 2) {
    stale += 1;
    console.log(`STALE     ${file}: ${breaks} (its text occurs ${parts.length - 1} times)`);
    continue;
  }
  writeFileSync(path, parts.join(replace));
  const noticed = isNoticed();
  writeFileSync(path, text);
  if (!noticed && !equivalent) survivors.push(breaks);
  console.log(`${noticed ? 'noticed  ' : equivalent ? 'equal    ' : 'SURVIVED '} ${file}: ${breaks}`);
}
rmSync(copy, { recursive: true });
console.log(`${mutants.length} faults, ${survivors.length} not noticed, ${stale} stale`);
process.exitCode = survivors.length + stale > 0 ? 1 : 0;
