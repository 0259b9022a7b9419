// Runs all steps, also after one has failed, and ends with what a start does and the counts of the runners’ reports.
// `--without browser` leaves the browser tests out.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { parseArgs, stripVTControlCharacters } from 'node:util';

import { browser, lanes, otherBrowsers } from './steps.mjs';

const { values } = parseArgs({ options: { without: { type: 'string', multiple: true, default: [] } } });
const withBrowser = !values.without.includes('browser');

/** Where the tests leave what a start does, with its limits. */
const startCounts = 'build/counts';

for (const folder of ['reports', startCounts]) rmSync(folder, { recursive: true, force: true });
mkdirSync('reports', { recursive: true });

const passedSteps = new Set();
let passed = 0;
let failed = 0;
/** What failed: tests with the first lines of why, and steps that are no tests or did not get as far as one. */
const failures = [];
/** Lines of a failure that are told again at the end: enough for what was expected and what came instead. */
const toldLines = 15;
/** Titles of tests that failed at first and passed when they were repeated. */
const repeated = [];
/** Titles of tests that a browser cannot run, each with the reason. */
const impossible = [];

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
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  for (const { fullName, status, invocations = 1, failureMessages = [] } of results) {
    if (status === 'passed' && invocations > 1) repeated.push(fullName);
    if (status === 'todo') impossible.push(fullName);
    if (status === 'failed') failures.push(`${title}: ${fullName}\n${firstLines(failureMessages)}`);
  }
  // A skipped test, a file that does not run and a runner that dies are failures: nothing passes by not being tried.
  const broken = numFailedTests + numPendingTests + numRuntimeErrorTestSuites;
  failed += broken > 0 || ok ? broken : 1;
  if (!ok && numFailedTests === 0) failures.push(title);
};

/** Runs a step, then those that need it. `output`: `inherit` shows it as it comes, `pipe` all of it at the end. */
const run = async (step, output) => {
  const began = Date.now();
  if (output === 'inherit') console.log(`\n> ${step.title}`);
  const child = spawn(step.command, step.args, {
    stdio: ['ignore', output, output],
    shell: process.platform === 'win32',
  });
  const said = [];
  child.stdout?.on('data', (text) => said.push(text));
  child.stderr?.on('data', (text) => said.push(text));
  const ok = await new Promise((resolve) => {
    child.once('error', (error) => {
      said.push(Buffer.from(`${error.message}\n`));
      resolve(false);
    });
    child.once('close', (status) => resolve(status === 0));
  });
  const seconds = Math.round((Date.now() - began) / 1000);
  if (output === 'pipe') process.stdout.write(`\n> ${step.title}\n${Buffer.concat(said).toString()}`);
  console.log(`${step.title}: ${ok ? 'passed' : 'failed'}, ${seconds} s`);
  count(step, ok);
  if (ok) await inTurn(step.next ?? [], output);
};

const inTurn = async (steps, output) => {
  for (const step of steps) await run(step, output);
};

await Promise.all(lanes.map((lane) => inTurn(lane, 'pipe')));
// Without a bundle there is nothing to drive.
if (withBrowser && passedSteps.has('build')) await inTurn([browser, ...otherBrowsers], 'inherit');

/** Each count in the first task and in all, beside its limit. */
const printStart = () => {
  const files = existsSync(startCounts) ? readdirSync(startCounts) : [];
  if (files.length > 0)
    console.log(`\n${'A first visit'.padEnd(32)}${'first task'.padStart(18)}${'until settled'.padStart(18)}`);
  for (const file of files) {
    for (const { what, counted, limits } of JSON.parse(readFileSync(`${startCounts}/${file}`, 'utf8'))) {
      const cells = counted.map((count, i) => `${count} of ${limits[i]}`.padStart(18));
      console.log(what.padEnd(32) + cells.join(''));
    }
  }
};
printStart();
if (repeated.length > 0) console.log(`\nPassed only when repeated:\n${repeated.map((name) => `  ${name}\n`).join('')}`);
if (impossible.length > 0) console.log(`\nNot possible there:\n${impossible.map((name) => `  ${name}\n`).join('')}`);

if (failures.length > 0) console.log(`\nFailed:\n${failures.map((name) => `  ${name}\n`).join('')}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
