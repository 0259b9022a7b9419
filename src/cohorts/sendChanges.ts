import { debounceTime, defer, distinctUntilChanged, EMPTY, ignoreElements, map, type Observable, tap } from 'rxjs';

import type { Cohorts } from '../model/cohorts';
import { readNote, writeNote } from '../model/notes';
import { exhaustLatest } from '../operators/exhaustLatest';
import { isolate } from '../operators/isolate';
import { forEachUser } from './forEachUser';
import type { ServiceDeps, ServiceStreams } from './service';

/** Codes are sent once they have not changed for this long, in ms (contract: cohort services). */
export const sendQuietMs = 5000;

/** A server that is told which codes a visitor has. */
export interface Receiver {
  /** Name of the note that has the codes that were sent last, and for whom. */
  readonly noteName: string;
  /** The codes that the server is told. */
  readonly codesOf: (cohorts: Cohorts) => readonly string[];
  /** Sends the codes. Errors where the request fails. */
  readonly send: (codes: readonly string[], userId: string) => Observable<unknown>;
  /** The report of a request that fails. */
  readonly failure: string;
}

/**
 * Tells a server the visitor's codes whenever they differ from those that it was told last, be it by an earlier page.
 * A visitor of whom nothing was ever sent and who has no code needs no request. After a failed request, the codes are
 * sent with the next change or by the next page.
 */
export const sendChanges = (
  { noteName, codesOf, send, failure }: Receiver,
  streams: ServiceStreams,
  deps: ServiceDeps,
): Observable<never> =>
  forEachUser(streams, (userId, evaluated$) => {
    const lastSent = (): unknown => {
      const note = readNote(noteName, deps);
      return Array.isArray(note) && note[0] === userId ? (note as readonly unknown[])[1] : '';
    };
    return evaluated$.pipe(
      map(codesOf),
      distinctUntilChanged((before, now) => before.join() === now.join()),
      debounceTime(sendQuietMs),
      exhaustLatest((codes) =>
        // defer: the request before has ended by then.
        defer(() => (codes.join() === lastSent() ? EMPTY : send(codes, userId))).pipe(
          tap(() => writeNote(noteName, [userId, codes.join()], deps)),
          isolate(failure, deps.report),
        ),
      ),
      ignoreElements(),
    );
  });
