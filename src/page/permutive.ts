import type { Observable } from 'rxjs';

import type { Handle } from '../api/listeners';
import type { Transition } from '../model/engineMessages';
import type { Event, Properties } from '../model/event';
import type { Finding } from '../model/finding';
import type { PageContext, Stage } from '../model/pageContext';
import type { Startup } from '../model/startup';
import type { PageConfig } from './pageConfig';

// What TypeScript knows of `window.permutive`. `PublicMethods` accepts anything, because pages are not checked; here
// the same methods have the types that they expect.

declare global {
  /**
   * The project's cohorts by id. `npm run types` of the SDK writes a file that fills it in. While it is empty, any code
   * is accepted.
   */
  // oxlint-disable-next-line typescript/no-empty-object-type -- filled in by each project
  interface PermutiveCohorts {}

  /**
   * Ids of the project's cohorts by the names that methods take. `npm run types` of the SDK fills it in with those that
   * have a space, which no code has, and belong to one cohort.
   */
  // oxlint-disable-next-line typescript/no-empty-object-type -- filled in by each project
  interface PermutiveCohortNames {}

  /**
   * The events of the site by name, with their properties. `npm run types` of the SDK fills it in from the project
   * definition; a site can add more. While it is empty, any name is accepted.
   */
  // oxlint-disable-next-line typescript/no-empty-object-type -- filled in by each project
  interface PermutiveEvents {}

  interface Window {
    /** The object of the page's snippet: it takes calls from the first on, and answers them once the SDK has loaded. */
    permutive: Permutive;
  }

  /** The same as `window.permutive`. */
  var permutive: Permutive;
}

type KeysOr<Table, Otherwise> = keyof Table extends never ? Otherwise : keyof Table;
/** The numbers among ids that are written as text: pages may write `20101` for `'20101'`. */
type AsNumber<Id> = Id extends `${infer N extends number}` ? N : never;

/** Code of a cohort: one of the project's where they are known, else any. */
export type CohortCode = KeysOr<PermutiveCohorts, string | number> extends infer Id ? Id | AsNumber<Id> : never;

/** A cohort by its code or its name. */
// oxlint-disable-next-line typescript/no-redundant-type-constituents -- filled in by each project
export type CohortCodeOrName = CohortCode | keyof PermutiveCohortNames;

/** Name of an event: one of the site's where they are known, else any of letters, digits and `_`. */
export type EventName = KeysOr<PermutiveEvents, string>;

/** Properties of an event: those of `PermutiveEvents` where the event is known there. */
export type PropertiesOf<Name> = Name extends keyof PermutiveEvents ? PermutiveEvents[Name] : Properties;

/** A group of cohorts; any other text is the name of a platform, such as `dfp`. */
export type CohortGroup = 'all' | 'custom' | 'standard' | 'ql' | 'qlCustom' | 'qlStandard' | 'contextual';

/** What a page does with the outcome of an event's upload. */
export interface TrackOptions {
  /** The server has taken the event. */
  readonly success?: (event: Event) => void;
  /** The event was refused, or there is no consent; one message for each reason. */
  readonly error?: (errors: readonly string[]) => void;
}

/** An id by which the publisher knows the visitor. */
export interface IdentityTuple {
  /** Who knows the visitor by the id, such as `email_sha256`. */
  readonly tag: string;
  readonly id: string;
  /** A smaller number is a higher priority. Default: the place in the list. */
  readonly priority?: number;
  /** Ms since 1970. */
  readonly expiry?: number;
}

/** What a listener of `permutive.on` gets: a tracked event, or of an announcement its name and time. */
export type Announced = Pick<Event, 'name' | 'time'> & Partial<Event>;

/**
 * The methods of `window.permutive`. None throws, and no promise rejects. A method with a callback has a promise too.
 *
 * Until the SDK has loaded, the stubs of the README's snippet return nothing: there, use callbacks. The stubs of `load`
 * have promises and handles from the first call on.
 */
