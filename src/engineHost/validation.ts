import { buffer, concat, defer, mergeMap, type Observable, of, take, tap, timer } from 'rxjs';

import { cellOrder } from '../engine/cells/cellOrder';
import { createEngine } from '../engine/cohortEngine';
import type { Id, QueriesChunk, RuntimeInput } from '../engine/engine';
import type { Query } from '../engine/evaluate/query';
import type { ReadDefinition } from '../engine/language/canonicalLanguage';
import { json } from '../hardening/plainJson';
import { inSlices, type Slices } from '../operators/creators/inSlices';
import { type CachedEvent, engineEvent, isCached } from './cachedEvent';

/** A validation starts a minute after the engine is ready, in one session of ten (spec S§9). */
const startAfterMs = 60_000;
const samplingRate = 0.1;

/**
 * `pending`: the minute is not over. `skipped`: the session was not drawn, or it was validated before. The others: the
 * comparison runs, or has ended.
 */
export type ValidationState = 'pending' | 'skipped' | 'in_progress' | 'finished';

/** The progress of a validation, and how an engine rebuilt from the cached events compares with the live one. */
export interface Validation {
  readonly state: ValidationState;
  /** Queries with the same state and result in both engines. */
  readonly matches: number;
  /** Queries that cannot be compared. */
  readonly skipped: number;
  /** Queries that differ. */
  readonly mismatches: readonly Id[];
}

/** Clock and slices of the comparison; `random` draws the sessions. */
export interface ValidationDeps extends Slices {
  readonly random: () => number;
  /** Takes a definition of the bundle. */
  readonly read: ReadDefinition;
}

/** The live engine's side of the comparison. */
export interface ValidationSubject {
  /** Id of the present session. */
  readonly session: string;
  /** How far the last validation got, and in which session: `{state} {session}`. */
  readonly remembered: string | undefined;
  /** Stores the progress for the pages after this one. */
  readonly remember: (progress: string) => void;
  /** The queries of the bundle. */
  readonly ids: readonly Id[];
  /** What an engine would be given if it started now, without a state. */
  readonly input: () => RuntimeInput;
  /** The state of the latest write; undefined where this page has not written any. */
  readonly stored: () => StoredState | undefined;
  /** The cached events of pages before this one, oldest first. */
  readonly past: readonly CachedEvent[];
}

/** A written state, the time of its snapshot, and the last event in it. */
export interface StoredState {
  /** The engine's part of what was stored. */
  readonly chunk: QueriesChunk;
  /** Time of the snapshot, in ms since 1970. */
  readonly at: number;
  /** Id of the last event that the snapshot contains. */
  readonly through: string | undefined;
}

const untouched = { matches: 0, skipped: 0, mismatches: [] };

/**
 * Checks the live state against a replay of the visitor's events, a minute after the start, in a random sample of
 * sessions and once a session. Emits its progress: `pending`, then `skipped`, or `in_progress` and `finished` with what
 * was found. Where the visitor leaves before the minute is over, the next page of the session validates instead.
 */
export const validation = (
  live$: Observable<CachedEvent>,
  subject: ValidationSubject,
  deps: ValidationDeps,
): Observable<Validation> =>
  defer(() => {
    const { session, remembered, remember } = subject;
    const isOver = remembered === `finished ${session}` || remembered === `skipped ${session}`;
    // A session that was drawn on an earlier page stays drawn.
    const isDrawn = !isOver && (remembered === `pending ${session}` || deps.random() < samplingRate);
    const rest$ = isDrawn ? run(live$, subject, deps) : of<Validation>({ ...untouched, state: 'skipped' });
    return concat(of<Validation>({ ...untouched, state: 'pending' }), rest$).pipe(
      tap(({ state }) => {
        // A run that is cut off by the end of the page is remembered as pending.
        if (!isOver && (isDrawn || state === 'skipped'))
          remember(`${state === 'in_progress' ? 'pending' : state} ${session}`);
      }),
    );
  });

/** Collects the events of the first minute, then compares. */
const run = (
  live$: Observable<CachedEvent>,
  subject: ValidationSubject,
  deps: ValidationDeps,
): Observable<Validation> =>
  live$.pipe(
    buffer(timer(startAfterMs)),
    take(1),
    mergeMap((events) =>
      concat(
        of<Validation>({ ...untouched, state: 'in_progress' }),
        inSlices(() => compare(subject, [...subject.past, ...events], deps), deps),
      ),
    ),
  );

/**
 * Replays the events up to the last one in the stored state through a new engine, and compares its state with the
 * stored one, query by query. One query a step. The stored state is used instead of the live one, because it says which
 * events it contains.
 */
function* compare(
  { ids, input, stored }: ValidationSubject,
  past: readonly CachedEvent[],
  { read }: ValidationDeps,
): Generator<unknown, Validation> {
  const kept = stored();
  if (kept === undefined) return { ...untouched, state: 'finished', skipped: ids.length };
  // Where the event is not among them, nothing is replayed, and only queries that need no event are compared.
  const events = past.slice(0, past.findIndex(({ id }) => id === kept.through) + 1).map(engineEvent);
  // The replay covers the time from the first event to the moment of the save.
  const oldest = events[0]?.time ?? kept.at;
  // Both engines must stand at the same moment, because time alone drops old counts. So the moment of the save is used.
  const fresh = createEngine({ ...input(), now: kept.at }, read);
  yield* fresh.bootstrapSteps();
  yield* fresh.replaySteps(events);
  const rebuilt = fresh.snapshot();
  let matches = 0;
  const mismatches: Id[] = [];
  for (const id of ids) {
    // A definition that the engine could not compile has no state to compare.
    const query = fresh.parts.life.find(id);
    if (query !== undefined && isComparable(query, kept.at - oldest)) {
      if (sameState(id, kept.chunk, rebuilt)) matches += 1;
      else mismatches.push(id);
    }
    yield;
  }
  return { state: 'finished', matches, skipped: ids.length - matches - mismatches.length, mismatches };
}

/**
 * Whether a replay must come to the same result: the query is computed from cached events alone, over windows that the
 * cache covers. `coveredMs`: the time that the replayed events cover. A count without a window would need all events
 * that the visitor ever caused.
 */
const isComparable = ({ meaning, uses }: Query, coveredMs: number): boolean =>
  uses.cohorts.size === 0 &&
  uses.lookups.size === 0 &&
  // Transitions are never cached.
  [...uses.events].every(isCached) &&
  [...cellOrder(meaning).keys()].every(
    (node) => !('remote' in node) && typeof node.within === 'number' && node.within <= coveredMs,
  );

/** Compares this device's counts, and the result where no other device has counts for the query. */
const sameState = (id: Id, kept: QueriesChunk, rebuilt: QueriesChunk): boolean => {
  const [a, b] = [kept.internal_query_states[id], rebuilt.internal_query_states[id]];
  const isShared = Object.values(kept.external_query_states).some((queries) => Object.hasOwn(queries, id));
  return (
    json.stringify(a?.state ?? []) === json.stringify(b?.state ?? []) &&
    (isShared || (a?.result ?? false) === (b?.result ?? false))
  );
};
