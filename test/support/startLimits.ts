/**
 * What the start of a first visit may do at most, in its first task and until the page has settled. `npm test` prints
 * what it does. A limit is lowered here when the start has become smaller; a rise needs a reason.
 */
export const startLimits = {
  requests: [1, 10],
  'scripts of the page': [1, 3],
  'kB of script': [128, 158],
  timers: [6, 448],
  'idle callbacks and frames': [0, 0],
  'yields to the page': [0, 0],
  'event listeners': [5, 14],
  'IndexedDB transactions': [0, 5],
  'IndexedDB writes': [0, 4],
  'IndexedDB reads': [0, 1],
  'local storage reads': [16, 30],
  'local storage writes': [4, 16],
  'session storage operations': [2, 2],
  'cookie reads': [1, 3],
  'cookie writes': [1, 3],
  'messages to the worker': [1, 6],
  'messages from the worker': [0, 7],
  subscriptions: [654, 1418],
} as const satisfies Readonly<Record<string, Counted>>;

/** In the first task, and in all. */
export type Counted = readonly [firstTask: number, all: number];

export type StartCounts = Partial<Readonly<Record<keyof typeof startLimits, Counted>>>;
