import type { Component } from './cells/cell';
import type { EngineEvent } from './engineEvent';
import type { Context } from './evaluate/context';
import type { LifeCycle } from './evaluate/lifeCycle';
import type { Machine } from './evaluate/machine';
import type { Query } from './evaluate/query';
import type { Report } from './evaluate/report';
import type { Bundle, Definition, Id, LookupName } from './language/language';
import type { QueriesChunk } from './state/chunk';
import type { Storage } from './state/storage';
import type { Sync } from './state/sync';

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
export interface PageEngine {
  /** Compiles the bundle, restores the state and evaluates once; one definition a step. */
  readonly bootstrapSteps: () => Generator<void, Report>;
  /**
   * Rebuilds from past events the queries that had no usable state, or those named; then counts the view that the last
   * page left unfinished. Must follow `bootstrap`, be it with no events: until then those queries are held. One event a
   * step.
   */
  readonly replaySteps: (events: readonly EngineEvent[], only?: ReadonlySet<Id>) => Generator<void, Report>;
  readonly process: (events: readonly EngineEvent[], now: number) => Report;
  /** Lets time pass. */
  readonly tick: (now: number) => Report;
  /** Provides lookups. */
  readonly updateData: (patch: Partial<Record<LookupName, unknown>>) => Report;
  /** Another session or view has begun. */
  readonly updateContext: (context: Context) => Report;
  /** The chunk to store now. */
  readonly snapshot: () => QueriesChunk;
  /** Takes in the chunk found in the store, if another tab has written it, before `snapshot` overwrites it. */
  readonly mergeStored: (chunk: unknown) => Report;
  readonly members: () => Id[];
  /** The cohorts for each platform. */
  readonly activations: () => Record<string, Id[]>;
  /** Stored ids whose definition is not known: cloud lift may have it. */
  readonly unknownIds: () => Id[];
  readonly lastSeenOffset: () => number;
  readonly stateMigratedThisInitialisation: boolean;
  /** For what is not always loaded: `exchanging`, explanations. */
  readonly parts: EngineParts;
}

/** An engine that exchanges states with servers. */
export interface Engine extends PageEngine {
  /** Takes the answer of a state sync. */
  readonly updateExternalState: (stateJson: string, offset: number) => Report;
  /**
   * Appends what the server counted of posted events, once for each answer; with the definitions it was asked for,
   * which are checked.
   */
  readonly appendLifted: (states: unknown, definitions?: readonly Definition[]) => Report;
  /** What to send to the server; null when there is nothing. Throws when it cannot be computed. */
  readonly delta: (full: boolean) => Delta | null;
  /** The server has taken a delta. */
  readonly ack: (token: DeltaToken) => void;
}

/** What an engine is made of. */
export interface EngineParts {
  readonly machine: Machine;
  readonly storage: Storage;
  readonly sync: Sync;
  readonly life: LifeCycle;
}

/** What a delta was made of; handed back when the server has confirmed it. */
export interface DeltaToken {
  readonly sent: ReadonlyMap<Query, readonly Component[]>;
}

export interface Delta {
  /** The text to send as `state`. */
  readonly state: string;
  readonly token: DeltaToken;
}
