import { catchError, map, type Observable } from 'rxjs';

import type { InputOf } from '../model/engineQuestions';
import { QuotaError } from '../model/errors';
import { type Ask, failureOf } from './ask';
import type { TextStore } from './listStore';

/**
 * Local storage for the engine, which may run in a worker: each operation is a question to the page. Errors:
 * `QuotaError` where there is no room, else `AskError`.
 */
export const remoteStore = (ask: Ask): TextStore => {
  const written = (question: InputOf<'write'>): Observable<boolean> =>
    ask('write', question).pipe(
      catchError((error: unknown) => {
        throw failureOf(error)?.kind === 'quota' ? new QuotaError() : (error as Error);
      }),
    );
  const write = (key: string, text: string | null): Observable<void> =>
    written({ key, text }).pipe(map(() => undefined));
  const read: TextStore['read'] = (key) =>
    ask('read', { key }).pipe(map((text) => (typeof text === 'string' ? text : null)));
  return {
    read,
    // The text itself tells whether another tab has written.
    readVersion: (key) => read(key).pipe(map((text) => ({ text, version: text }))),
    swap: (key, version, text) => written({ key, text, before: version as string | null }),
    write,
    remove: (key) => write(key, null),
  };
};
