// Which files of `test/browser` run when. `test/README.md` says for each file outside the fast set what holds its rule.

/** The fast set: what only a browser can show, in Chromium, in every `npm test`. */
export const fastInChromium = [
  ...['pageView', 'publicApi', 'consent', 'refusal', 'delivery', 'faultsKilled', 'store', 'userChange'],
  ...['adServers', 'prebid', 'companion', 'cachedPages', 'hiddenPages', 'missingFiles', 'prerendering'],
  ...['security/pollution', 'security/ownFiles', 'startCounts', 'inspector', 'studio', 'oneVisitor'],
];

/** The same in Firefox and WebKit: the page view, an exit, the store. */
export const fastElsewhere = ['pageView', 'hiddenPages', 'store'];

/** What `.ci/run` adds in Firefox and WebKit: files that have differed between engines. */
export const widerElsewhere = {
  firefox: [
    ...['policies', 'missingFiles', 'startCounts', 'stateSync', 'consent', 'framedConsent', 'identity'],
    ...['faultsInTask', 'cachedPages', 'userChange', 'delivery'],
  ],
  webkit: [
    ...['policies', 'missingFiles', 'startCounts', 'stateSync', 'framedStorage', 'framedConsent', 'identity'],
    ...['faultsInTask', 'cachedPages', 'faultsKilled', 'accessibility'],
  ],
};

/** What no `.ci/run` runs, because it would take too long: `npm run test:all` does. */
export const leftToAll = [
  {
    what: 'All other files in Firefox and WebKit',
    why: 'Each has its rule held in Chromium, and a file that differs between engines is in the lists above',
  },
  {
    what: 'Films in WebKit',
    why: 'The player of WebKitGTK now and then stands still after a jump; Chromium and Firefox play them in each run',
  },
  {
    what: 'Laws of nightly size',
    why: 'A fixed seed and a tenth of the runs see what has been seen before; new seeds look for what has not',
  },
];
