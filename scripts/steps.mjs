// Everything that must hold, in the plans that `scripts/test.mjs` runs: `check`, `test`, `wide` and `all`.
import { availableParallelism } from 'node:os';

import { fastElsewhere, fastInChromium, widerElsewhere } from './browserSets.mjs';

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {string} command
 * @property {readonly string[]} args
 * @property {number} [share] Processor seconds that the step may take before the run says that it has outgrown them.
 * @property {string} [report] Where the step is a test run: the file for its counts.
 * @property {Readonly<Record<string, string>>} [env] Added to the environment.
 * @property {readonly Step[]} [next] Steps that need this one to have passed.
 */

/**
 * @typedef {object} Plan
 * @property {readonly string[]} needs Programs that the steps use beside Node, by their names in `scripts/needs.ts`.
 * @property {readonly (readonly Step[])[]} lanes Lanes run side by side, the steps of a lane one after the other.
 * @property {readonly Step[]} browsers After the lanes, one after the other. They need the steps called `build`.
 */

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

/** These files of browser tests in one browser. */
const inBrowser = (title, name, share, files, ...args) => {
  const pattern = `test/browser/(${files.join('|')})\\.test\\.ts$`;
  return tests(title, share, '--selectProjects', browsers[name], workers, '--testPathPatterns', pattern, ...args);
};

/** All files but these in one browser, in so many runs, so that a runner that dies takes only a part along. */
const allBut = (name, count, files = []) =>
  Array.from({ length: count }, (_, each) =>
    tests(
      `${name} ${each + 1}/${count}`,
      undefined,
      ...['--selectProjects', browsers[name], workers, `--shard=${each + 1}/${count}`],
      ...files.flatMap((file) => ['--testPathIgnorePatterns', `test/browser/${file}\\.test\\.ts$`]),
    ),
  );

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
const broker = tests('broker', 60, '--selectProjects', 'broker', '--maxWorkers=1');

/** Both lanes take about as long on two cores. */
const checkLanes = [unitParts.slice(0, 3), [built(size, compatibility), ...checked, ...unitParts.slice(3)]];

const fast = [
  inBrowser('chromium', 'chromium', 560, fastInChromium),
  inBrowser('firefox', 'firefox', 130, fastElsewhere),
  inBrowser('webkit', 'webkit', 130, fastElsewhere),
];

const everywhere = ['chromium', 'firefox', 'webkit'];
const nightly = (step, env = {}) => ({
  ...step,
  share: undefined,
  env: { LAWS: 'nightly', VISITOR_SEEDS: '30', ...env },
});

/** @type {Readonly<Record<string, Plan>>} */
export const plans = {
  /** Needs Node alone. */
  check: { needs: [], lanes: checkLanes, browsers: [] },
  test: { needs: everywhere, lanes: checkLanes, browsers: fast },
  /** What `.ci/run` adds to `test`. */
  wide: {
    needs: [...everywhere, 'nats-server'],
    lanes: [[broker], [built(packed, preact)]],
    browsers: [
      ...allBut('chromium', 2, fastInChromium),
      ...Object.entries(widerElsewhere).map(([name, files]) => inBrowser(`${name} wider`, name, undefined, files)),
    ],
  },
  all: {
    needs: [...everywhere, 'nats-server'],
    lanes: [
      [...unitParts.map((step) => nightly(step)), broker],
      [script('typecheck'), ...checked, built(size, compatibility, packed, preact)],
    ],
    browsers: everywhere.flatMap((name) =>
      allBut(name, 2).map((step) => nightly(step, { LEDGER_STORIES: name === 'chromium' ? '40' : '15' })),
    ),
  },
};
