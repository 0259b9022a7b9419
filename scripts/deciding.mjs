/**
 * The files of `test/browser` that `npm test` runs, in Chromium. `test/README.md` says which files belong here, and
 * what holds the rules of all others.
 */
export const deciding = [
  ...['pageView', 'consent', 'delivery', 'store', 'adServers', 'prebid', 'userChange', 'startCounts', 'refusal'],
  ...['missingFiles', 'hiddenPages', 'policies', 'cachedPages', 'companion', 'activations', 'identity', 'partners'],
  ...['gate', 'earlyWorker', 'preload', 'leftAnswer'],
];
