import {
  catchError,
  concat,
  concatMap,
  defer,
  EMPTY,
  filter,
  from,
  map,
  mergeMap,
  type Observable,
  of,
  retry,
  startWith,
  tap,
  throwError,
  timer,
} from 'rxjs';

import type { Engine } from '../engine/engineInterface';
import type { Report as EngineReport } from '../engine/evaluate/report';
import type { Definition, Id } from '../engine/language/language';
import { messageOf } from '../model/errors';
import type { Event } from '../model/event';
import type { Report } from '../model/report';
import { backoffMs } from '../operators/backoff';
import { exhaustLatest } from '../operators/exhaustLatest';
import type { Ask } from './ask';

/** Events of one request (spec S§7). */
const maxEvents = 50;

export interface CloudLiftDeps {
  readonly ask: Ask;
  readonly report: Report;
  readonly random: () => number;
}

export interface LiftedBundle {
  /** Id of the bundle, `qid` on the wire. */
  readonly id: string;
  /** Names of the events that are evaluated on the server. */
  readonly events: readonly string[];
  readonly queries: readonly Definition[];
}

export interface LiftedEngine {
  readonly engine: Engine;
  readonly bundle: LiftedBundle;
  /** Checksums of the stored states. */
  readonly storedChecksums: ReadonlyMap<Id, string | undefined>;
  /** What the visitor did before, oldest first. */
  readonly past: readonly Event[];
  /** Of that, what the server has not counted yet. */
  readonly isUnlifted: (event: Event) => boolean;
  /** Says which events wait, at each change: to be stored with the counts of those that do not. */
  readonly onWaiting: (events: readonly Event[]) => void;
}

type States = Readonly<Record<Id, unknown>>;

/**
 * Queries whose rules stay on the server: it counts our events for them, we keep the counts and interpret them (spec S§7).
 * One request at a time, in order; a failed one is repeated, an answer is appended once. Emits what the engine made of each.
 */
export const cloudLift = (
  event$: Observable<Event>,
  { engine, bundle, storedChecksums, past, isUnlifted, onWaiting }: LiftedEngine,
  { ask, report, random }: CloudLiftDeps,
): Observable<EngineReport> =>
  defer(() => {
    const known = new Set(bundle.queries.map(({ id }) => id));
    const isLifted = ({ name }: Event): boolean => bundle.events.includes(name);
    const countedPast = past.filter((event) => isLifted(event) && !isUnlifted(event));
    let waiting = past.filter((event) => isLifted(event) && isUnlifted(event));

    const setWaiting = (events: readonly Event[]): void => {
      waiting = [...events];
      onWaiting(waiting);
    };

    const download = (ids: readonly Id[]): Observable<readonly Definition[]> =>
      ask('liftQueries', {
        query: [
          ['qid', bundle.id],
          ['target', 'javascript'],
          ['ids', ids.join(',')],
        ],
      }).pipe(
        map((answer) => (answer as { readonly queries: readonly Definition[] }).queries),
        // What was asked for and not given does not exist: it is not asked for again.
        tap(() => ids.forEach((id) => known.add(id))),
        catchError((cause: unknown) => {
          report(`Failed to download queries from cloud lift: ${messageOf(cause)}`, cause);
          return of([]);
        }),
      );

    const append = (states: States, definitions: readonly Definition[] = []): EngineReport => {
      const { errors, ...appended } = engine.appendLifted(states, definitions);
      // These are messages of cloud lift; others are the engine's own.
      for (const message of errors.filter(isAppending)) report(message);
      return { ...appended, errors: errors.filter((message) => !isAppending(message)) };
    };

    const counted = (events: readonly Event[]): Observable<Counted> =>
      ask('liftEvents', {
        query: [['qid', bundle.id]],
        body: { events: events.map((event) => ({ ...event, cohorts: [], segments: [] })) },
      }).pipe(
        map((answer) => ({
          states: (answer as { readonly result: { readonly state: States } }).result.state,
          count: events.length,
        })),
        retry({
          delay: (cause: unknown, count) => {
            report(`Failed to cloud lift event: ${messageOf(cause)}`, cause);
            return isRefusal(cause) ? throwError(() => cause as Error) : timer(backoffMs(count, random()));
          },
        }),
        // What is refused as a whole is halved, until the event at fault is alone; that one is given up.
        catchError(() => {
          const middle = Math.ceil(events.length / 2);
          return events.length < 2
            ? of({ states: {}, count: events.length })
            : concat(counted(events.slice(0, middle)), counted(events.slice(middle)));
        }),
      );

    const appended = ({ states, count }: Counted): Observable<EngineReport> => {
      const isNew = Object.keys(states).some((id) => !known.has(id));
      return (
        isNew
          ? download([...new Set([...Object.keys(states).filter((id) => !known.has(id)), ...engine.unknownIds()])])
          : of([])
      ).pipe(
        map((definitions) => append(states, definitions)),
        // With its count: what is stored has either the event, or what it came to.
        tap(() => setWaiting(waiting.slice(count))),
      );
    };

    const liftAll = (): Observable<EngineReport> =>
      defer(() =>
        waiting.length === 0
          ? EMPTY
          : concat(counted(waiting.slice(0, maxEvents)).pipe(concatMap(appended)), liftAll()),
      );

    /** Queries the store knows and the bundle does not, and their past where their meaning has changed. */
    const resumed = (): Observable<EngineReport> => {
      const ids = engine.unknownIds();
      if (ids.length === 0) return EMPTY;
      return download(ids).pipe(
        mergeMap((definitions) => {
          const changed = new Set(
            definitions.filter(({ id, checksum }) => storedChecksums.get(id) !== checksum).map(({ id }) => id),
          );
          const past$ = from(changed.size === 0 ? [] : inBatches(countedPast));
          return concat(
            of(append({}, definitions)),
            past$.pipe(
              concatMap(counted),
              map(({ states }) => append(only(states, changed))),
            ),
          );
        }),
      );
    };

    let first = resumed;
    const work = (): Observable<EngineReport> => {
      const before$ = first();
      first = () => EMPTY;
      return concat(before$, liftAll());
    };

    onWaiting(waiting);
    return event$.pipe(
      filter(isLifted),
      tap((event) => setWaiting([...waiting, event])),
      startWith(null),
      // Events are heard from the start, and wait while the stored queries are seen to.
      exhaustLatest(work),
    );
  });

/** What the server made of so many events. */
interface Counted {
  readonly states: States;
  readonly count: number;
}

/** What the request holds is at fault: repeating it would change nothing. */
const isRefusal = (cause: unknown): boolean =>
  /^Failed ajax request\. Status code was (?:400|413|422)\b/.test(messageOf(cause));

const isAppending = (message: string): boolean => message.startsWith('Failed to append');

const inBatches = (events: readonly Event[]): readonly (readonly Event[])[] =>
  Array.from({ length: Math.ceil(events.length / maxEvents) }, (_, i) =>
    events.slice(i * maxEvents, (i + 1) * maxEvents),
  );

const only = (states: States, ids: ReadonlySet<Id>): States =>
  Object.fromEntries(Object.entries(states).filter(([id]) => ids.has(id)));
