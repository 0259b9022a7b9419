import {
  type databases,
  type localKeys,
  type partnerKeys,
  type sessionKeys,
  type storeKeys,
} from '../src/model/storageKeys';

/** What a data-protection officer asks of a stored name, beside what it holds. */
interface Declaration {
  /** The purpose of the stored data. */
  readonly purpose: string;
  /** How long the data stays. A refusal, a `reset()` and the browser's own clearing end everything sooner. */
  readonly lifeTime: string;
  /** The ground of law on which the data may be stored. */
  readonly basis: string;
}

/** A name of one of the tables in `src/model/storageKeys.ts`. */
type StoredName =
  | keyof typeof localKeys
  | keyof typeof partnerKeys
  | keyof typeof sessionKeys
  | keyof typeof storeKeys
  | keyof typeof databases;

const consent = 'consent';
const necessary = 'strictly necessary: it carries out the visitor’s own choice';
const untilReplaced = 'until the next page view replaces it';

const forAdvertising = { purpose: 'advertising: cohorts in ad requests', lifeTime: untilReplaced, basis: consent };
const ofOtherVersions = { purpose: 'none: it is only erased', lifeTime: 'none', basis: 'none' };

/** By name in `src/model/storageKeys.ts`. The compiler keeps it complete. */
export const declarations: Readonly<Record<StoredName, Declaration>> = {
  codeEnds: forAdvertising,
  group: { purpose: 'measurement: whether cohorts make a difference', lifeTime: untilReplaced, basis: consent },
  googleSignals: forAdvertising,
  prebidData: forAdvertising,
  userId: {
    purpose: 'measurement and advertising: recognise the browser',
    lifeTime: 'cookie: `cookieExpiry`; local storage: no end of its own',
    basis: consent,
  },
  userSince: {
    purpose: 'let no tab bring an id back that another has replaced',
    lifeTime: 'as the id',
    basis: consent,
  },
  session: {
    purpose: 'measurement: page views that belong together',
    lifeTime: 'counts for 30 minutes after the last event',
    basis: consent,
  },
  consent: { purpose: 'remember the visitor’s answer', lifeTime: 'until another answer', basis: necessary },
  appState: {
    purpose: 'know the cohorts at once, and spare a server in trouble',
    lifeTime: untilReplaced,
    basis: consent,
  },
  localJournal: { purpose: 'lose no event', lifeTime: 'until the server has answered', basis: consent },
  leftCalls: { purpose: 'lose no event', lifeTime: 'until the next page with the SDK', basis: consent },
  notes: {
    purpose: 'advertising: identities of partners; what addons and cohort services did before',
    lifeTime: 'an identity: one day, or what its source says; notes: until replaced',
    basis: consent,
  },
  pageData: {
    purpose: 'measurement: place and content of page views',
    lifeTime: 'counts in one session; the oldest of ten pages go first',
    basis: consent,
  },
  thirdParty: {
    purpose: 'advertising: segments that data providers know the visitor by',
    lifeTime: 'used for one day, or for seven where the providers cannot be reached',
    basis: consent,
  },
  historyBegun: { purpose: 'keep one history of a visitor with several tabs', lifeTime: 'as the id', basis: consent },
  leases: { purpose: 'one tab sends each event', lifeTime: 'some seconds after the last tab', basis: consent },
  prebidConfig: { ...forAdvertising, purpose: 'advertising: cohorts for bidders' },
  prebidId: { ...forAdvertising, purpose: 'advertising: identities for bidders' },
  all: forAdvertising,
  googleAdManager: { ...forAdvertising, lifeTime: `${untilReplaced}; cookie: \`cookieExpiry\`` },
  appnexus: { ...forAdvertising, lifeTime: `${untilReplaced}; cookie: \`cookieExpiry\`` },
  rubicon: forAdvertising,
  nativo: forAdvertising,
  freewheel: forAdvertising,
  index: ofOtherVersions,
  advertisers: forAdvertising,
  cleanRooms: forAdvertising,
  classificationModels: forAdvertising,
  ssps: forAdvertising,
  cohortStore: forAdvertising,
  overrides: {
    purpose: 'apply the settings that the address asked for, and keep the inspector open',
    lifeTime: 'until the tab ends',
    basis: consent,
  },
  workerRefused: {
    purpose: 'cause one report of a policy violation and not one on each page; nothing of the visitor',
    lifeTime: 'until the tab ends',
    basis: consent,
  },
  simulation: {
    purpose: 'let an engineer see the page as another visitor would; written by the inspector only',
    lifeTime: 'until the tab ends',
    basis: consent,
  },
  previousPages: {
    purpose: 'measurement and advertising: cohorts over the visitor’s history',
    lifeTime: '`eventsTTLInDays`; the oldest go at `eventsCacheLimitBytes`',
    basis: consent,
  },
  thisPage: {
    purpose: 'measurement and advertising: cohorts over the visitor’s history',
    lifeTime: 'until the next page view moves it to the events of previous pages',
    basis: consent,
  },
  queries: {
    purpose: 'measurement and advertising: how far each query has counted',
    lifeTime: 'counts end with the query’s own window',
    basis: consent,
  },
  models: { purpose: 'advertising: weights of models, nothing of the visitor', lifeTime: '7 days', basis: consent },
  store: { purpose: 'holds the four names above', lifeTime: 'as they do', basis: consent },
  journal: {
    purpose: 'lose no event',
    lifeTime: 'until the server has answered, and an engine has counted the event',
    basis: consent,
  },
};
