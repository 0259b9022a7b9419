// Everything that must hold, as `npm run check` and `npm test` run it.

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {string} command
 * @property {readonly string[]} args
 * @property {string} [report] Where the step is a test run: the file for its counts.
 * @property {readonly Step[]} [next] Steps that need this one to have passed.
 */

const script = (name, next = [], args = []) => ({
  title: name,
  command: 'npm',
  args: ['run', '--silent', name, ...args],
  next,
});

const tests = (title, ...args) => {
  const report = `reports/${title}.json`;
  return { title, command: 'npx', args: ['jest', ...args, '--json', `--outputFile=${report}`], report };
};

/** Lanes run side by side, the steps of a lane one after the other: both take about as long on two cores. */
export const lanes = [
  [
    tests('unit', '--selectProjects', 'marbles', 'unit', 'react18', '--maxWorkers=1'),
    tests('broker', '--selectProjects', 'broker', '--maxWorkers=1'),
  ],
  [
    script('typecheck'),
    script('lint'),
    script('sentences'),
    script('layers'),
    script('measure', [], ['--', '--check']),
    script('unused'),
    script('law'),
    script('build', [
      script('size'),
      script('compatibility'),
      tests('package', '--selectProjects', 'package'),
      script('build:preact'),
    ]),
  ],
];

/** After them, on a machine that does nothing else: the built bundle in a browser. */
export const browser = tests('browser', '--selectProjects', 'browser', '--maxWorkers=2');

/** Jest's projects for the browsers, Chromium first. */
export const browsers = ['browser', 'browser-firefox', 'browser-webkit'];

/** The files of tests that `npm test` runs in a browser other than Chromium: quick ones that have all passed there. */
const inOthers = {
  firefox: [
    ...['pageView', 'policies', 'userChange', 'store', 'delivery', 'hiddenPages', 'missingFiles'],
    ...['startCounts', 'stateSync', 'adServers', 'cohortNames', 'cohortServicesPage', 'consent'],
    ...['framedConsent', 'identity', 'partners', 'faultsInTask', 'studioTry', 'publisherPages'],
    ...['video', 'waiting', 'accessibility', 'cachedPages'],
  ],
  webkit: [
    ...['pageView', 'policies', 'startCounts', 'stateSync', 'cohortNames', 'identity', 'refusal', 'hiddenPages'],
    ...['missingFiles', 'cohortServicesPage', 'adServers', 'video', 'faultsInTask', 'framedStorage', 'publisherPages'],
    ...['outsideAddon', 'studioTry', 'framedConsent', 'delivery', 'faults', 'accessibility', 'cachedPages', 'store'],
    ...['cohortServicesThirdParty', 'faultsKilled', 'partners', 'activations'],
  ],
};

/** After Chromium, the other browsers. */
export const otherBrowsers = Object.entries(inOthers).map(([name, files]) =>
  tests(
    name,
    ...['--selectProjects', `browser-${name}`, '--maxWorkers=2'],
    ...['--testPathPatterns', `test/browser/(${files.join('|')})\\.test\\.ts$`],
  ),
);
