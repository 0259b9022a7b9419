// npm run bench:engine -- [--quick] [--json FILE]
// What an event, a start and the state cost, and how that compares with others in the same run. Ratios are what to
// look at: absolute numbers are the machine's.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

import { buildChild, engineSizes } from './bundle';
import type { Task } from './child';
import { subjects } from './matchers';
import { median } from './measure';
import { printTable } from './table';
import type { Numbers } from './tasks';
import type { Shape, Size } from './workload';

const flags = process.argv.slice(2);
const isQuick = flags.includes('--quick');
const jsonFile = flags.includes('--json') ? flags[flags.indexOf('--json') + 1] : undefined;
const runs = isQuick ? 1 : 3;
const shapes: readonly Shape[] = ['selective', 'dense'];
const product = <A, B>(as: readonly A[], bs: readonly B[]): readonly (readonly [A, B])[] =>
  as.flatMap((a) => bs.map((b) => [a, b] as const));

const sizes: readonly Size[] = isQuick
  ? [100, 1000, 5000].map((cohorts) => ({ cohorts, events: 2000, shape: 'selective' }))
  : product(shapes, product([100, 1000, 5000], [200, 2000, 10_000])).map(([shape, [cohorts, events]]) => ({
      cohorts,
      events,
      shape,
    }));
const contests: readonly Size[] = product(isQuick ? (['selective'] as const) : shapes, [100, 1000, 5000]).map(
  ([shape, cohorts]) => ({ cohorts, events: isQuick ? 1000 : 2000, shape }),
);

const nameOf = ({ cohorts, events, shape }: Size): string => `${cohorts} ${shape} × ${events}`;

const file = await buildChild();

const ask = (
  task: Task,
  ...options: readonly string[]
): { readonly ok: boolean; readonly answer: unknown; readonly error: string } => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--expose-gc', '--max-old-space-size=4096', ...options, file, JSON.stringify(task)],
    { encoding: 'utf8', maxBuffer: 1e8 },
  );
  return { ok: status === 0, answer: status === 0 ? (JSON.parse(stdout) as unknown) : null, error: stderr };
};

const answerOf = (task: Task): unknown => {
  const { ok, answer, error } = ask(task);
  if (!ok) throw new Error(`${JSON.stringify(task)}\n${error}`);
  return answer;
};

/** The median of each number over several processes. */
const medians = (all: readonly Numbers[]): Numbers =>
  Object.fromEntries(Object.keys(all[0] ?? {}).map((key) => [key, median(all.map((numbers) => numbers[key] ?? NaN))]));

const repeated = (task: Task): readonly unknown[] => Array.from({ length: runs }, () => answerOf(task));
const numbersOf = (task: Task): Numbers => medians(repeated(task) as readonly Numbers[]);

/** Whether a subject fails where functions may not be made from text. */
const needsEval = (subject: string): boolean =>
  !ask(
    { task: 'matching', subject, size: { cohorts: 30, events: 60, shape: 'selective' } },
    '--disallow-code-generation-from-strings',
  ).ok;

interface Life {
  readonly size: Size;
  readonly numbers: Numbers;
}

const measureLife = (size: Size): Life => {
  const engine = numbersOf({ task: 'life', size });
  const limit = numbersOf({ task: 'limit', size });
  if (engine['members'] !== limit['members'])
    throw new Error(
      `${nameOf(size)}: the engine has ${engine['members'] ?? NaN} members, the one made by hand ${limit['members'] ?? NaN}`,
    );
  console.error(`${nameOf(size)} done`);
  const timesLimit = (engine['eventMeanUs'] ?? NaN) / (limit['eventMeanUs'] ?? NaN);
  return {
    size,
    numbers: { ...engine, limitUs: limit['eventMeanUs'] ?? NaN, limitHeapBytes: limit['heapBytes'] ?? NaN, timesLimit },
  };
};

interface Contestant {
  readonly name: string;
  readonly needsEval: boolean;
  readonly numbers: Numbers;
}

