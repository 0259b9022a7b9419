import type { ReadDefinition } from './canonicalLanguage';
import type { QueriesChunk } from './chunk';
import type { Environment } from './compile';
import type { Context } from './context';
import type { EngineEvent } from './engineEvent';
import type { Bundle, Definition, Id, LookupName } from './language';
import type { Query } from './query';
import type { Report } from './report';
import type { Delta, DeltaToken } from './sync';
import type { Usage } from './usage';

/** What a page gives its engine to start with. */
export interface RuntimeInput {
  readonly event_source_id: string;
  readonly now: number;
  readonly bundle: Bundle;
  /** The stored queries chunk, or null. */
  readonly state: unknown;
  readonly context: Context;
  readonly lookups: Partial<Record<LookupName, unknown>>;
  /** Lookups that will be provided: the queries that read them keep their stored result until then. */
  readonly pending: readonly LookupName[];
}

/**
 * The query engine of one page. It reads no clock, storage or network: it is told the time, and what it keeps
 * goes through `snapshot`. Every call answers what it brought about.
 */
export interface Engine {
  /** Compiles the bundle, restores the state and evaluates once. */
  readonly bootstrap: () => Report;
  /** The same, one definition a step. */
  readonly bootstrapSteps: () => Generator<void, Report>;
  /**
   * Rebuilds from past events the queries that had no usable state, or those named; then counts the view that
   * the last page left unfinished. Must follow `bootstrap`, be it with no events: until then those queries are held.
   */
  readonly replay: (events: readonly EngineEvent[], only?: ReadonlySet<Id>) => Report;
  /** The same, one event a step. */
  readonly replaySteps: (events: readonly EngineEvent[], only?: ReadonlySet<Id>) => Generator<void, Report>;
  readonly process: (events: readonly EngineEvent[], now: number) => Report;
  /** Lets time pass. */
  readonly tick: (now: number) => Report;
  /** Takes the answer of a state sync. */
  readonly updateExternalState: (stateJson: string, offset: number) => Report;
  /** Provides lookups. */
  readonly updateData: (patch: Partial<Record<LookupName, unknown>>) => Report;
  /** Another session or view has begun. */
  readonly updateContext: (context: Context) => Report;
  /** Appends what the server counted of posted events, once for each answer; with the definitions it was asked for, and what reads them. */
  readonly appendLifted: (states: unknown, definitions?: readonly Definition[], read?: ReadDefinition) => Report;
  /** What to send to the server; null when there is nothing. Throws when it cannot be computed. */
  readonly delta: (full: boolean) => Delta | null;
  /** The server has taken a delta. */
  readonly ack: (token: DeltaToken) => void;
  /** The chunk to store now. */
  readonly snapshot: () => QueriesChunk;
  /** Takes in the chunk found in the store, if another tab has written it, before `snapshot` overwrites it. */
  readonly mergeStored: (chunk: unknown) => Report;
  readonly members: () => Id[];
  /** The cohorts for each platform. */
  readonly activations: () => Record<string, Id[]>;
  /** The third-party segments that made cohorts true. */
  readonly usage: () => Usage[];
  /** The names of the events that concern a query. */
  readonly triggersOf: (id: Id) => string[];
  /** Lets `look` see a query, as `explainQuery` needs it; null when there is none of that id. */
  readonly inspect: <A>(id: Id, look: (query: Query, environment: Environment) => A) => A | null;
  /** Stored ids whose definition is not known: cloud lift may have it. */
  readonly unknownIds: () => Id[];
  readonly lastSeenOffset: () => number;
  readonly stateMigratedThisInitialisation: boolean;
}

