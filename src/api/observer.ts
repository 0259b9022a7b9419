import type { Observable } from 'rxjs';

import type { CohortStreams, PageStreams } from '../contracts/visitStreams';
import type { Consent } from '../model/consent';
import type { Delivery } from '../model/delivery';
import type { Metric } from '../model/metric';
import type { PageContext, Stage } from '../model/pageContext';
import type { ServiceOutput } from '../model/serviceOutput';

/**
 * The streams of a visit for observers, such as the public object and telemetry. All are hot; those marked «State»
 * start with their current value.
 */
export interface VisitStreams extends PageStreams, Omit<CohortStreams, 'transitionsSinceInit$'> {
  /** User, session, view and page of this moment. */
  readonly context: () => PageContext;
  /** State without a value at first: emits once all parts of the visit listen, so that its events may begin. */
  readonly begun$: Observable<void>;
  /** Each stage of the visit once, as it is reached. */
  readonly stage$: Observable<Stage>;
  /** What cohort services give, and at last what start-up has found. */
  readonly service$: Observable<ServiceOutput>;
  /** The end of each event's delivery: it was accepted, or why it was not. */
  readonly delivery$: Observable<Delivery>;
  /** What the engine's host has measured since the last list. */
  readonly metrics$: Observable<readonly Metric[]>;
}

/** Follows consent and visits without influencing them. The runtime subscribes what it returns. */
export interface Observer {
  /**
   * Subscribed at each change of consent, with the new state: before a visit starts, or after the last one has stopped.
   * Unsubscribed at the next change.
   */
  readonly whileConsent: (consent: Consent) => Observable<never>;
  /** Subscribed for the duration of each visit, before its first event. */
  readonly whileVisit: (visit: VisitStreams) => Observable<never>;
  /**
   * Whether the observer wants `metrics$` of a visit. Asked once for each visit, before `whileVisit`. An observer
   * without this method wants none.
   */
  readonly isMeasuring?: () => boolean;
}
