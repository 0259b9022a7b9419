import type { Component } from './cells/cell';
import type { EngineEvent } from './engineEvent';
import type { Context } from './evaluate/context';
import type { LifeCycle } from './evaluate/lifeCycle';
import type { Machine } from './evaluate/machine';
import type { SentQuery } from './evaluate/query';
import type { AppendReport, EngineReport } from './evaluate/report';
import type { Probe } from './index/probe';
import type { Definition, Id, LookupName } from './language/language';
import type { QueriesChunk } from './state/chunk';
import type { Storage } from './state/storage';
import type { Sync } from './state/sync';

/** Whether the query of a probe takes an event in. */
export type IsWanted = (probe: Pick<Probe, 'query'>) => boolean;

/** What an engine has taken in, and a stored chunk does not contain. */
export interface Pending {
  /** Events, in the order in which the engine has processed them. */
  readonly events: readonly EngineEvent[];
  /** How many of the answers that the engine has appended the chunk contains: the first ones. */
  readonly appended: number;
}

/**
 * The query engine of one page. The engine reads no clock, storage or network: its caller tells it the time, and what
 * it keeps goes through `snapshot`. The engine is synchronous. Every call that may change something answers what it
 * brought about; errors of single queries are in that report and do not throw. Times are in ms since 1970, and a time
 * before the last one given is taken as that one.
 */
export interface EngineMethods {
  /**
   * Compiles the bundle, restores the state and evaluates every query once. One definition a step, so that the caller
   * can pause between steps.
   */
  readonly bootstrapSteps: () => Generator<void, EngineReport>;
  /**
   * Rebuilds from past events the queries that had no usable state, or those named; then counts the view that the last
   * page left unfinished. Must follow `bootstrap`, be it with no events: until then those queries are held. One event a
   * step.
   */
  readonly replaySteps: (events: readonly EngineEvent[], only?: ReadonlySet<Id>) => Generator<void, EngineReport>;
  /**
   * Feeds events in their order and settles after each. `SegmentEntry` and `SegmentExit` are passed over: the engine
   * counts its transitions when it makes them. Events about third-party data wait while that data is pending.
   * `isWanted` leaves queries out.
   */
  readonly process: (events: readonly EngineEvent[], now: number, isWanted?: IsWanted) => EngineReport;
  /** Lets time pass: evaluates the queries whose result time alone may have changed. */
  readonly tick: (now: number) => EngineReport;
  /**
   * Provides lookups and evaluates all queries that read them. Providing ends the waiting of queries that were held for
   * a lookup.
   */
  readonly updateData: (patch: Partial<Record<LookupName, unknown>>) => EngineReport;
  /**
   * Tells the session and the view of the page. When one of them has changed, the queries that count in a session or
   * view are evaluated.
   */
  readonly updateContext: (context: Context) => EngineReport;
  /** The chunk to store. Counts its revision up and drops from all cells what can no longer count. */
  readonly snapshot: () => QueriesChunk;
  /**
   * Takes the chunk that another tab has stored for the state, and counts on it what is `pending`: what this engine has
   * taken in and the chunk does not contain. Called before `snapshot` overwrites the chunk.
   */
  readonly rebase: (chunk: unknown, pending: Pending, now: number) => EngineReport;
  /** Ids of the cohorts that the visitor is in, numeric ids first and by value. */
  readonly members: () => Id[];
  /** For each platform, the ids of the cohorts that are activated there, in the order of `members`. */
  readonly activations: () => Record<string, Id[]>;
  /** Stored ids whose definition is not known; cloud lift may download it. Sorted as `members`. */
  readonly unknownIds: () => Id[];
  /**
   * Offset of the last answer of state sync that was taken in; 0 where the states of all devices have to be fetched.
   */
  readonly lastSeenOffset: () => number;
  /** Whether the stored state was of an older version than the one that is written. */
  readonly stateMigratedThisInitialisation: boolean;
}

/** What an engine exchanges with the other devices of the visitor. */
export interface ExchangeMethods {
  /**
   * Takes the answer of a state sync: the states of other sources as JSON text, and the offset up to which the server
   * has told them. One source a step; nothing counts before the last step. An answer that is malformed or too long
   * changes nothing and is an error in the report.
   */
  readonly externalStateSteps: (stateJson: string, offset: number) => Generator<void, EngineReport>;
  /**
   * What to send to the server: what it has not confirmed, or with `full` everything. Null when nothing is unconfirmed;
   * with `full` never null. Throws an error when the delta cannot be computed.
   */
  readonly delta: (full: boolean) => Delta | null;
  /** The server has confirmed a delta. Queries that changed meanwhile stay unconfirmed. */
  readonly ack: (token: DeltaToken) => void;
}

/** What an engine takes from the server that counts events for it. */
export interface LiftMethods {
  /**
   * Appends what the server counted of posted events. Each answer must be appended once, because appending is not
   * idempotent. `definitions` were downloaded for queries that are not in the bundle; they are checked and added, one a
   * step. Where some are given, states of unknown queries that they do not define are given up. Nothing counts before
   * the last step.
   */
  readonly appendLiftedSteps: (states: unknown, definitions: readonly Definition[]) => Generator<void, AppendReport>;
}

/** The engine of a page, which other modules of the SDK extend. */
export interface PageEngine extends EngineMethods {
  /**
   * The inside of the engine, for modules that are not always loaded: `exchanging`, `lifting`, explanations, usage and
   * validation.
   */
  readonly parts: EngineParts;
}

/** An engine that exchanges states with other devices. */
export interface Engine extends PageEngine, ExchangeMethods {}

/** What an engine is made of, for modules that extend it. */
export interface EngineParts {
  /** Queries, memberships and data; feeds and settles. */
  readonly machine: Machine;
  /** What was loaded from the store, and what goes into the next chunk. */
  readonly storage: Storage;
  /** Components of other sources, and what the server has confirmed of this one. */
  readonly sync: Sync;
  /** Adds, restores and rebuilds queries. */
  readonly life: LifeCycle;
}

/** What a delta was made of; handed back when the server has confirmed it. */
export interface DeltaToken {
  /** The own components at the time of sending, by query. */
  readonly sent: ReadonlyMap<SentQuery, readonly Component[]>;
}

/** A message of state sync to the server. */
export interface Delta {
  /** The text to send as `state`. */
  readonly state: string;
  /** To be given to `ack` once the server has confirmed. */
  readonly token: DeltaToken;
}
