// Runs a plan of `scripts/steps.mjs`: `node scripts/test.mjs check | test | wide | all`. All its steps run, also after
// one has failed. The run ends with what each step took, the slowest files, what a start does, and the counts.
// `--adding`: the counts of the runs before, whose reports are kept, are added to the last line.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs, stripVTControlCharacters } from 'node:util';

import { plans } from './steps.mjs';

const { values, positionals } = parseArgs({
  options: { adding: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [name = 'test'] = positionals;
const plan = plans[name];
if (plan === undefined) throw new Error(`There is no plan ${name}: choose one of ${Object.keys(plans).join(', ')}`);

const began = Date.now();
/** Where the tests leave what a start does, with its limits. */
const startCounts = 'build/counts';
/** Where each run leaves its counts. */
const totals = 'reports/totals';

if (!values.adding) rmSync('reports', { recursive: true, force: true });
rmSync(startCounts, { recursive: true, force: true });
mkdirSync(totals, { recursive: true });

const passedSteps = new Set();
let passed = 0;
let failed = 0;
/** What failed: tests with the first lines of why, and steps that are no tests or did not get as far as one. */
const failures = [];
/** Lines of a failure that are told again at the end: enough for what was expected and what came instead. */
const toldLines = 15;
/** Titles of tests that a browser cannot run, each with the reason. */
const impossible = [];
/** What each step took, in seconds. */
const took = [];
/** Seconds of each file of tests. */
const files = [];

const firstLines = (messages) =>
  stripVTControlCharacters(messages.join('\n'))
    .split('\n')
    .slice(0, toldLines)
    .map((line) => `      ${line}\n`)
    .join('');

/** Counts what a step has shown. A check has no tests to count: it is one failure when it fails. */
const count = ({ title, report }, ok) => {
  if (ok) passedSteps.add(title);
  if (report === undefined) {
    if (!ok) {
      failed += 1;
      failures.push(title);
    }
    return;
  }
  const {
    testResults = [],
    numPassedTests = 0,
    numFailedTests = 0,
    numPendingTests = 0,
    numRuntimeErrorTestSuites = 0,
  } = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {};
  passed += numPassedTests;
  for (const { name: file, startTime, endTime, assertionResults } of testResults) {
    files.push({ title, file: file.slice(process.cwd().length + 1), seconds: (endTime - startTime) / 1000 });
    for (const { fullName, status, failureMessages = [] } of assertionResults) {
      if (status === 'todo') impossible.push(fullName);
      if (status === 'failed') failures.push(`${title}: ${fullName}\n${firstLines(failureMessages)}`);
    }
  }
  // A skipped test, a file that does not run and a runner that dies are failures: nothing passes by not being tried.
  const broken = numFailedTests + numPendingTests + numRuntimeErrorTestSuites;
  failed += broken > 0 || ok ? broken : 1;
  if (!ok && numFailedTests === 0) failures.push(title);
};

/** The shell's word for the processor time of a step and of all that it has started, on a stream of its own. */
const timed = process.platform === 'win32' ? [] : ['sh', '-c', '"$@"; status=$?; times >&3; exit $status', 'sh'];

/** Processor seconds, from what the shell's `times` says: `0m1.23s 0m0.45s` of itself and of its children. */
const processorSeconds = (said) =>
  [...said.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, minutes, seconds]) => sum + 60 * minutes + Number(seconds), 0);

/** Runs a step, then those that need it. `output`: `inherit` shows it as it comes, `pipe` all of it at the end. */
const run = async (step, output) => {
  const start = Date.now();
  if (output === 'inherit') console.log(`\n> ${step.title}`);
  const [command, ...args] = [...timed, step.command, ...step.args];
  const child = spawn(command, args, {
    stdio: ['ignore', output, output, 'pipe'],
    shell: process.platform === 'win32',
    env: { ...process.env, ...step.env },
  });
  const said = [];
  let times = '';
  child.stdout?.on('data', (text) => said.push(text));
  child.stderr?.on('data', (text) => said.push(text));
  child.stdio[3].on('data', (text) => (times += text));
  const ok = await new Promise((resolve) => {
    child.once('error', (error) => {
      said.push(Buffer.from(`${error.message}\n`));
      resolve(false);
    });
    child.once('close', (status) => resolve(status === 0));
  });
  const [clock, processor] = [(Date.now() - start) / 1000, processorSeconds(times)];
  if (output === 'pipe') process.stdout.write(`\n> ${step.title}\n${Buffer.concat(said).toString()}`);
  console.log(`${step.title}: ${ok ? 'passed' : 'failed'}, ${Math.round(clock)} s`);
  took.push({ title: step.title, clock, processor, share: step.share });
  count(step, ok);
  if (ok) await inTurn(step.next ?? [], output);
};

const inTurn = async (steps, output) => {
  for (const step of steps) await run(step, output);
};

/** A step of its own, so that nothing is installed without a word in the middle of a run. */
const needed = (names) => ({
  title: 'needs',
  command: process.execPath,
  args: ['--import', 'tsx', 'scripts/needs.ts', ...names],
});

const hasNeeds = async () => {
  if (plan.needs.length > 0) await run(needed(plan.needs), 'inherit');
  return plan.needs.length === 0 || passedSteps.has('needs');
};

// Without a browser or a bundle there is nothing to drive.
if (await hasNeeds()) {
  await Promise.all(plan.lanes.map((lane) => inTurn(lane, 'pipe')));
  if (plan.browsers.length > 0 && passedSteps.has('build')) await inTurn(plan.browsers, 'inherit');
}

/** Each count in the first task and in all, beside its limit. */
const printStart = () => {
  const counted = existsSync(startCounts) ? readdirSync(startCounts) : [];
  if (counted.length > 0)
    console.log(`\n${'A first visit'.padEnd(32)}${'first task'.padStart(18)}${'until settled'.padStart(18)}`);
  for (const file of counted) {
    for (const { what, counted, limits } of JSON.parse(readFileSync(`${startCounts}/${file}`, 'utf8'))) {
      const cells = counted.map((count, i) => `${count} of ${limits[i]}`.padStart(18));
      console.log(what.padEnd(32) + cells.join(''));
    }
  }
};

/** Seconds by the clock and of processor, and which steps have outgrown their share. No run fails for that. */
const printTimes = () => {
  const cell = (seconds) => `${Math.round(seconds)} s`.padStart(11);
  console.log(`\n${'Step'.padEnd(20)}${'clock'.padStart(11)}${'processor'.padStart(11)}${'share'.padStart(11)}`);
  for (const { title, clock, processor, share } of took) {
    const grown = share !== undefined && processor > share ? '  has outgrown its share' : '';
    console.log(`${title.padEnd(20)}${cell(clock)}${cell(processor)}${share === undefined ? '' : cell(share)}${grown}`);
  }
  const all = took.reduce((sum, { processor }) => sum + processor, 0);
  console.log(`${'In all'.padEnd(20)}${cell((Date.now() - began) / 1000)}${cell(all)}`);
};

const printSlowest = () => {
  const slowest = files.sort((a, b) => b.seconds - a.seconds).slice(0, 10);
  if (slowest.length > 0) console.log('\nSlowest files:');
  for (const { title, file, seconds } of slowest)
    console.log(`${`${seconds.toFixed(1)} s`.padStart(9)}  ${title}  ${file}`);
};

printStart();
printTimes();
printSlowest();
if (impossible.length > 0) console.log(`\nNot possible there:\n${impossible.map((each) => `  ${each}\n`).join('')}`);
if (failures.length > 0) console.log(`\nFailed:\n${failures.map((each) => `  ${each}\n`).join('')}`);

writeFileSync(`${totals}/${name}.json`, JSON.stringify({ passed, failed }));
const sums = readdirSync(totals).map((file) => JSON.parse(readFileSync(`${totals}/${file}`, 'utf8')));
const sum = (what) => sums.reduce((all, each) => all + each[what], 0);
console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
