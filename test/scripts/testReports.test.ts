import {
  afterRepeat,
  countsOf,
  failedNames,
  filesOf,
  type Tested,
  type TestedFile,
} from '../../scripts/testReports.mjs';

const passed = (fullName: string): Tested => ({ fullName, status: 'passed' });
const failed = (fullName: string): Tested => ({ fullName, status: 'failed', failureMessages: ['Expected: 1'] });
const notRun = (fullName: string): Tested => ({ fullName, status: 'pending' });
const file = (...tests: readonly Tested[]): TestedFile => ({ path: '/a.test.ts', seconds: 1, tests });
const broken = (why: string): TestedFile => ({ ...file(), broken: why });

describe('A file of a report', () => {
  const result = { name: '/a.test.ts', startTime: 1000, endTime: 2500, status: 'failed', message: 'Cannot find x' };

  it('is broken where it has failed without a failed test', () => {
    expect(filesOf({ testResults: [{ ...result, assertionResults: [] }] })).toEqual([
      { path: '/a.test.ts', seconds: 1.5, broken: 'Cannot find x', tests: [] },
    ]);
    expect(filesOf({ testResults: [{ ...result, assertionResults: [failed('a')] }] })[0]).not.toHaveProperty('broken');
    expect(filesOf({})).toEqual([]);
  });

  it('names its failed tests for another run, letter by letter', () => {
    const pattern = new RegExp(failedNames(file(passed('a'), failed('a (b)'), failed('c.d $1')))!);
    expect(['a', 'a (b)', 'a b', 'c.d $1', 'cxd $1', 'a (b) c'].filter((name) => pattern.test(name))).toEqual([
      'a (b)',
      'c.d $1',
    ]);
  });

  it('runs again as a whole where it is broken', () => {
    expect(failedNames(broken('x'))).toBeUndefined();
  });
});

describe('A failed test that runs again', () => {
  it('has passed if it passes then, and is named', () => {
    const after = afterRepeat(file(passed('a'), failed('b')), file(notRun('a'), passed('b')));
    expect(after).toEqual({ file: file(passed('a'), { ...failed('b'), status: 'passed' }), repeated: ['b'] });
  });

  it.each([
    ['fails again', file(notRun('a'), failed('b'))],
    ['does not run', file(notRun('a'), notRun('b'))],
    ['is not found', file(passed('a'))],
    ['passes in one of two tests of its name', file(passed('b'), failed('b'))],
    ['is in a file that cannot be loaded any more', { ...file(passed('b')), broken: 'x' }],
    ['is in a run that dies', undefined],
  ])('has failed if it %s', (_, again) => {
    const before = file(passed('a'), failed('b'));
    expect(afterRepeat(before, again)).toEqual({ file: before, repeated: [] });
  });

  it('is counted with its file, where that could not be loaded at first', () => {
    expect(afterRepeat(broken('x'), file(passed('a')))).toEqual({ file: file(passed('a')), repeated: ['/a.test.ts'] });
    expect(afterRepeat(broken('x'), file(failed('a')))).toEqual({ file: file(failed('a')), repeated: [] });
  });
});

describe('The counts of files', () => {
  it('have skipped tests and broken files among the failed ones', () => {
    const counts = countsOf([
      file(passed('a'), failed('b'), notRun('c'), { fullName: 'd', status: 'todo' }),
      broken('x'),
    ]);
    expect(counts).toEqual({
      passed: 1,
      failed: 3,
      failures: ['b\n      Expected: 1\n', 'c (skipped)', '/a.test.ts\n      x\n'],
      impossible: ['d'],
    });
  });
});
