import type { Observable } from 'rxjs';

import type { AnyAddon } from './addons/addon';
import type { PublicCalls } from './api/publicCalls';
import type { Cohorts } from './model/cohorts';
import type { Settings } from './model/config';
import type { Consent } from './model/consent';
import type { Transition } from './model/engineCommands';
import type { Event } from './model/event';
import type { Json } from './model/json';
import type { Measured, Metric } from './model/metric';
import type { PageContext, Stage } from './model/pageContext';
import type { PageExit } from './model/pageSignal';
import type { PageProject, ServiceDefinition } from './model/project';
import type { Report } from './model/report';
import type { ServiceOutput } from './model/serviceOutput';
import type { BundleFile } from './platform/bundleFiles';
import type { Platform } from './platform/platform';
import type { Delivery } from './sinks/delivery/deliveryState';

/**
 * The deferred chunk: code that is not needed at the start, and the project's addons that start later, with their
 * options and activations.
 */
export type DeferredParts = typeof import('./visit/deferredParts') & {
  readonly addons: readonly AnyAddon[];
  /** Activations of the deferred addons, by addon. */
  readonly activations: PageProject['activations'];
  /** What the project says of the deferred addons, by addon. */
  readonly addonOptions: PageProject['addons'];
  /** What the cohort services read of the project. */
  readonly definition: ServiceDefinition;
};

/**
 * Everything that the SDK runs on: the browser, the project, the settings and the calls of the page. A function that
 * takes only a part of it names the fields it reads.
 */
export interface World extends Platform {
  /** The project's definition. */
  readonly project: PageProject;
  /** The addons that start with the page script; the others are in the deferred chunk. */
  readonly addons: readonly AnyAddon[];
  /** The deferred chunk. Cold; emits once, or completes without a value where it cannot be loaded. */
  readonly deferredParts$: Observable<DeferredParts>;
  /** State: the visitor's consent. Emits at once and on change. */
  readonly consent$: Observable<Consent>;
  /** Stores a refusal again that local storage had no room for. */
  readonly keepRefusal: () => void;
  /** Reads a setting as it is now: the tab's value, else the page's, else the project's, else the default. */
  readonly setting: Settings;
  /** JSON as it was before the page could change it. */
  readonly json: Json;
  /** Calls of the public methods, as streams. */
  readonly calls: PublicCalls;
  /** Reports an error to the console and to telemetry. It never throws. */
  readonly report: Report;
  /** The inspector lets the tab pretend another world. Nothing of it may be stored or sent. */
  readonly isPretended?: true;
}

/**
 * The streams of a visit for observers, such as the public object and telemetry. All are hot; those marked «State»
 * start with their current value.
 */
export interface VisitStreams {
  /** User, session, view and page of this moment. */
  readonly context: () => PageContext;
  /** State without a value at first: emits once all parts of the visit listen, so that its events may begin. */
  readonly begun$: Observable<void>;
  /** Each stage of the visit once, as it is reached. */
  readonly stage$: Observable<Stage>;
  /** The page is hidden or unloads, in two steps. */
  readonly pageExit$: Observable<PageExit>;
  /** Events as they are made, enriched. */
  readonly event$: Observable<Event>;
  /** State: the visitor's cohorts; those of the last page, with `isRealtime` false, until this page's are known. */
  readonly cohorts$: Observable<Cohorts>;
  /** What cohort services give, and at last what start-up has found. */
  readonly service$: Observable<ServiceOutput>;
  /** Memberships gained and lost, as they are published: after 500 ms without another one, or at page exit. */
  readonly transition$: Observable<Transition>;
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
}

/** What the inspector sees of a page. */
export interface InspectedPage {
  /** The public object, as the page calls it. */
  readonly tag: Readonly<Record<string, unknown>>;
  readonly world: World;
  /** State without a value at first: the visit of this moment. */
  readonly visit$: Observable<VisitStreams>;
  /** Measurements, such as those of requests. Hot. */
  readonly measured$: Observable<Measured>;
  /** Whether the SDK runs already, at this moment, without being watched from its start. */
  readonly isRunning: () => boolean;
  /** Finds a script of the bundle. Throws where the address of the bundle is unknown. */
  readonly fileOf: (name: string) => BundleFile;
}
