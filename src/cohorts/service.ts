import type { Observable } from 'rxjs';

import type { CallDeps } from '../endpoints/call';
import type { Cohorts } from '../model/cohorts';
import type { Data, PageDataName, Transition } from '../model/engineCommands';
import type { Event, Tracked } from '../model/event';
import type { IdentityState } from '../model/identity';
import type { PageContext } from '../model/pageContext';
import type { PageExit } from '../model/pageSignal';
import type { PageProject, ServiceDefinition } from '../model/project';
import type { Report } from '../model/report';
import type { ServiceOutput } from '../model/serviceOutput';
import type { Tcf } from '../model/tcf';
import type { Page, TextStorage } from '../platform/platform';

/**
 * What cohort services read of a visit. «State»: a subscriber starts with the current value. The other streams are hot.
 */
export interface ServiceStreams {
  /** Every event of the visit. */
  readonly event$: Observable<Event>;
  /**
   * State without a value at first: the latest Pageview as it was made. The placeholders of that event may wait to be
   * filled.
   */
  readonly viewed$: Observable<Event>;
  /** State without a value at first: the latest Pageview with all its data. */
  readonly pageview$: Observable<Event>;
  /** State with a history: the latest events of the visit. */
  readonly latest$: Observable<Tracked>;
  /** State with a history: memberships gained and lost since the visit began, as they are published. */
  readonly transitionsSinceInit$: Observable<Transition>;
  /** State without a value at first: the engine has loaded what is stored; `migrated` from an older version. */
  readonly initialised$: Observable<{ readonly migrated: boolean }>;
  /** State: the cohorts of all producers. `queried` are those of the query engine. */
  readonly cohorts$: Observable<Cohorts>;
  /** All third-party segments that made cohorts true, at each change. */
  readonly usage$: Observable<readonly { readonly provider: string; readonly id: string }[]>;
  /** State: the visitor's identities by tag; `ready` once third parties have answered or failed. */
  readonly identities$: Observable<IdentityState>;
  /** State: what the page's consent platform says. */
  readonly tcf$: Observable<Tcf>;
  /** State: whether the visitor's data may be handed to others; false under Global Privacy Control or a GPP opt-out. */
  readonly sharing$: Observable<boolean>;
  /** Whether this browser had no user id before this visit. */
  readonly isNew: boolean;
  /**
   * The server has given the visitor another id, and the engine of that id has begun. That engine has to be given all
   * data that queries look up.
   */
  readonly adopted$: Observable<string>;
  /** Whether it has, since the visit began. */
  readonly isAdopted: () => boolean;
  /** The page is hidden or unloads. */
  readonly pageExit$: Observable<PageExit>;
  /** The visit ends; shared states then let go of their sources. */
  readonly stop$: Observable<unknown>;
  /**
   * Asks for data of the page at an address, unless it was asked for in this view: `geo`, or else its `classification`.
   * In one value, which is empty where there is none.
   */
  readonly lookup: (name: PageDataName, url: string) => Observable<Data>;
  /** User, session, view and page of this moment. */
  readonly context: () => PageContext;
}

/** What cohort services act with. */
export interface ServiceDeps extends CallDeps {
  readonly project: PageProject & ServiceDefinition;
  /** What the page hands to a service by `permutive.addon(name, given)`. A late subscriber gets the latest again. */
  readonly calls: { readonly addon: (name: string) => Observable<unknown> };
  readonly local: TextStorage;
  readonly page: Pick<Page, 'url' | 'global'>;
  /** Ms since 1970. */
  readonly now: () => number;
  /** A random number from 0 to 1, 1 excluded. */
  readonly random: () => number;
  /** Emits once, after painting and what the visitor does had their turn in the page's thread. Cold. */
  readonly yieldThread: () => Observable<unknown>;
  readonly report: Report;
}

/**
 * A producer of cohorts, lookup data or events beside the query engine. A service never errors: what fails is reported,
 * and a default stands in for it. The service ends with the visit. Cold.
 */
export type CohortService = (streams: ServiceStreams, deps: ServiceDeps) => Observable<ServiceOutput>;
