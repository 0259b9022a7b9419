// Runs everything that must hold: checks, tests, build, size, browser tests. Goes on after a failure, so that one run tells
// all, and ends with the counts of the runners' own reports.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';

const reports = 'reports';
rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });

let passed = 0;
let failed = 0;

const run = (title, command, args) => {
  console.log(`\n> ${title}`);
  const { status } = spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' });
  return status === 0;
};

/** A check has no tests to count: it is one failure when it fails. */
const check = (script) => {
  const ok = run(script, 'npm', ['run', '--silent', script]);
  if (!ok) failed += 1;
  return ok;
};

const jest = (title, ...args) => {
  const report = `${reports}/${title}.json`;
  const ok = run(title, 'npx', ['jest', ...args, '--json', `--outputFile=${report}`]);
  const {
    numPassedTests = 0,
    numFailedTests = 0,
    numPendingTests = 0,
    numRuntimeErrorTestSuites = 0,
  } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  passed += numPassedTests;
  // A skipped test, a file that does not run and a runner that dies are failures: nothing passes by not being tried.
  const broken = numFailedTests + numPendingTests + numRuntimeErrorTestSuites;
  failed += broken > 0 || ok ? broken : 1;
};

for (const script of ['typecheck', 'lint', 'layers', 'unused']) check(script);
jest('unit', '--selectProjects', 'marbles', 'unit');
if (check('build')) {
  check('size');
  check('build:preact');
  jest('browser', '--selectProjects', 'browser', '--runInBand');
}

console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
