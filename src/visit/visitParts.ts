import type { Observable } from 'rxjs';

import type { VisitStreams } from '../api/observer';
import type { ServiceStreams } from '../cohorts/service';
import type { CohortStreams, PageStreams, PageviewStreams, VisitorStreams } from '../contracts/visitStreams';
import type { ContextualAnswer } from '../endpoints/contextualState';
import type { Counting, Event, EventDraft } from '../model/event';
import type { Enrichment } from '../streams/enrichment/enrichment';
import type { SessionAndView } from '../streams/visitor/sessionAndView';
import type { EngineStreams } from './fromEngine';

/** The visitor of a visit: user id, identities and consent by TCF. */
export interface Visitor extends VisitorStreams, Pick<ServiceStreams, 'isNew' | 'isAdopted'> {
  /** The user id of this moment. */
  readonly userId: () => string;
  /** Emits the new id each time the server has given another one. Hot. */
  readonly adopted$: Observable<string>;
}

/** What a visit's events are made of: session, view, page, the visitor's place and the page's content. */
export interface VisitData
  extends Omit<Enrichment, 'openView' | 'known'>, Pick<ServiceStreams, 'context' | 'addressOf'> {
  /** Session and view of this moment. */
  readonly moments: SessionAndView;
  /** Makes an event of now from a draft. */
  readonly make: (draft: EventDraft) => Event;
  /** Keeps what the contextual service says of the page; undefined: nothing yet. */
  readonly noteContextual: (answer: ContextualAnswer | undefined) => void;
}

/** The page during a visit: what is known of it, and the events that happen on it. */
export interface VisitPage
  extends
    Omit<VisitData, 'make' | 'enrich'>,
    PageStreams,
    PageviewStreams,
    Pick<ServiceStreams, 'contextual$' | 'latest$'> {
  /** Each event with the draft that it was made of, enriched. Hot. */
  readonly tracked$: Observable<Counting>;
  /** Each event that begins to wait for data, before `tracked$` emits it with the data. Hot. */
  readonly waiting$: Observable<Counting>;
}

/** The engine's results for a visit. */
export interface Evaluation
  extends
    CohortStreams,
    Pick<ServiceStreams, 'initialised$' | 'usage$' | 'models$' | 'ends$'>,
    Pick<EngineStreams, 'metrics$' | 'saved$'> {
  /** Emits once, when the engine has loaded the visitor's history, or cannot say yet what that is. Hot. */
  readonly ready$: Observable<unknown>;
  /**
   * Subscribing sends a barrier message. Emits once, when the engine has evaluated everything that it was given before.
   */
  readonly barrier$: Observable<unknown>;
  /** As `transition$`, as drafts of SegmentEntry and SegmentExit. */
  readonly transitionDraft$: Observable<EventDraft>;
  /**
   * Runs the engine while subscribed, and sends it events, answers and data. What the engine says is held until all
   * parts of the visit listen. The stream has one subscriber.
   */
  readonly run$: Observable<never>;
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
