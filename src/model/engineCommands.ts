import type { Failure } from './engineQuestions';
import type { ClientContext, Event, NumberedEvent } from './event';

export type { CohortEnds, EngineMessage, Explained, Membership, Transition, Unread } from './engineMessages';

// What the page tells the engine's host. Messages in the other direction are in engineMessages.ts.

/** A session or a view, and when it began in ms since 1970. */
export interface Period {
  readonly id: string;
  readonly startedAt: number;
}

/** The present session and view. Queries may count within either of them. */
export interface VisitContext {
  readonly session: Period;
  readonly view: Period;
}

/** The first message to an engine. */
export interface Start {
  readonly type: 'start';
  readonly userId: string;
  /** The user id was made on this page, so that the visitor has no history. */
  readonly isNew: boolean;
  /** The event-source id of a browser that has none yet. */
  readonly newSourceId: string;
  readonly workspaceId: string;
  /** Id of the page. The page holds the lock `aliveLock` of its id while it lives. */
  readonly page: string;
  readonly client: ClientContext;
  /** The project has lookalike models to download. */
  readonly hasModels: boolean;
  /** What the page will provide by a `data` message. Queries that read it are held until then. */
  readonly lookups: readonly DataName[];
  readonly context: VisitContext;
  readonly cacheLimitBytes: number;
  readonly cacheTtlDays: number | null;
  /** Events of this page that an engine before this one was told: of another user, or of an earlier visit. */
  readonly given: readonly NumberedEvent[];
  /** Keys and texts of the records of the journal that other pages have in local storage. */
  readonly localRecords: readonly (readonly [key: string, text: string | null])[];
  /** How long the engine waits for the values of an event, in ms. */
  readonly requestTimeout: number;
  /** Somebody on the page reads the host's metrics, so that it tells them. */
  readonly isMeasured: boolean;
  /** Local storage holds events or state of a visit that could not use the encrypted store. */
  readonly leftBehind: boolean;
}

/** A lookup that the page provides. */
export type DataName = PageDataName | 'user' | 'thirdParty' | 'secondParty';
/** The names of the page's data: the visitor's place, and what the page is about. */
export type PageDataName = 'geo' | 'classification';

/**
 * Data that queries look up, by the name of the lookup. An absent lookup keeps the data that it has. With null, other
 * data is on its way, and the queries that look it up are held at their result. `client` is what the start says until a
 * Pageview says something else.
 */
export type Data = Readonly<Partial<Record<DataName | 'client', unknown>>>;

/**
 * Any message of the page to the engine's host. The host does not decode the message, because page and host are of one
 * build and nobody else has the port (docs/decisions/034-codecs.md).
 */
export type EngineCommand =
  | Start
  | { readonly type: 'track'; readonly event: NumberedEvent }
  /** The values of an event that was tracked without them. */
  | { readonly type: 'filled'; readonly event: Event }
  /**
   * Another session or view has begun. The message is sent before the first event that belongs to the new session or
   * view.
   */
  | { readonly type: 'context'; readonly context: VisitContext }
  /** Answered with `barrierReached` once everything before it has been processed. */
  | { readonly type: 'barrier'; readonly name: string }
  /** The page may be going away, so state must be saved at once. */
  | { readonly type: 'flush' }
  /** The visit has ended. The host begins nothing more; the worker is ended a moment later. */
  | { readonly type: 'end' }
  /** Answers an `ask` of the engine with the same `request`. */
  | { readonly type: 'answer'; readonly request: number; readonly value: unknown; readonly error: Failure | null }
  /**
   * Asks why a query holds or does not, and how many of the events that are left in the journal the engine has not
   * counted. Answered by `explained` with the same `request`.
   */
  | { readonly type: 'explain'; readonly request: number; readonly id: string; readonly left: readonly NumberedEvent[] }
  | { readonly type: 'data'; readonly patch: Data };
