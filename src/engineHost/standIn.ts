import { catchError, map, mergeMap, type Observable, of } from 'rxjs';

import type { Json } from '../hardening/json';
import type { Start } from '../model/engineCommands';
import { nameOf } from '../model/errors';
import type { Report } from '../model/report';
import { localKeys } from '../model/storageKeys';
import { dayMs } from '../primitives/duration';
import { failureOf } from './ask';
import type { TextStore } from './listStore';
import { isOfUser, readChunk, stateKey } from './queriesChunk';

/** What an encrypted store holds that could not be read for so long counts as lost. */
const lostAfterMs = dayMs;

/** What browsers throw that have no IndexedDB, or that let the page have none. */
const hasNone = ['SecurityError', 'ReferenceError', 'TypeError'];

/** What Chromium throws where the visitor lets the page store nothing. A database that is broken throws the same. */
const mayHaveNone = 'UnknownError';

/** The visitor, and whether the browser can have an encrypted store. */
export interface StandInDeps extends Pick<Start, 'userId' | 'isNew' | 'page'> {
  /** Outside a secure context there is no WebCrypto, and so no encrypted store. */
  readonly canExist: boolean;
  readonly json: Json;
  readonly now: () => number;
  readonly report: Report;
}

/**
 * Notes that a history of the visitor begins on this page, in whichever store. Emits whether it does: the note is
 * written where there is none, so that no two pages begin one.
 */
export const beginsHistory = (local: TextStore, { page }: Pick<Start, 'page'>): Observable<boolean> =>
  local
    .swap(localKeys.historyBegun, null, page)
    .pipe(
      mergeMap((isFirst) =>
        isFirst ? of(true) : local.read(localKeys.historyBegun).pipe(map((begunBy) => begunBy === page)),
      ),
    );

/**
 * Tells whether local storage has all that the encrypted store could have of a visitor: there can be no encrypted store
 * here, the visitor is new and no other page has begun a history, local storage has the visitor's state, which the
 * encrypted store then lacks, or the browser keeps nothing for this page. A new visitor's id is only on this page then.
 *
 * Otherwise the history is unknown, and a note of the time is left in the place of the state. A store that cannot be
 * read for a day is given up, so that a broken one does not leave a visitor without cohorts for ever.
 */
export const standIn =
  (local: TextStore, deps: StandInDeps) =>
  (cause: unknown): Observable<boolean> =>
    !deps.canExist || hasNone.includes(nameOf(cause))
      ? of(true)
      : (deps.isNew ? beginsHistory(local, deps) : of(false)).pipe(
          mergeMap((isFirst) => (isFirst ? of(true) : hasState(local, deps))),
          catchError((error: unknown) =>
            of(failureOf(error)?.kind === 'unavailable' && (deps.isNew || nameOf(cause) === mayHaveNone)),
          ),
        );

/** Whether local storage has the visitor's state. Leaves the note where it has not, and removes one of a day. */
const hasState = (local: TextStore, { userId, json, now, report }: StandInDeps): Observable<boolean> =>
  readChunk(local, json, report).pipe(
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
  );
