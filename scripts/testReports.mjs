// What Jest's reports say of files of tests, and what a failed test is worth that passes when it runs again.
import { stripVTControlCharacters } from 'node:util';

/** The files of a report. */
export const filesOf = ({ testResults = [] }) =>
  testResults.map(({ name, startTime, endTime, status, message, assertionResults }) => ({
    path: name,
    seconds: (endTime - startTime) / 1000,
    ...(status === 'failed' && !assertionResults.some((test) => test.status === 'failed') && { broken: message }),
    tests: assertionResults,
  }));

const failedTests = ({ tests }) => tests.filter(({ status }) => status === 'failed');

export const hasFailed = (file) => file.broken !== undefined || failedTests(file).length > 0;

const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** The pattern by which Jest runs only the failed tests of a file; undefined where all of them have to run again. */
export const failedNames = (file) => {
  const names = failedTests(file).map(({ fullName }) => escaped(fullName));
  return file.broken === undefined ? `^(${names.join('|')})$` : undefined;
};

/**
 * A file of which the failed tests ran again, as `again` says; undefined where that run has died. A test has passed if
 * all tests of its name passed then, and `repeated` has its name. All other failed tests have failed as before.
 */
export const afterRepeat = (file, again) => {
  if (again === undefined) return { file, repeated: [] };
  if (file.broken !== undefined) return { file: again, repeated: hasFailed(again) ? [] : [file.path] };
  const hasPassed = ({ fullName, status }) => {
    const outcomes = again.tests.filter((test) => test.fullName === fullName);
    return status === 'failed' && outcomes.length > 0 && outcomes.every((test) => test.status === 'passed');
  };
  return again.broken === undefined
    ? {
        file: { ...file, tests: file.tests.map((test) => (hasPassed(test) ? { ...test, status: 'passed' } : test)) },
        repeated: file.tests.filter(hasPassed).map(({ fullName }) => fullName),
      }
    : { file, repeated: [] };
};

/** Lines of a failure that are told again at the end: enough for what was expected and what came instead. */
const toldLines = 15;

const firstLines = (message) =>
  stripVTControlCharacters(message)
    .split('\n')
    .slice(0, toldLines)
    .map((line) => `      ${line}\n`)
    .join('');

/**
 * What the files add to the closing lines of a run. A skipped test and a file that does not run are failures: nothing
 * passes by not being tried. `impossible` are tests that a browser cannot run, which Jest has as tests to be written.
 */
export const countsOf = (files) => {
  const tests = files.flatMap((file) => file.tests);
  const having = (status) => tests.filter((test) => test.status === status);
  const broken = files.filter((file) => file.broken !== undefined);
  return {
    passed: having('passed').length,
    failed: having('failed').length + having('pending').length + broken.length,
    failures: [
      ...having('failed').map((test) => `${test.fullName}\n${firstLines((test.failureMessages ?? []).join('\n'))}`),
      ...having('pending').map((test) => `${test.fullName} (skipped)`),
      ...broken.map((file) => `${file.path}\n${firstLines(file.broken)}`),
    ],
    impossible: having('todo').map((test) => test.fullName),
  };
};
