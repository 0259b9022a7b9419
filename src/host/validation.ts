import { concat, defer, filter, map, mergeMap, type Observable, of, timer } from 'rxjs';
import { createEngine } from '../engine/cohortEngine';
import type { Definition, Id, QueriesChunk, RuntimeInput } from '../engine/engine';
import { inSlices, type Slices } from '../operators/inSlices';
import { json } from '../model/plainJson';
import { type CachedEvent, isCached } from './cachedEvent';

/** A minute after the start, in one session of ten (spec S§9). */
const startAfterMs = 60_000;
const samplingRate = 0.1;

export type ValidationState = 'pending' | 'skipped' | 'in_progress' | 'finished';

/** How a second engine, made of the cached events alone, compares with the live one. */
export interface Validation {
  readonly state: ValidationState;
  readonly matches: number;
  readonly skipped: number;
  readonly mismatches: readonly Id[];
}

export interface ValidationDeps extends Slices {
  readonly random: () => number;
}

export interface ValidationSubject {
  readonly definitions: readonly Definition[];
  /** What an engine would be given if it started now. */
  readonly input: () => RuntimeInput;
  /** The state as it was last stored. */
  readonly stored: () => StoredState | undefined;
  /** The visitor's past as it is cached now, oldest first. */
  readonly cached: () => readonly CachedEvent[];
}

/** A stored state, when it was stored, and the last event in it. */
export interface StoredState {
  readonly chunk: QueriesChunk;
  readonly at: number;
  readonly through: string | undefined;
}

const untouched = { matches: 0, skipped: 0, mismatches: [] };

/**
 * Checks the live state against a replay of the cached events, once for the sessions that are drawn. Says how far it is:
 * `pending`, then `skipped`, or `in_progress` and `finished` with what was found.
 */
export const validation = (wasValidated: boolean, subject: ValidationSubject, deps: ValidationDeps): Observable<Validation> =>
  defer(() => (wasValidated || deps.random() >= samplingRate ? of<Validation>({ ...untouched, state: 'skipped' }) : validated(subject, deps)));

const validated = (subject: ValidationSubject, deps: ValidationDeps): Observable<Validation> =>
  timer(0, startAfterMs).pipe(
    map((turn): Validation => ({ ...untouched, state: turn === 0 ? 'pending' : 'in_progress' })),
    filter((_, turn) => turn < 2),
    mergeMap((begun) => (begun.state === 'pending' ? of(begun) : concat(of(begun), inSlices(() => compare(subject), deps)))),
  );

function* compare({ definitions, input, stored, cached }: ValidationSubject): Generator<unknown, Validation> {
  const kept = stored();
  if (kept === undefined) return { ...untouched, state: 'finished', skipped: definitions.length };
  const past = cached();
  const events = past.slice(0, past.findIndex(({ id }) => id === kept.through) + 1).map(({ time, ...event }) => ({ ...event, time: Date.parse(time) }));
  const oldest = events[0]?.time ?? kept.at;
  // As of the moment of the store: time alone would drop buckets from one and not from the other.
  const fresh = createEngine({ ...input(), now: kept.at });
  yield* fresh.bootstrapSteps();
  yield* fresh.replaySteps(events);
  const rebuilt = fresh.snapshot();
  const comparable = definitions.filter(({ q, sub = [] }) => [q, ...sub].every((node) => isReplayable(node, kept.at - oldest)));
  const mismatches = comparable.map(({ id }) => id).filter((id) => !sameState(id, kept.chunk, rebuilt));
  return { state: 'finished', matches: comparable.length - mismatches.length, skipped: definitions.length - comparable.length, mismatches };
}

const notReplayable = ['entered', 'exited', 'cohort', 'lookup', 'thirdParty', 'secondParty', 'lookalike', 'remote'];

/** Computed from cached events alone, over a window that the cache covers; a life-time count would need all that ever was. */
const isReplayable = (node: unknown, coveredMs: number): boolean => {
  if (Array.isArray(node)) return node.every((item) => isReplayable(item, coveredMs));
  if (typeof node !== 'object' || node === null) return true;
  const fields = node as Readonly<Record<string, unknown>>;
  if (notReplayable.some((tag) => Object.hasOwn(fields, tag))) return false;
  const names = Object.hasOwn(fields, 'event') ? [fields['event']].flat() : [];
  if (names.some((name) => typeof name !== 'string' || !isCached(name))) return false;
  const isCounted = ['event', 'sequence', 'last', 'first'].some((tag) => Object.hasOwn(fields, tag)) && Object.hasOwn(fields, 'is');
  if (isCounted && !(typeof fields['within'] === 'number' && fields['within'] <= coveredMs)) return false;
  return ['and', 'or', 'not', 'match', 'sequence', 'last', 'first'].every((tag) => isReplayable(fields[tag], coveredMs));
};

/** Own cells always; results where no other device has a say. */
const sameState = (id: Id, kept: QueriesChunk, rebuilt: QueriesChunk): boolean => {
  const [a, b] = [kept.internal_query_states[id], rebuilt.internal_query_states[id]];
  const isShared = Object.values(kept.external_query_states).some((queries) => Object.hasOwn(queries, id));
  return json.stringify(a?.state ?? []) === json.stringify(b?.state ?? []) && (isShared || (a?.result ?? false) === (b?.result ?? false));
};
