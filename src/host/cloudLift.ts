import { catchError, concat, concatMap, defer, EMPTY, filter, from, map, mergeMap, type Observable, of, tap } from 'rxjs';
import { readDefinition } from '../engine/definition';
import type { Engine } from '../engine/engineInterface';
import type { Definition, Id } from '../engine/language';
import type { Report as EngineReport } from '../engine/report';
import type { Event } from '../model/event';
import { messageOf } from '../model/messageOf';
import type { Report } from '../model/report';
import { coalesce } from '../operators/coalesce';
import type { Ask } from './ask';
import type { CachedEvent } from './cachedEvent';

/** Events of one request (spec S§7). */
const maxEvents = 50;

export interface CloudLiftDeps {
  readonly ask: Ask;
  readonly report: Report;
}

export interface LiftedBundle {
  /** Id of the bundle, `qid` on the wire. */
  readonly id: string;
  /** Names of the events that are evaluated on the server. */
  readonly events: readonly string[];
  readonly queries: readonly Definition[];
}

type States = Readonly<Record<Id, unknown>>;
type LiftedEvent = Pick<Event, 'id' | 'name' | 'time' | 'properties' | 'session_id' | 'view_id'>;

/**
 * Queries whose rules stay on the server: it counts our events for them, we keep the counts and interpret them (spec S§7).
 * One request at a time, in order; an answer is appended once. What a failed request would have counted is lost.
 */
export const cloudLift = (event$: Observable<Event>, cached: readonly CachedEvent[], { engine, bundle, storedChecksums }: LiftedEngine, { ask, report }: CloudLiftDeps): Observable<EngineReport> =>
  defer(() => {
    const known = new Set(bundle.queries.map(({ id }) => id));
    const waiting: LiftedEvent[] = [];

    const download = (ids: readonly Id[]): Observable<readonly Definition[]> =>
      ask('liftQueries', { query: [['qid', bundle.id], ['target', 'javascript'], ['ids', ids.join(',')]] }).pipe(
        map((answer) => (answer as { readonly queries: readonly Definition[] }).queries),
        tap((queries) => queries.forEach(({ id }) => known.add(id))),
        catchError((cause: unknown) => {
          report(`Failed to download queries from cloud lift: ${messageOf(cause)}`, cause);
          return EMPTY;
        }),
      );

    const lift = (events: readonly LiftedEvent[]): Observable<States> =>
      ask('liftEvents', { query: [['qid', bundle.id]], body: { events: events.map((event) => ({ ...event, cohorts: [], segments: [] })) } }).pipe(
        map((answer) => (answer as { readonly result: { readonly state: States } }).result.state),
        catchError((cause: unknown) => {
          report(`Failed to cloud lift event: ${messageOf(cause)}`, cause);
          return EMPTY;
        }),
      );

    const append = (states: States): Observable<EngineReport> => {
      const unknown = Object.keys(states).filter((id) => !known.has(id));
      const apply = (definitions: readonly Definition[]): EngineReport => engine.appendLifted(states, definitions, readDefinition);
      return unknown.length === 0 ? of(apply([])) : download(unknown).pipe(map(apply));
    };

    /** Queries the store knows and the bundle does not, and their past where their meaning has changed. */
    const resumed = (): Observable<EngineReport> => {
      const ids = engine.unknownIds();
      if (ids.length === 0) return EMPTY;
      return download(ids).pipe(
        mergeMap((definitions) => {
          const changed = new Set(definitions.filter(({ id, checksum }) => storedChecksums.get(id) !== checksum).map(({ id }) => id));
          const past = changed.size === 0 ? [] : cached.filter(({ name }) => bundle.events.includes(name));
          return concat(of(engine.appendLifted({}, definitions, readDefinition)), from(inBatches(past)).pipe(concatMap(lift), map((states) => engine.appendLifted(only(states, changed)))));
        }),
      );
    };

    const liftAll = (): Observable<EngineReport> =>
      defer(() => {
        const batch = waiting.splice(0, maxEvents);
        return batch.length === 0 ? EMPTY : concat(lift(batch).pipe(mergeMap(append)), liftAll());
      });

    return concat(
      resumed(),
      event$.pipe(
        filter(({ name }) => bundle.events.includes(name)),
        tap((event) => waiting.push(event)),
        coalesce(liftAll),
      ),
    );
  });

export interface LiftedEngine {
  readonly engine: Engine;
  readonly bundle: LiftedBundle;
  /** Checksums of the stored states. */
  readonly storedChecksums: ReadonlyMap<Id, string>;
}

const inBatches = (events: readonly LiftedEvent[]): readonly (readonly LiftedEvent[])[] =>
  Array.from({ length: Math.ceil(events.length / maxEvents) }, (_, i) => events.slice(i * maxEvents, (i + 1) * maxEvents));

const only = (states: States, ids: ReadonlySet<Id>): States => Object.fromEntries(Object.entries(states).filter(([id]) => ids.has(id)));
