import {
  catchError,
  concat,
  connect,
  debounceTime,
  defer,
  EMPTY,
  ignoreElements,
  map,
  type Observable,
  startWith,
  take,
} from 'rxjs';

import type { Engine } from '../engine/engineInterface';
import type { Report as EngineReport } from '../engine/evaluate/report';
import { messageOf } from '../model/errors';
import type { Report } from '../model/report';
import { exhaustLatest } from '../operators/exhaustLatest';
import type { Ask } from './ask';

/** A change is told to the server once it has been quiet for this long (spec C§9). */
const quietMs = 500;

export interface StateSyncDeps {
  readonly ask: Ask;
  readonly report: Report;
}

/** Whose state it is, and what the server may have that we have not. */
export interface SyncedVisit {
  readonly groupId: string;
  readonly eventSourceId: string;
  /** Session of this moment: the first exchange of each asks for what other devices have told. */
  readonly session: () => string;
  /** Session of the last such exchange. */
  readonly lastSession: string | undefined;
  /** Group, bundle or source are new, or the state was migrated: everything is told, not only what changed. */
  readonly isNew: boolean;
  /** An exchange has asked for what is unseen, in this session. */
  readonly onFetched: (session: string) => void;
}

/**
 * Keeps the visitor's state the same on all devices (spec S§4): tells the server what changed here, takes in what changed elsewhere.
 * One exchange at a time; a change meanwhile is told in the next. A failed one changes nothing, and the next tells everything:
 * joining is idempotent. Emits what the engine made of each answer.
 */
export const stateSync = (
  changed$: Observable<unknown>,
  engine: Engine,
  visit: SyncedVisit,
  { ask, report }: StateSyncDeps,
): Observable<EngineReport> =>
  defer(() => {
    // And asks for everything, as after a failure.
    let tellsAll = visit.isNew;
    let fetchedIn = visit.lastSession;

    const exchange = (): Observable<EngineReport> => {
      const session = visit.session();
      const fetchUnseen = tellsAll || fetchedIn !== session;
      const delta = deltaOf(engine, tellsAll);
      if (delta instanceof Error) {
        report(delta.message);
        tellsAll = true;
        return EMPTY;
      }
      if (delta === null && !fetchUnseen) return EMPTY;
      const body = {
        group_id: visit.groupId,
        event_source_id: visit.eventSourceId,
        state: delta?.state ?? nothingNew,
        last_seen_offset: engine.lastSeenOffset(),
      };
      return ask('stateSync', { query: [['fetch_unseen', String(fetchUnseen)]], body }).pipe(
        map((answer) => {
          const { state, state_offset: offset } = answer as { readonly state: string; readonly state_offset: number };
          const taken = engine.updateExternalState(state, offset);
          if (taken.errors.length > 0) {
            // Under its own name, as the other failures of an exchange.
            for (const message of taken.errors) report(message);
            tellsAll = true;
            return { ...taken, errors: [] };
          }
          if (delta !== null) engine.ack(delta.token);
          tellsAll = false;
          if (fetchUnseen) {
            fetchedIn = session;
            visit.onFetched(session);
          }
          return taken;
        }),
        catchError((cause: unknown) => {
          report(
            isUnreadable(cause)
              ? `Failed to parse State API response, got ${messageOf(cause)}`
              : `Error sending state delta. Got ${messageOf(cause)}`,
            cause,
          );
          tellsAll = true;
          return EMPTY;
        }),
      );
    };
    return changed$.pipe(
      connect((change$) => {
        const quiet$ = change$.pipe(startWith(null), debounceTime(quietMs), take(1), ignoreElements());
        // A change during an exchange waits for quiet after its answer.
        return change$.pipe(exhaustLatest(() => concat(quiet$, defer(exchange))));
      }),
    );
  });

const isUnreadable = (cause: unknown): boolean =>
  cause instanceof Error && (cause.name === 'DecodeError' || cause.message.startsWith('Failed to parse response'));

const nothingNew = '{"v":2,"q":{}}';

const deltaOf = (engine: Engine, full: boolean): ReturnType<Engine['delta']> | Error => {
  try {
    return engine.delta(full);
  } catch (error) {
    return error as Error;
  }
};
