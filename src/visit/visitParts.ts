import type { Observable } from 'rxjs';

import type { VisitStreams } from '../api/observer';
import type { ContextualAnswer } from '../endpoints/contextualState';
import type { Cohorts } from '../model/cohorts';
import type { Transition } from '../model/engineCommands';
import type { Event, EventDraft, KeptEvent, Tracked } from '../model/event';
import type { IdentityState } from '../model/identity';
import type { Metric } from '../model/metric';
import type { PageContext } from '../model/pageContext';
import type { PageExit } from '../model/pageSignal';
import type { Tcf } from '../model/tcf';
import type { Enrichment } from '../streams/enrichment/enrichment';
import type { SessionAndView } from '../streams/visitor/sessionAndView';

/** The visitor of a visit: user id, identities and consent by TCF. */
export interface Visitor {
  /** The user id of this moment. */
  readonly userId: () => string;
  /** Whether this browser had no user id before this visit. */
  readonly isNew: boolean;
  /** Whether the server has given the visitor another id since the visit began. */
  readonly isAdopted: () => boolean;
  /** Emits the new id each time the server has given another one. Hot. */
  readonly adopted$: Observable<string>;
  /** State: what the publisher and third parties know the visitor by. */
  readonly identities$: Observable<IdentityState>;
  /** State: what the page's consent platform says. */
  readonly tcf$: Observable<Tcf>;
  /** State: whether the visitor's data may be given to others (contract: Global Privacy Control). */
  readonly sharing$: Observable<boolean>;
}

/** What a visit's events are made of: session, view, page, the visitor's place and the page's content. */
export interface VisitData extends Omit<Enrichment, 'openView' | 'known'> {
  /** Session and view of this moment. */
  readonly moments: SessionAndView;
  /** Makes an event of now from a draft. */
  readonly make: (draft: EventDraft) => Event;
  /** User, session, view and page of this moment, with what is known of the visitor's place and of the page. */
  readonly context: () => PageContext;
  /** Keeps what the contextual service says of the page; undefined: nothing yet. */
  readonly noteContextual: (answer: ContextualAnswer | undefined) => void;
}

/** The page during a visit: what is known of it, and the events that happen on it. */
export interface VisitPage extends Omit<VisitData, 'make' | 'enrich'> {
  /** Each event with the draft that it was made of, enriched. Hot. */
  readonly tracked$: Observable<Tracked>;
  /** Each event that begins to wait for data, before `tracked$` emits it with the data. Hot. */
  readonly waiting$: Observable<Tracked>;
  /** As `tracked$`: the events alone. */
  readonly event$: Observable<Event>;
  /**
   * State without a value at first: the latest Pageview as it was made. The placeholders of that event may wait to be
   * filled.
   */
  readonly viewed$: Observable<Event>;
  /** State without a value at first: the latest Pageview with all its data. */
  readonly pageview$: Observable<Event>;
  /** State with a history: the latest 200 events. */
  readonly latest$: Observable<Tracked>;
  /** The page is hidden or unloads, in two steps. Hot. */
  readonly pageExit$: Observable<PageExit>;
}

/** The engine's results for a visit. */
export interface Evaluation {
  /** State without a value at first: emits once, when the stored state is loaded and past events are replayed. */
  readonly initialised$: Observable<{ readonly migrated: boolean }>;
  /**
   * Subscribing sends a barrier message. Emits once, when the engine has evaluated everything that it was given before.
   */
  readonly barrier$: Observable<unknown>;
  /**
   * State: the visitor's cohorts, of queries and of services. The cohorts are those of the last page, with `isRealtime`
   * false, until the engine has answered; `isRealtime` becomes true with the barrier.
   */
  readonly cohorts$: Observable<Cohorts>;
  /** All third-party segments that made cohorts true, at each change. Hot. */
  readonly usage$: Observable<readonly { readonly provider: string; readonly id: string }[]>;
  /** Memberships gained and lost, published after 500 ms without another one, or at page exit. Hot. */
  readonly transition$: Observable<Transition>;
  /** As `transition$`; a late subscriber first gets those since the visit began, at most the latest 1,000. */
  readonly transitionsSinceInit$: Observable<Transition>;
  /** As `transition$`, as drafts of SegmentEntry and SegmentExit. */
  readonly transitionDraft$: Observable<EventDraft>;
  /** What the engine's host has measured, in lists. Hot. The host tells it where someone listens before it starts. */
  readonly metrics$: Observable<readonly Metric[]>;
  /** Id of an event: the stored state contains it and all events before it. Hot. */
  readonly saved$: Observable<string>;
  /**
   * Emits as the page unloads, and at each event after that: the events that the stored state of the engine does not
   * contain yet. The next page evaluates them again.
   */
  readonly unsaved$: Observable<readonly KeptEvent[]>;
  /**
   * Sends events, answers and data to the engine, which keeps them until it has started. The stream has one subscriber.
   */
  readonly run$: Observable<never>;
  /** Runs the engine while subscribed. The one subscriber comes after everything that listens to the engine. */
  readonly start$: Observable<never>;
}

/** Who visits, where, and what the engine makes of it. */
export interface VisitParts {
  readonly visitor: Visitor;
  readonly page: VisitPage;
  readonly engine: Evaluation;
}

/** What observers read of a visit, beside what only the runtime knows. */
export const observedStreams = ({
  page,
  engine,
}: Pick<VisitParts, 'page' | 'engine'>): Omit<VisitStreams, 'begun$' | 'stage$' | 'service$' | 'delivery$'> => ({
  context: page.context,
  event$: page.event$,
  pageExit$: page.pageExit$,
  cohorts$: engine.cohorts$,
  transition$: engine.transition$,
  metrics$: engine.metrics$,
});
