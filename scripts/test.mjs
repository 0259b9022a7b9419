// Runs a plan of `scripts/steps.mjs`: `node scripts/test.mjs check | test | all`. All its steps run, also after one has
// failed. The run ends with what each step took, the slowest files, what a start does, and the counts.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';

import { plans, runAgain, stepsOf } from './steps.mjs';
import { afterRepeat, countsOf, failedNames, filesOf, hasFailed } from './testReports.mjs';

const [, , name = 'test'] = process.argv;
const plan = plans[name];
if (plan === undefined) throw new Error(`There is no plan ${name}: choose one of ${Object.keys(plans).join(', ')}`);

const began = Date.now();
/** Where the tests leave what a start does, with its limits. */
const startCounts = 'build/counts';

for (const folder of ['reports', startCounts]) rmSync(folder, { recursive: true, force: true });
mkdirSync('reports', { recursive: true });

const passedSteps = new Set();
let passed = 0;
let failed = 0;
/** What failed: tests with the first lines of why, and steps that are no tests or did not get as far as one. */
const failures = [];
/** Titles of browser tests that failed at first and passed when they ran again, alone. */
const repeated = [];
/** Titles of tests that a browser cannot run, each with the reason. */
const impossible = [];
/** What each step took, in seconds. */
const took = [];
/** Seconds of each file of tests. */
const files = [];

/** The shell's word for the processor time of a step and of all that it has started, on a stream of its own. */
const timed = process.platform === 'win32' ? [] : ['sh', '-c', '"$@"; status=$?; times >&3; exit $status', 'sh'];

/** Processor seconds, from what the shell's `times` says: `0m1.23s 0m0.45s` of itself and of its children. */
const processorSeconds = (said) =>
  [...said.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, minutes, seconds]) => sum + 60 * minutes + Number(seconds), 0);

/** Runs a command; answers whether it succeeded. `output`: `inherit` shows what it says at once, `pipe` at the end. */
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
  return ok;
};

const reported = (report) => filesOf(existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : {});

/** Runs what has failed of a file again, alone, as often as the step allows. A run that dies says nothing of it. */
const repeatedFile = async (step, first) => {
  let file = first;
  for (let turn = 0; turn < (step.repeats ?? 0) && hasFailed(file); turn += 1) {
    const again = runAgain(step, file.path, failedNames(file));
    rmSync(again.report, { force: true });
    await run(again, 'inherit');
    const after = afterRepeat(
      file,
      reported(again.report).find(({ path }) => path === file.path),
    );
    file = after.file;
    repeated.push(...after.repeated.map((title) => `${step.title}: ${title}`));
  }
  return file;
};

/** Counts the tests of a report; answers whether all have passed. A runner that dies is a failure by itself. */
const countTests = async (step, ok) => {
  const first = reported(step.report);
  const hasDied = !ok && !first.some(hasFailed);
  const last = [];
  for (const file of first) last.push(await repeatedFile(step, file));
  const counts = countsOf(last);
  passed += counts.passed;
  failed += counts.failed + (hasDied ? 1 : 0);
  failures.push(...counts.failures.map((failure) => `${step.title}: ${failure}`), ...(hasDied ? [step.title] : []));
  impossible.push(...counts.impossible);
  files.push(...last.map(({ path, seconds }) => ({ title: step.title, path, seconds })));
  return counts.failed === 0 && !hasDied;
};

/** A check has no tests to count: it is one failure when it fails. */
const countCheck = ({ title }, ok) => {
  if (!ok) {
    failed += 1;
    failures.push(title);
  }
  return ok;
};

/** Programs that are missing and could not be installed. */
const missing = new Set();

/** Runs the steps one after the other, each with those that need it, but none whose program is missing. */
const inTurn = async (steps, output) => {
  for (const step of steps.filter(({ program }) => !missing.has(program))) {
    const ok = await run(step, output);
    if (!(step.report === undefined ? countCheck(step, ok) : await countTests(step, ok))) continue;
    passedSteps.add(step.title);
    await inTurn(step.next ?? [], output);
  }
};

/** A step of its own for each program, so that nothing is installed without a word in the middle of a run. */
const provideProgram = async (program) => {
  const title = `needs ${program}`;
  const args = ['--import', 'tsx', 'scripts/needs.ts', program];
  if (!countCheck({ title }, await run({ title, command: process.execPath, args }, 'inherit'))) missing.add(program);
};

for (const program of new Set(stepsOf(plan).flatMap(({ program }) => program ?? []))) await provideProgram(program);
await Promise.all(plan.lanes.map((lane) => inTurn(lane, 'pipe')));
// Without a bundle there is nothing to drive.
if (passedSteps.has('build')) await inTurn(plan.browsers, 'inherit');

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
  for (const { title, path, seconds } of slowest)
    console.log(`${`${seconds.toFixed(1)} s`.padStart(9)}  ${title}  ${path.slice(process.cwd().length + 1)}`);
};

const printList = (title, lines) => {
  if (lines.length > 0) console.log(`\n${title}:\n${lines.map((line) => `  ${line}\n`).join('')}`);
};

printStart();
printTimes();
printSlowest();
printList('Not possible there', impossible);
printList(`Passed only when run again, alone: ${repeated.length}`, repeated);
printList('Failed', failures);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
