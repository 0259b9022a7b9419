/**
 * What the start of a first visit may do at most, in its first task and until the page has settled. `npm test` prints
 * what it does. A limit is lowered here when the start has become smaller; a rise needs a reason. Where a count depends
 * on how soon the disk or the worker answers, its limit has a small reserve.
 */
export const startLimits = {
  // The page script asks for the main part, and for the deferred parts.
  requests: [2, 15],
  'scripts of the page': [1, 4],
  // The page script has the source of the worker, which reads the definitions as data, and opens the worker.
  // Two of them tell buyers what cohorts mean.
  // What other pages and versions have left is taken over in parts, one page after the other.
  // A pixel is a fetch, or an image where the policy refuses that, and is taken back where it has failed. Activations
  // name purposes of their own.
  // A consent platform says which vendors it has shown, and which purposes the publisher keeps from a vendor.
  // What a project's experiment may change goes through one function.
  // The data layer is told of segments. What cohorts mean is kept for the companion of the next page.
  'kB of script': [11, 260],
  // The page script says later what a start waits for.
  timers: [1, 70],
  'idle callbacks and frames': [0, 0],
  'yields to the page': [1, 24],
  // One hears that the page is left before the main part has come. Two hear when a script has loaded and when the page
  // is parsed: an ad tag or consent platform may be there then. Two each of consent and user hear that the page is
  // shown and that a cookie of the site has changed.
  // The page script hears of a refused worker, and of what the worker of this test says.
  'event listeners': [3, 32],
  // Where somebody measures a page, the browser parses all functions in the stack of each error again.
  'errors made': [0, 3],
  // The journal takes what the page accepts in one task at once. The first download of lookalike models is an event.
  'IndexedDB transactions': [0, 7],
  'IndexedDB writes': [0, 7],
  'IndexedDB reads': [0, 1],
  // Each write reads first whose the storage is, and codes that have ended are looked for. The cohorts of the
  // contextual service are one more change to write. What Prebid's next module reads is made of eleven other keys.
  // Two look at the entries that the companion of this page has told. The page script looks for consent.
  // A list of all keys is a read for each, and two more may be stored by then.
  'local storage reads': [1, 131],
  // A page that begins the visitor's history notes it. Two writes keep what the companion has to tell.
  'local storage writes': [0, 43],
  // The page script looks whether an earlier page was refused a worker.
  'session storage operations': [1, 3],
  // The browser tells the page of the id that the page itself has written, and consent and user are looked at.
  // The page script looks for a refusal.
  'cookie reads': [1, 12],
  'cookie writes': [0, 3],
  // Two say which entries are tracked: those of the page view, and those that services lead to a moment later.
  'messages to the worker': [0, 11],
  // One asks whether this page begins the visitor's history. Ends of cohorts may come before the first cohorts.
  'messages from the worker': [0, 10],
  // The same in each run.
  subscriptions: [205, 1270],
} as const satisfies Readonly<Record<string, Counted>>;

/**
 * What the SDK may keep in the heap of a page that has settled, after a garbage collection, in kB. Visits differ by up
 * to 20 kB, and a machine that is busy with two other things adds 40: the page then goes ways of the code that it does
 * not go else. So the limit is two percent above what a quiet machine has, which is 3104 to 3108. The page that this is
 * compared with has the page script and no tag.
 */
export const heapLimit = 3165;

/** In the first task, and in all. */
export type Counted = readonly [firstTask: number, all: number];

export type StartCounts = Partial<Readonly<Record<keyof typeof startLimits, Counted>>>;
