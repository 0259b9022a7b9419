// Everything that must hold, in the plans that `scripts/test.mjs` runs: `check`, `test` and `all`.
import { availableParallelism } from 'node:os';

import { deciding } from './deciding.mjs';

const script = (name, share, next = [], args = []) => ({
  title: name,
  command: 'npm',
  args: ['run', '--silent', name, ...args],
  share,
  next,
});

const tests = (title, share, ...args) => {
  const report = `reports/${title.replace(/\W+/g, '-')}.json`;
  return { title, command: 'npx', args: ['jest', ...args, '--json', `--outputFile=${report}`], report, share };
};

/** Jest's projects for the browsers, Chromium first. */
export const browsers = { chromium: 'browser', firefox: 'browser-firefox', webkit: 'browser-webkit' };

const workers = `--maxWorkers=${Math.min(2, availableParallelism())}`;

/** A run of browser tests. Beside others a browser may be slower than a test waits, so a failed test runs again. */
const inBrowser = (name, title, share, ...args) => {
  const project = browsers[name];
  return { ...tests(title, share, '--selectProjects', project, workers, ...args), project, program: name, repeats: 2 };
};

/** These files, in Chromium. */
const inChromium = (title, share, files) =>
  inBrowser('chromium', title, share, '--testPathPatterns', `test/browser/(${files.join('|')})\\.test\\.ts$`);

/** All files in one browser, in so many runs, so that a runner that dies takes only a part along. */
const allIn = (name, count) =>
  Array.from({ length: count }, (_, each) =>
    inBrowser(name, `${name} ${each + 1}/${count}`, undefined, `--shard=${each + 1}/${count}`),
  );

/** A run of one file of a step in a browser, alone: of the tests whose names match, of all where nothing is said. */
export const runAgain = ({ title, project, env }, path, names) => ({
  ...tests(
    `${title} again`,
    undefined,
    ...['--selectProjects', project, '--runInBand', '--runTestsByPath', path],
    ...(names === undefined ? [] : ['--testNamePattern', names]),
  ),
  env,
});

/** Unit and marble tests in so many parts, so that two lanes take about as long. */
const unitParts = Array.from({ length: 4 }, (_, each) =>
  tests(
    `unit ${each + 1}/4`,
    75,
    ...['--selectProjects', 'marbles', 'unit', 'react18', '--maxWorkers=1', `--shard=${each + 1}/4`],
  ),
);

// `lint` checks types too.
const checked = [
  script('lint', 90),
  script('sentences', 6),
  script('layers', 8),
  script('measure', 5, [], ['--', '--check']),
  script('unused', 10),
];
const built = (...next) => script('build', 25, next);
const [size, compatibility, preact] = [script('size', 2), script('compatibility', 10), script('build:preact', 16)];
const packed = tests('package', 130, '--selectProjects', 'package');
/** One installation, by the Node that runs: no other has to be downloaded. */
const packedOnce = {
  ...tests(
    'package',
    70,
    ...['--selectProjects', 'package', '--testPathIgnorePatterns', 'test/package/command\\.test\\.ts$'],
  ),
  env: { NODES: 'running' },
};
const broker = { ...tests('broker', 60, '--selectProjects', 'broker', '--maxWorkers=1'), program: 'nats-server' };

/** Both lanes take about as long on two cores. */
const checkLanes = [unitParts.slice(0, 3), [built(size, compatibility), ...checked, ...unitParts.slice(3)]];
const testLanes = [unitParts, [built(size, compatibility, packedOnce), ...checked]];

const nightly = (step, env = {}) => ({
  ...step,
  share: undefined,
  env: { LAWS: 'nightly', VISITOR_SEEDS: '30', ...env },
});

/** All steps of a plan, those too that need others. */
export const stepsOf = ({ lanes, browsers }) => {
  const withNext = (step) => [step, ...(step.next ?? []).flatMap(withNext)];
  return [...lanes.flat(), ...browsers].flatMap(withNext);
};

export const plans = {
  /** Needs Node alone. */
  check: { lanes: checkLanes, browsers: [] },
  /** What decides whether a commit lands: it leaves out the tests that take long, and those that fail by luck. */
  test: {
    lanes: testLanes,
    browsers: [inChromium('chromium', 400, deciding)],
  },
  all: {
    lanes: [
      [...unitParts.map((step) => nightly(step)), broker],
      [script('typecheck'), ...checked, built(size, compatibility, packed, preact)],
    ],
    browsers: Object.keys(browsers).flatMap((name) =>
      allIn(name, 2).map((step) => nightly(step, { LEDGER_STORIES: name === 'chromium' ? '40' : '15' })),
    ),
  },
};