export interface PermutiveMethods {
  /** Starts an addon of the project. A second call with `web` is another page view. */
  readonly addon: (name: string, options?: object) => void;
  /** Tells who the visitor is to the publisher. Resolves with the visitor's id; with null without consent. */
  readonly identify: (identities: string | readonly IdentityTuple[]) => Promise<string | null>;
  /** Tracks an event. Resolves with it once it is accepted; with null without consent. */
  readonly track: <Name extends EventName>(
    name: Name,
    properties?: PropertiesOf<Name>,
    options?: TrackOptions,
  ) => Promise<Event | null>;
  /** Calls back each time the visitor enters or leaves the cohort. */
  readonly trigger: (
    cohort: CohortCodeOrName,
    type: 'result',
    onChange: (change: { readonly result: boolean }) => void,
  ) => { readonly remove: () => void };
  /** Calls back once, with the membership as it is now. */
  readonly query: (
    cohort: CohortCodeOrName,
    type: 'result',
    onResult: (membership: { readonly result: boolean }) => void,
  ) => void;
  /** Whether the visitor is in the cohort. */
  readonly segment: (cohort: CohortCodeOrName, onResult?: (isMember: boolean) => void) => Promise<boolean>;
  /** Codes of the visitor's cohorts. `type`: a group, or the name of a platform. Default: `all`. */
  readonly segments: (
    onResult?: ((codes: readonly (number | string)[]) => void) | null,
    // Any other text is allowed; written so that editors still offer the groups.
    type?: CohortGroup | (string & Record<never, never>),
  ) => Promise<readonly (number | string)[]>;
  /** Resolves at the stage. Default: `initialised`. */
  readonly ready: (onReady?: (() => void) | null, stage?: Stage) => Promise<void>;
  /** Listens to events by name, or to those whose name the pattern matches. */
  readonly on: (name: string | RegExp, onEvent: (event: Announced) => void) => Handle;
  /** Listens to the next such event only. */
  readonly once: (name: string | RegExp, onEvent: (event: Announced) => void) => Handle;
  /** The visitor's id; null without consent. */
  readonly user: (onUser?: (id: string | null) => void) => Promise<string | null>;
  /** Gives or withdraws consent. */
  readonly consent: (consent: { readonly opt_in: boolean; readonly token?: string }) => void;
}

/** Methods that the page's snippet has no stub of: they are there once the SDK has loaded. */
export interface LoadedMethods {
  /** Forgets the visitor and begins anew as another. */
  readonly reset: () => Promise<void>;
  /** Why the visitor is in a cohort or not, in words; null where there is no such cohort. */
  readonly explain: (cohort: CohortCodeOrName, onWords?: (words: string | null) => void) => Promise<string | null>;
  /** What start-up has found; null without consent. */
  readonly startup: () => Promise<Startup | null>;
  /** Opens the inspector in this tab. */
  readonly inspect: () => Promise<void>;
  /** Begins to record what happens on the page. */
  readonly record: () => Promise<void>;
  /** The recording as NDJSON, a line for each thing that has happened; undefined where it cannot be had. */
  readonly recording: () => Promise<string | undefined>;
  /** What is wrong on the page, the worst first; undefined where the doctor cannot be loaded. */
  readonly doctor: () => Promise<readonly Finding[] | undefined>;
}

/** One call that waits for the SDK. */
export interface TagCall {
  readonly functionName: string;
  readonly arguments: readonly unknown[];
}

/** What is on `window.permutive` once the SDK has loaded, beside its methods. */
export interface LiveProperties {
  /** Version of the SDK, such as `v20.40.0`. */
  readonly version: string;
  /** User, session, view and page of this moment; empty without consent. */
  readonly context: Partial<PageContext>;
  /** Instances of started addons by name. */
  readonly addons: Readonly<Record<string, unknown>>;
  /** Codes of the visitor's cohorts, each time that they change. */
  readonly cohorts$: Observable<readonly (number | string)[]>;
  /** Memberships gained and lost. */
  readonly transitions$: Observable<Transition>;
  /** Tracked events. */
  readonly events$: Observable<Event>;
}

/** `window.permutive`: what the snippet has made, and what the SDK adds when it has loaded. */
export interface Permutive extends PermutiveMethods, Partial<LoadedMethods>, Partial<LiveProperties> {
  /** Calls that wait for the SDK. */
  readonly q: TagCall[];
  /** Settings of the page. The page may change its settings at any time. */
  readonly config: PageConfig;
}
