/**
 * All keys of the SDK's own begin so; erasure goes by it, because other versions have stored under names of their own.
 */
export const ownPrefix = 'permutive-';

/**
 * Keys of local storage (contract: storage). `npm run docs` writes the table in docs/privacy.md from these tables and
 * their comments.
 */
export const localKeys = {
  /** The visitor's id, and whose all other keys here are; also in the cookie that the setting `cookieName` names */
  userId: 'permutive-id',
  /** Since when that id counts, in ms since 1970: the later of two ids is the visitor's. A cookie of that name too */
  userSince: 'permutive-id-since',
  /** Id of the session and the time of its last event */
  session: 'permutive-session',
  /** The visitor's answer about consent; it stays when all else is erased. A refusal is in a cookie of that name too */
  consent: 'permutive-consent',
  /** Cohorts, and the pause between uploads. The setting `stateNamespace` changes the name */
  appState: 'permutive-app',
  /** Accepted events that the journal in IndexedDB has not confirmed; each record has a key that begins so */
  localJournal: 'permutive-local-journal',
  /** Calls of pages that were left before the SDK had come, for the SDK of the next page */
  leftCalls: 'permutive-left-calls',
  /** Identities and small notes */
  notes: 'permutive-data-misc',
  /** Until when codes that ad tags and partners read are true, where they end by themselves */
  codeEnds: 'permutive-code-ends',
  /** The visitor's group of the project's experiment, for the first ad requests of the next page */
  group: 'permutive-group',
  /** What the cohorts mean in taxonomies that Google's tag takes, for the first ad requests of the next page */
  googleSignals: 'permutive-pps',
  /** What the cohorts mean in taxonomies, for the first auctions of the next page */
  prebidData: 'permutive-prebid-data',
  /** Third-party data: the last answer, which segments were reported as used, pauses after failures */
  thirdParty: 'permutive-data-tpd',
  /** The visitor's place and what the last pages are about, for the later pages of the session */
  pageData: 'permutive-data-enrichers',
  /** Which page has begun the visitor's history, in the encrypted store or here: no other page begins one */
  historyBegun: 'permutive-history-begun',
  /** Which tabs live, where the browser has no Web Locks */
  leases: 'permutive-leases',
  /** What Prebid's module reads: cohorts for bidders */
  prebidConfig: 'permutive-prebid-rtd',
  /** What Prebid's module reads: the identity */
  prebidId: 'permutive-prebid-id',
} as const;

/** All keys of session storage begin so; erasure goes by it. */
export const tabPrefix = '__permutive';

/** Keys of session storage. */
export const sessionKeys = {
  /** Overrides of settings for the later pages of the tab: from the address, and whether the inspector is open */
  overrides: '__permutiveConfigQueryParams',
  /** The note that the page's policy has refused the worker, so that later pages of the tab do not ask again */
  workerRefused: '__permutiveWorkerRefused',
  /** What the inspector lets the tab pretend */
  simulation: '__permutiveSimulation',
} as const;

/** Keys of the encrypted store; of local storage where the browser has no IndexedDB to give. */
export const storeKeys = {
  /** Events of previous pages */
  previousPages: 'permutive-events-cache',
  /** Events of this page */
  thisPage: 'permutive-events-for-page',
  /** State of the queries; in local storage also since when the encrypted store could not be read */
  queries: 'permutive-data-queries',
  /** Lookalike models */
  models: 'permutive-data-models',
} as const;

/** Keys of local storage that partners read: codes of the cohorts that the visitor is in. */
export const partnerKeys = {
  /** All cohorts, for Prebid and others */
  all: '_psegs',
  /** For Google Ad Manager; a cookie too */
  googleAdManager: '_pdfps',
  /** For AppNexus; a cookie too */
  appnexus: '_papns',
  /** For Rubicon */
  rubicon: '_prubicons',
  /** For Nativo */
  nativo: '_pnativo',
  /** For FreeWheel */
  freewheel: '_pfws',
  /** For Index Exchange, by other versions of the SDK; here it is only erased */
  index: '_pindexs',
  /** Cohorts that advertisers have bought */
  advertisers: '_ppam',
  /** Cohorts of clean rooms */
  cleanRooms: '_pcrprs',
  /** Cohorts of classification models */
  classificationModels: '_pclmc',
  /** Bidders that get cohorts, and which */
  ssps: '_pssps',
  /** All that bidders get, each cohort in one category, for Prebid's next module */
  cohortStore: '_pcohorts',
} as const;

/** Keys of {@link partnerKeys} that are cookies too. */
export const partnerCookies = [partnerKeys.googleAdManager, partnerKeys.appnexus] as const;

/** Databases of the browser. */
export const databases = {
  /** Events, query state and models, encrypted */
  store: 'permutive-store',
  /** Accepted events until the server has answered for them, and an engine has counted them */
  journal: 'permutive-journal',
} as const;

/**
 * Whether a publisher may not write to this key of local storage. The one of Index Exchange is free, because no addon
 * writes it.
 */
export const isReservedKey = (key: string): boolean =>
  key.startsWith(ownPrefix) || (key !== partnerKeys.index && Object.values<string>(partnerKeys).includes(key));

/**
 * Keys of local storage by which others than the publisher get something of the visitor: bidders and partners. These
 * keys are written only while the visitor does not object to sharing (contract: Global Privacy Control).
 */
export const sharedKeys: readonly string[] = [
  localKeys.prebidConfig,
  localKeys.prebidId,
  localKeys.prebidData,
  localKeys.googleSignals,
  partnerKeys.rubicon,
  partnerKeys.nativo,
  partnerKeys.freewheel,
  partnerKeys.index,
  partnerKeys.advertisers,
  partnerKeys.cleanRooms,
  partnerKeys.ssps,
  partnerKeys.cohortStore,
];

/**
 * Name of the lock that a page holds while it lives, and that no other page takes over. The engine's host looks for it
 * before it counts the events of another page.
 */
export const aliveLock = (page: string): string => `permutive-alive-${page}`;

/** Name of the lock of a page whose events nobody else may deliver. */
export const pageLock = (page: string): string => `permutive-page-${page}`;
