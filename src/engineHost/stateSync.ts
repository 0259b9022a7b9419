import {
  catchError,
  concat,
  connect,
  debounceTime,
  defer,
  EMPTY,
  ignoreElements,
  map,
  mergeMap,
  type Observable,
  startWith,
  take,
} from 'rxjs';

import type { Engine } from '../engine/engineInterface';
import type { EngineReport } from '../engine/evaluate/report';
import type { InputOf } from '../model/engineQuestions';
import { messageOf } from '../model/errors';
import type { Report } from '../model/report';
import { inSlices, type Slices } from '../operators/creators/inSlices';
import { exhaustLatest } from '../operators/exhaustLatest';
import { type Ask, failureOf } from './ask';

/** An exchange begins once there was no change for this long (spec C§9). */
const quietMs = 500;

/**
 * `ask` reaches the server by way of the page; `report` hears of each failed exchange. Answers are taken in slices of
 * the thread's time.
 */
export interface StateSyncDeps extends Slices {
  readonly ask: Ask;
  readonly report: Report;
}

/** Whose state is exchanged, and what is known of earlier exchanges. */
export interface SyncedVisit {
  /** The user id: all devices of a user share their states. */
  readonly groupId: string;
  /** This browser's id of this moment among the devices of the user. Another tab may have stored its own first. */
  readonly eventSourceId: () => string;
  /** Session of this moment. The first exchange of each session fetches the states of other devices. */
  readonly session: () => string;
  /** Session of the last exchange that fetched them. */
  readonly lastSession: string | undefined;
  /**
   * Group, bundle or source are new, or the state was migrated: the first exchange sends the full state, not only what
   * changed.
   */
  readonly isNew: boolean;
  /** Called with the session of each exchange that has fetched the states of other devices. */
  readonly onFetched: (session: string) => void;
}

/**
 * Keeps the visitor's state the same on all devices (spec S§4): sends what changed here, and takes in what changed
 * elsewhere. There is one exchange at a time; what changes meanwhile is sent in the next one.
 *
 * After a failed exchange, the next exchange sends and fetches all states. Repetition is safe because joining states is
 * idempotent: a state that arrives twice, late or in another order changes nothing. Emits the engine's report of each
 * answer; never errors.
 */
export const syncState = (
  changed$: Observable<unknown>,
  engine: Engine,
  visit: SyncedVisit,
  deps: StateSyncDeps,
): Observable<EngineReport> =>
  defer(() => {
    const exchange$ = exchange(engine, visit, deps);
    return changed$.pipe(
      connect((change$) => {
        // Completes after 500 ms without a change. The `null` starts the clock where no further change comes.
        const quiet$ = change$.pipe(startWith(null), debounceTime(quietMs), take(1), ignoreElements());
        // A change during an exchange waits for quiet after its answer.
        return change$.pipe(exhaustLatest(() => concat(quiet$, exchange$)));
      }),
    );
  });

/**
 * Makes an exchange that runs at each subscription. The exchange remembers whether its last run failed, and in which
 * session it last fetched the states of other devices.
 */
const exchange = (engine: Engine, visit: SyncedVisit, deps: StateSyncDeps): Observable<EngineReport> => {
  const { ask, report } = deps;
  let isFull = visit.isNew;
  let fetchedIn = visit.lastSession;

  const fail = (message: string, cause?: unknown): void => {
    report(message, cause);
    isFull = true;
  };

  return defer(() => {
    const session = visit.session();
    const fetchUnseen = isFull || fetchedIn !== session;
    const delta = deltaOf(engine, isFull);
    if (delta instanceof Error) {
      fail(delta.message);
      return EMPTY;
    }
    // Nothing to send and nothing to fetch: no request.
    if (delta === null && !fetchUnseen) return EMPTY;
    return ask('stateSync', requestOf(engine, visit, delta, fetchUnseen)).pipe(
      mergeMap(({ state, state_offset: offset }) => inSlices(() => engine.externalStateSteps(state, offset), deps)),
      map((taken) => {
        if (taken.errors.length > 0) {
          // These messages are reported under their own name, like the other failures of an exchange.
          for (const message of taken.errors) fail(message);
          return { ...taken, errors: [] };
        }
        // Only the answer shows that the delta has arrived. Without `ack`, the next delta would hold the same changes
        // again.
        if (delta !== null) engine.ack(delta.token);
        isFull = false;
        if (fetchUnseen) {
          fetchedIn = session;
          visit.onFetched(session);
        }
        // The queries that the server has now are stored as such, else the next page would send them again.
        return delta === null ? taken : { ...taken, stateChanged: true };
      }),
      catchError((cause: unknown) => {
        fail(failureMessage(cause), cause);
        return EMPTY;
      }),
    );
  });
};

/** The request of an exchange. `fetchUnseen` asks for the states of other devices since `last_seen_offset`. */
const requestOf = (
  engine: Engine,
  { groupId, eventSourceId }: SyncedVisit,
  delta: ReturnType<Engine['delta']>,
  fetchUnseen: boolean,
): InputOf<'stateSync'> => ({
  query: [['fetch_unseen', String(fetchUnseen)]],
  body: {
    group_id: groupId,
    event_source_id: eventSourceId(),
    state: delta?.state ?? emptyDelta,
    last_seen_offset: engine.lastSeenOffset(),
  },
});
/** The delta that is sent where there is no change to tell and the exchange only fetches. */
const emptyDelta = '{"v":2,"q":{}}';

/** The message of a failed exchange (spec S§8). */
const failureMessage = (cause: unknown): string =>
  failureOf(cause)?.kind === 'unreadable'
    ? `Failed to parse State API response, got ${messageOf(cause)}`
    : `Error sending state delta. Got ${messageOf(cause)}`;

/** The delta of the engine, or the error where it cannot be computed. */
const deltaOf = (engine: Engine, isFull: boolean): ReturnType<Engine['delta']> | Error => {
  try {
    return engine.delta(isFull);
  } catch (error) {
    return error as Error;
  }
};
