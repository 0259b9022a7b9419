import type { Observable } from 'rxjs';

import type { Cohorts } from '../model/cohorts';
import type { Transition } from '../model/engineCommands';
import type { Event } from '../model/event';
import type { IdentityState } from '../model/identity';
import type { PageExit } from '../model/pageSignal';
import type { Tcf } from '../model/tcf';

// Streams of a visit that several folders read. A stream marked «State» starts with its current value. The others are
// hot: a reader sees what happens after it subscribes. All of them end when the visit ends or consent is withdrawn.

/** What happens on the page. */
export interface PageStreams {
  /** Every event of the visit, once it has its id, time, session, view and data. */
  readonly event$: Observable<Event>;
  /** The page is hidden or unloads. Emits `beforeFlush`, when an addon emits its final events, and then `flush`. */
  readonly pageExit$: Observable<PageExit>;
}

/** The page views of a visit. */
export interface PageviewStreams {
  /**
   * State without a value at first: the latest Pageview as it was made. The placeholders of that event may wait to be
   * filled.
   */
  readonly viewed$: Observable<Event>;
  /** State without a value at first: the latest Pageview with all its data. */
  readonly pageview$: Observable<Event>;
}

/** The cohorts of the visitor, of queries and of services. */
export interface CohortStreams {
  /** Memberships gained and lost, as they are published: after 500 ms without another one, or at page exit. */
  readonly transition$: Observable<Transition>;
  /** As `transition$`; a late subscriber first gets those since the visit began, at most the latest 1,000. */
  readonly transitionsSinceInit$: Observable<Transition>;
  /**
   * State: the visitor's cohorts. Until the engine has evaluated this page, they are those that the last page stored,
   * with `isRealtime` false.
   */
  readonly cohorts$: Observable<Cohorts>;
}

/** Who the visitor is, and what the visitor allows. */
export interface VisitorStreams {
  /**
   * State: what the page's consent platform says, from its first answer on. `vendorConsent` reads it for one vendor.
   */
  readonly tcf$: Observable<Tcf>;
  /** State: whether the visitor's data may be given to others: not where they have opted out by GPC, GPP or USP. */
  readonly sharing$: Observable<boolean>;
  /**
   * State: the visitor's identities by tag, from when the deferred chunk is there; `ready` once third parties have
   * answered or failed. An addon gets none while the visitor objects to sharing, and no value before that is known.
   */
  readonly identities$: Observable<IdentityState>;
}
