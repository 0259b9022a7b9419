import type { Event } from '../model/event';
import type { Startup } from '../model/startup';
import type { Handle } from './listeners';

/**
 * The methods that publishers call as `permutive.name(…)` (spec C§4).
 *
 * Arguments come from pages, so nothing is known of their types. A method reports what is wrong with them by method,
 * position and expected type, and goes on with a default. No method throws, and no promise rejects. Where a method
 * takes a callback, it also answers by its promise.
 */
export interface PublicMethods {
  /**
   * Tracks an event. `name`: letters, digits and `_`. `properties`: an object of values that JSON can hold. `options`:
   * `success` is called with the event once the server has taken it, `error` with a list of messages when it was
   * refused. Resolves with the event once it is accepted; with null without consent, or where the name cannot be used.
   */
  readonly track: (name: unknown, properties?: unknown, options?: unknown) => Promise<Event | null>;
  /** Calls back with each event of that name, or of a name that the pattern matches, from now on. */
  readonly on: (name: unknown, onEvent: unknown) => Handle;
  /** Calls back with the next such event only. */
  readonly once: (name: unknown, onEvent: unknown) => Handle;
  /** Calls back with `{ result }` each time the visitor enters or leaves the cohort. `type` can only be `result`. */
  readonly trigger: (code: unknown, type: unknown, onChange?: unknown) => { readonly remove: () => void };
  /** Calls back at once with `{ result }`: whether the visitor is in the cohort. `type` can only be `result`. */
  readonly query: (code: unknown, type: unknown, onResult?: unknown) => void;
  /** Whether the visitor is in the cohort. */
  readonly segment: (code: unknown, onResult?: unknown) => Promise<boolean>;
  /**
   * Codes of the visitor's cohorts. `type`: `all`, `standard` or `custom`, or the name of a platform, for the cohorts
   * that are activated there. Default: `all`.
   */
  readonly segments: (onResult?: unknown, type?: unknown) => Promise<readonly (number | string)[]>;
  /** Why the visitor is in a cohort or not, in words; null where there is no such cohort. */
  readonly explain: (code: unknown, onWords?: unknown) => Promise<string | null>;
  /** Starts an addon of the project with these options. A second call gives the running addon new options. */
  readonly addon: (name: unknown, options?: unknown) => void;
  /**
   * Tells who the visitor is to the publisher: an id, or a list of `{ id, tag, priority }`. Resolves with the visitor's
   * id as the server knows it; with null where the argument cannot be used.
   */
  readonly identify: (identities: unknown) => Promise<string | null>;
  /** Gives consent, `{ opt_in: true, token }`, or withdraws it, `{ opt_in: false }`. */
  readonly consent: (consent: unknown) => void;
  /** Forgets the visitor and begins anew as another. Resolves when the new visit is initialised. */
  readonly reset: () => Promise<void>;
  /** Resolves when the SDK has reached the stage: `initialised` (the default) or `realtime`. */
  readonly ready: (onReady?: unknown, stage?: unknown) => Promise<void>;
  /**
   * Resolves when the steps of start-up have ended, well or with their defaults, with what they have found; with null
   * without consent. A late call gets the same.
   */
  readonly startup: () => Promise<Startup | null>;
  /** The visitor's id; null where there is no consent. */
  readonly user: (onUser?: unknown) => Promise<string | null>;
}
