import { catchError, map, mergeMap, type Observable, of } from 'rxjs';

import type { Json } from '../hardening/json';
import type { Start } from '../model/engineCommands';
import { nameOf } from '../model/errors';
import type { Report } from '../model/report';
import { dayMs } from '../primitives/duration';
import type { TextStore } from './listStore';
import { isOfUser, readChunk, stateKey } from './queriesChunk';

/** What an encrypted store holds that could not be read for so long counts as lost. */
const lostAfterMs = dayMs;

/** What browsers throw that have no IndexedDB, or that let the page have none. */
const hasNone = ['SecurityError', 'ReferenceError', 'TypeError'];

/** The visitor, and whether the browser can have an encrypted store. */
export interface StandInDeps extends Pick<Start, 'userId' | 'isNew'> {
  /** Outside a secure context there is no WebCrypto, and so no encrypted store. */
  readonly canExist: boolean;
  readonly json: Json;
  readonly now: () => number;
  readonly report: Report;
}

/**
 * Tells whether local storage has all that the encrypted store could have of a visitor: there can be no encrypted store
 * here, the visitor is new, or local storage has the visitor's state, which the encrypted store then lacks.
 *
 * Otherwise the history is unknown, and a note of the time is left in the place of the state. A store that cannot be
 * read for a day is given up, so that a broken one does not leave a visitor without cohorts for ever.
 */
export const standIn =
  (local: TextStore, { userId, isNew, canExist, json, now, report }: StandInDeps) =>
  (cause: unknown): Observable<boolean> =>
    isNew || !canExist || hasNone.includes(nameOf(cause))
      ? of(true)
      : readChunk(local, json, report).pipe(
          mergeMap((chunk) => {
            const isOurs = isOfUser(userId, chunk);
            if (isOurs && chunk.eventSourceId !== undefined) return of(true);
            const since = Number((isOurs && chunk.state?.['unread_since']) || NaN);
            // The clock may have been set back since.
            if (since <= now()) {
              if (now() - since < lostAfterMs) return of(false);
              return local.remove(stateKey).pipe(map(() => true));
            }
            const note = json.stringify({ group_id: userId, unread_since: now() });
            return local.write(stateKey, note).pipe(map(() => false));
          }),
          catchError(() => of(false)),
        );
