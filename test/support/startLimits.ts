/**
 * What the start of a first visit may do at most, in its first task and until the page has settled. `npm test` prints
 * what it does. A limit is lowered here when the start has become smaller; a rise needs a reason. Where a count depends
 * on how soon the disk or the worker answers, its limit has a small reserve.
 */
export const startLimits = {
  requests: [0, 15],
  'scripts of the page': [1, 3],
  // The page script has the source of the worker, which reads the definitions as data.
  'kB of script': [121, 222],
  timers: [0, 75],
  'idle callbacks and frames': [0, 0],
  'yields to the page': [1, 24],
  // Two hear when a script has loaded and when the page is parsed: an ad tag or consent platform may be there then.
  'event listeners': [1, 27],
  // Where somebody measures a page, the browser parses all functions in the stack of each error again.
  'errors made': [0, 3],
  'IndexedDB transactions': [0, 6],
  'IndexedDB writes': [0, 6],
  'IndexedDB reads': [0, 1],
  // Each write reads first whose the storage is. The cohorts of the contextual service are one more change to write.
  'local storage reads': [0, 110],
  'local storage writes': [0, 40],
  'session storage operations': [0, 3],
  'cookie reads': [0, 8],
  'cookie writes': [0, 3],
  'messages to the worker': [0, 9],
  'messages from the worker': [0, 8],
  subscriptions: [274, 1850],
} as const satisfies Readonly<Record<string, Counted>>;

/** What the SDK may keep in the heap of a page that has settled, after a garbage collection, in kB. */
export const heapLimit = 2900;

/** In the first task, and in all. */
export type Counted = readonly [firstTask: number, all: number];

export type StartCounts = Partial<Readonly<Record<keyof typeof startLimits, Counted>>>;
