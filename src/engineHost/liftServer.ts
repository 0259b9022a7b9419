import { catchError, concat, map, type Observable, of, retry, tap, throwError, timer } from 'rxjs';

import type { Definition, Id } from '../engine/language/language';
import { messageOf } from '../model/errors';
import type { Event } from '../model/event';
import type { Report } from '../model/report';
import { backoffMs } from '../operators/backoff';
import type { Slices } from '../operators/creators/inSlices';
import { type Ask, failureOf } from './ask';

/** How the server is reached. `random` (0 to 1) spreads repeated requests. */
export interface LiftServerDeps extends Slices {
  readonly ask: Ask;
  readonly report: Report;
  readonly random: () => number;
}

/** Per query id: `[checksum, cells]` of the posted events alone. The engine decodes it. */
export type CountedStates = Readonly<Record<Id, unknown>>;

/** The states that the server answered for one part of the posted events. */
export interface LiftedPart {
  readonly states: CountedStates;
  /** Number of events in that part, oldest first. */
  readonly count: number;
}

/** Statuses that refuse a request for its content, so that repeating it would change nothing. */
const refusingStatuses: readonly unknown[] = [400, 413, 422];

/**
 * Asks the server to count events, and emits once for each part of them. A failed request is repeated without limit,
 * after growing waits. A refused one is halved until the event at fault is alone; that event is given up and counts for
 * nothing.
 */
export const countEvents = (bundleId: string, events: readonly Event[], deps: LiftServerDeps): Observable<LiftedPart> =>
  deps
    .ask('liftEvents', {
      query: [['qid', bundleId]],
      // The lists of cohorts are sent empty (spec S§7).
      body: { events: events.map((event) => ({ ...event, page: undefined, cohorts: [], segments: [] })) },
    })
    .pipe(
      map(({ result }): LiftedPart => ({ states: result.state, count: events.length })),
      retry({
        delay: (cause: unknown, count) => {
          deps.report(`Failed to cloud lift event: ${messageOf(cause)}`, cause);
          return refusingStatuses.includes(failureOf(cause)?.status)
            ? throwError(() => cause as Error)
            : timer(backoffMs(count, deps.random()));
        },
      }),
      catchError(() => {
        // Only a refusal comes here: `retry` repeats every other failure.
        const middle = Math.ceil(events.length / 2);
        return events.length < 2
          ? of({ states: {}, count: events.length })
          : concat(
              countEvents(bundleId, events.slice(0, middle), deps),
              countEvents(bundleId, events.slice(middle), deps),
            );
      }),
    );

/**
 * Definitions that a page downloads at most: their ids have to fit into one address.
 */
export const maxDownloaded = 500;

/**
 * Keeps track of which definitions have been asked for. `bundled`: ids whose definition the page has from the start.
 */
export const liftedQueries = (bundleId: string, bundled: readonly Id[], { ask, report }: LiftServerDeps) => {
  const known = new Set(bundled);
  const maxKnown = known.size + maxDownloaded;
  return {
    /** Of these ids, those whose definition has never been asked for, as long as there is room for more. */
    missing: (ids: readonly Id[]): readonly Id[] =>
      ids.filter((id) => !known.has(id)).slice(0, Math.max(0, maxKnown - known.size)),
    /**
     * Downloads the definitions of the first `maxDownloaded` ids, and takes no more than it asked for. Emits once; a
     * failure is reported and counts as none.
     */
    download: (ids: readonly Id[]): Observable<readonly Definition[]> => {
      const asked = ids.slice(0, maxDownloaded);
      return ask('liftQueries', {
        query: [
          ['qid', bundleId],
          ['target', 'javascript'],
          ['ids', asked.join(',')],
        ],
      }).pipe(
        // The engine checks each definition on its own, so that a broken one costs itself.
        map(({ queries }) => queries.slice(0, asked.length) as readonly Definition[]),
        // A query that was asked for and not given does not exist. Such a query is not asked for again.
        tap(() => asked.forEach((id) => known.add(id))),
        catchError((cause: unknown) => {
          report(`Failed to download queries from cloud lift: ${messageOf(cause)}`, cause);
          return of([]);
        }),
      );
    },
  };
};

/** Definitions of queries that are not in the page's bundle. */
export type LiftedQueries = ReturnType<typeof liftedQueries>;
