/** What `permutive.doctor()` has seen of a page: data, from which `findingsOf` judges. Times are in ms. */
export interface Facts {
  readonly tag: TagFacts;
  readonly consent: ConsentFacts;
  readonly storage: StorageFacts;
  readonly engine: EngineFacts;
  readonly network: NetworkFacts;
  readonly addons: AddonFacts;
  readonly partners: PartnerFacts;
}

export interface TagFacts {
  /** Version of the SDK. */
  readonly version: string;
  /** Workspace of the project that the bundle was built of. */
  readonly workspace: string;
  /** Workspace that the page names; empty where it names none. */
  readonly namedWorkspace: string;
  /** Whether the public methods are in place. */
  readonly isBound: boolean;
  /** Whether the tag has its queue, in which early calls wait. */
  readonly hasQueue: boolean;
  /** Documented methods that the tag lacks. */
  readonly missingMethods: readonly string[];
  /** The form of the tag: the present one names the workspace, older ones the project, or neither. */
  readonly form: 'workspace' | 'project' | 'neither';
  /** How many script elements of the page load the bundle. */
  readonly bundles: number;
  /** Whether the bundle's script element stands before the tag. */
  readonly isBundleFirst: boolean;
  /** Whether the page has loaded. */
  readonly isLoaded: boolean;
}

/** What a consent platform has said: there is none, no word came from it, the visitor has not decided, or has. */
export type PlatformAnswer = 'none' | 'silent' | 'undecided' | 'decided';

export interface ConsentFacts {
  readonly isRequired: boolean;
  /** The visitor's answer to `permutive.consent`; `none` where nobody has asked, or nothing is stored. */
  readonly answer: 'none' | 'given' | 'refused';
  /** The platform of the TCF. */
  readonly tcf: PlatformAnswer;
  /** Whether the browser sends Global Privacy Control, and the SDK respects it. */
  readonly isGpc: boolean;
  /** The platform of GPP, and whether the visitor has opted out with it. */
  readonly gpp: PlatformAnswer | 'optedOut';
  /** The older US Privacy string. */
  readonly usp: PlatformAnswer | 'optedOut';
  /** The platforms, such as `the TCF`, that are in a window around the page and not in its own. */
  readonly around: readonly string[];
}

export interface StorageFacts {
  /** Whether the browser gives the page local storage. */
  readonly hasLocal: boolean;
  /** Keys of the SDK that the browser has not stored, so that they are in memory for this page only. */
  readonly unstored: readonly string[];
  /** `missing`: the browser has no IndexedDB. `refused`: it does not let the page use it. */
  readonly indexedDb: 'usable' | 'missing' | 'refused';
  /** Share of the origin's space that is used, from 0 to 1; undefined where the browser does not say. */
  readonly used: number | undefined;
  /** Whether the page is in a frame of another site. */
  readonly isEmbedded: boolean;
}

export interface EngineFacts {
  /** Whether an earlier start in this tab had its worker refused. */
  readonly isWorkerRefused: boolean;
  /** Whether the engine for the page was loaded in place of the worker. */
  readonly isOnPage: boolean;
  /** Whether the queries have been evaluated on this page; undefined where the SDK may not run. */
  readonly isEvaluated: boolean | undefined;
}

/** What a policy of the page has refused. */
export interface Violation {
  /** Such as `worker-src`. */
  readonly directive: string;
  /** Address, or a word such as `blob` or `inline`. */
  readonly blocked: string;
}

/** Requests of the SDK to one host that failed. */
export interface FailedHost {
  readonly host: string;
  /** HTTP status of the last failure; 0 without an answer. */
  readonly status: number;
}

export interface NetworkFacts {
  readonly isOnline: boolean;
  /** Violations that concern the SDK. */
  readonly violations: readonly Violation[];
  readonly failed: readonly FailedHost[];
  /** Whether the deferred chunk could not be loaded. */
  readonly isChunkMissing: boolean;
  /** How far the clock is before the server's; undefined where the server has not been asked or did not say. */
  readonly clockAhead: number | undefined;
}

export interface AddonFacts {
  /** Names of the addons that the page has started. */
  readonly started: readonly string[];
  /** Names that scripts in the page give to `permutive.addon`, and the project does not have. */
  readonly unknown: readonly string[];
}

/** An ad technology of the page. */
export interface PartnerFact {
  /** `absent`: no such global. `waiting`: a queue, but the script has not run. */
  readonly state: 'absent' | 'waiting' | 'ready';
  /** Whether an addon of the project that runs on this page works with it. */
  readonly isWanted: boolean;
  /** When its script had loaded, since the page began; undefined where that is not known. */
  readonly loadedAt: number | undefined;
}

export interface PartnerFacts {
  readonly google: PartnerFact;
  readonly appnexus: PartnerFact;
  readonly prebid: PartnerFact;
  /** Google's key values: place, key and values. */
  readonly keyValues: readonly KeyValues[];
}

export interface KeyValues {
  /** `page`, or the element of a slot. */
  readonly place: string;
  readonly key: string;
  readonly values: readonly string[];
}