const measureContest = (size: Size): readonly Contestant[] => {
  let expected: string | null = null;
  const contestants = subjects.map(({ name }) => {
    const answers = repeated({ task: 'matching', subject: name, size }) as readonly {
      readonly digest: string;
      readonly numbers: Numbers;
    }[];
    for (const { digest } of answers) {
      expected ??= digest;
      if (digest !== expected)
        throw new Error(`${name} finds other matches than ${subjects[0]?.name ?? ''} in ${nameOf(size)}`);
    }
    console.error(`${nameOf(size)} ${name} done`);
    return { name, needsEval: evals.get(name) === true, numbers: medians(answers.map(({ numbers }) => numbers)) };
  });
  const whole = numbersOf({ task: 'life', size });
  const limit = numbersOf({ task: 'limit', size });
  const row = (name: string, us: number | undefined, heapBytes: number | undefined): Contestant => ({
    name,
    needsEval: false,
    numbers: { matchMeanUs: us ?? NaN, heapBytes: heapBytes ?? NaN },
  });
  return [
    row('made by hand, matches only', limit['matchMeanUs'], limit['heapBytes']),
    row('made by hand, whole event', limit['eventMeanUs'], limit['heapBytes']),
    row('this engine, whole event', whole['eventMeanUs'], whole['heapBytes']),
    ...contestants,
  ];
};

const us = (value: number | undefined): string =>
  value === undefined ? '' : value >= 100 ? value.toFixed(0) : value.toFixed(1);
const mb = (value: number | undefined): string => ((value ?? NaN) / 1e6).toFixed(1);

const printLives = (lives: readonly Life[]): void => {
  printTable(
    'An event, in µs (mean: processor time; the rest: wall time, of each event the best of three passes)',
    ['cohorts × events', 'mean', 'p50', 'p95', 'p99', 'view mean', 'view p95', 'transitions', 'by hand', '× by hand'],
    lives.map(({ size, numbers }) => [
      nameOf(size),
      ...[
        'eventMeanUs',
        'eventP50Us',
        'eventP95Us',
        'eventP99Us',
        'viewMeanUs',
        'viewP95Us',
        'transitionsPerEvent',
        'limitUs',
        'timesLimit',
      ].map((key) => us(numbers[key])),
    ]),
  );
  printTable(
    'Starts and replay, in ms of processor time (first: wall time, nothing compiled yet), and the idle tick in µs',
    ['cohorts × events', 'first', 'start', 'parse', 'decode', 'compile', 'load', 'replay 600', 'replay all', 'tick'],
    lives.map(({ size, numbers }) => [
      nameOf(size),
      ...[
        'firstStartMs',
        'startMs',
        'parseMs',
        'decodeMs',
        'compileMs',
        'loadMs',
        'replay600Ms',
        'replayAllMs',
        'tickUs',
      ].map((key) => us(numbers[key])),
    ]),
  );
  printTable(
    'Space',
    [
      'cohorts × events',
      'bundle MB',
      'heap MB',
      'by hand MB',
      'members',
      'states',
      'bytes a state',
      'packed',
      'full sync kB',
    ],
    lives.map(({ size, numbers }) => [
      nameOf(size),
      ...['definitionBytes', 'heapBytes', 'limitHeapBytes'].map((key) => mb(numbers[key])),
      ...['members', 'statesWritten', 'bytesPerState', 'packedBytesPerState'].map((key) => us(numbers[key])),
      us((numbers['syncBytes'] ?? NaN) / 1000),
    ]),
  );
};

const printContest = (size: Size, contestants: readonly Contestant[]): void => {
  const whole = contestants.find(({ name }) => name === 'this engine, whole event')?.numbers['matchMeanUs'] ?? NaN;
  const index = contestants.find(({ name }) => name === 'this engine, its index')?.numbers['matchMeanUs'] ?? NaN;
  printTable(
    `Finding the cohorts that an event meets: ${size.cohorts} ${size.shape}. Peers count nothing, and get paths, hosts and titles already taken apart`,
    ['', 'µs an event', '× whole event', '× index', 'heap MB', 'eval'],
    contestants.map(({ name, needsEval: evaluates, numbers }) => {
      const mean = numbers['matchMeanUs'] ?? NaN;
      return [
        name,
        us(mean),
        (mean / whole).toFixed(2),
        (mean / index).toFixed(2),
        mb(numbers['heapBytes']),
        evaluates ? 'needs it' : '',
      ];
    }),
  );
};

const bytes = await engineSizes();
printTable(
  'Size',
  ['', 'bytes gzip'],
  Object.entries(bytes).map(([name, size]) => [name, String(size)]),
);
const lives = sizes.map(measureLife);
printLives(lives);
const evals = new Map(subjects.map(({ name }) => [name, needsEval(name)]));
const results = contests.map((size) => {
  const contestants = measureContest(size);
  printContest(size, contestants);
  return { size, contestants };
});
if (jsonFile !== undefined)
  writeFileSync(
    jsonFile,
    `${JSON.stringify({ node: process.version, runs, lives, contests: results, bytes }, null, 2)}\n`,
  );
