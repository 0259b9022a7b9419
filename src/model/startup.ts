import type { Data, Transition } from './engineCommands';
import type { Event } from './event';
import type { PageContext } from './pageContext';

/** What the start-up of a visit has found: the answer of `permutive.startup()` (spec C§3). */
export interface Startup {
  /** By ad platform, the codes of the visitor's cohorts that are activated there; a platform without any is absent. */
  readonly activations: Readonly<Record<string, readonly string[]>>;
  /** The visitor's cohorts of all producers. */
  readonly cohorts: readonly (number | string)[];
  /** User, session, view and page. */
  readonly context: PageContext;
  /** Events that start-up itself has made, such as SegmentEntry and SegmentExit, and that are uploaded. */
  readonly eventsToPublish: readonly Event[];
  /** Events that are kept back until the page goes: another event then sums them up, or the browser sends them. */
  readonly eventsToPublishOnPageUnload: readonly Event[];
  /**
   * Data that queries look up, from outside of the visitor's events. A lookup whose data nobody has asked for is
   * absent.
   */
  readonly externalData: Data;
  /** Where the visitor is, as a flat record; null where it was not asked for, or not answered. */
  readonly geoIP: Readonly<Record<string, unknown>> | null;
  /** Whether this page has evaluated the cohorts. Else they are those that the last page stored. */
  readonly realtime: boolean;
  /** Whether the stored state of the queries was of an older version. */
  readonly stateMigratedThisInitialisation: boolean;
  /** Memberships gained and lost since the visit began, as they were published; `time` in ms since 1970. */
  readonly transitionsSinceInit: readonly Transition[];
  /** What bidders get of the visitor, where the page has started `secure_signal`; null where there is none. */
  readonly secureSignal: string | null;
}
