import type { Observable } from 'rxjs';

import type { AnyAddon } from './addons/addon';
import type { PublicCalls } from './api/publicCalls';
import type { Cohorts } from './model/cohorts';
import type { Settings } from './model/config';
import type { Transition } from './model/engineCommands';
import type { Event } from './model/event';
import type { Json } from './model/json';
import type { Metric } from './model/metric';
import type { PageContext, Stage } from './model/pageContext';
import type { PageExit } from './model/pageSignal';
import type { PageProject } from './model/project';
import type { Report } from './model/report';
import type { Platform } from './platform/platform';
import type { Delivery } from './sinks/delivery/outcome';

/**
 * The deferred chunk: parts that no visitor waits for, and the project's addons that are not needed at once, with their
 * activations.
 */
export type DeferredParts = typeof import('./visit/deferredParts') & {
  readonly addons: readonly AnyAddon[];
  readonly activations: PageProject['activations'];
};

/**
 * Everything the SDK runs on: the browser, the project, and the calls of the page. Each part declares the fields that
 * it needs.
 */
export interface World extends Platform {
  /** The project's definition. */
  readonly project: PageProject;
  /** The addons that start with the page script; the others are in the deferred chunk. */
  readonly addons: readonly AnyAddon[];
  /** The deferred chunk. Cold; completes without a value where it cannot be loaded. */
  readonly deferredParts$: Observable<DeferredParts>;
  /** State: whether the visitor lets the SDK run. */
  readonly consent$: Observable<boolean>;
  /** A setting's present value: of the tab, else the page, else the project, else the default. */
  readonly setting: Settings;
  /** JSON as it was before the page could change it. */
  readonly json: Json;
  /** Calls of the public methods. */
  readonly calls: PublicCalls;
  /** Says what went wrong, in the console and to telemetry. It never throws. */
  readonly report: Report;
}

/** The streams of a visit for observers, such as the public object and telemetry. All are hot. */
export interface VisitStreams {
  /** Who, where and when, at this moment. */
  readonly context: () => PageContext;
  /** Each stage that the visit has reached, once. */
  readonly stage$: Observable<Stage>;
  /** The page is hidden or unloads, in two steps. */
  readonly pageExit$: Observable<PageExit>;
  /** Events as they are made, enriched. */
  readonly event$: Observable<Event>;
  /** State: who the visitor is to advertisers. */
  readonly cohorts$: Observable<Cohorts>;
  /** Memberships gained and lost, as they are published. */
  readonly transition$: Observable<Transition>;
  /** What the server said of each event. */
  readonly delivery$: Observable<Delivery>;
  /** What the engine has measured. */
  readonly metrics$: Observable<readonly Metric[]>;
}

/** Follows consent and visits without influencing them. The runtime subscribes what it returns. */
export interface Observer {
  /** Subscribed while consent is `given` or not: before a visit starts, or after the last one has stopped. */
  readonly whileConsent: (given: boolean) => Observable<never>;
  /** Subscribed for the duration of each visit, before its first event. */
  readonly whileVisit: (visit: VisitStreams) => Observable<never>;
}
