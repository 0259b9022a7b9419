import { defer, map, mergeMap, type Observable, of, throwError, timer } from 'rxjs';

import type { EventStore } from '../../../src/platform/platform';

/** How long an operation takes, and whether it fails, each drawn anew. */
export interface Weather {
  readonly delayMs: () => number;
  readonly fails: () => boolean;
}

/**
 * A store that several tabs share, in the time of the test. Each operation takes place in one step, at some moment, and
 * is answered some time later. An operation that is given up before its moment does not take place; one that is given
 * up after it does.
 */
export const sharedStore = ({ delayMs, fails }: Weather) => {
  const texts = new Map<string, string>();
  const records = new Map<string, string>();
  let [writes, added] = [0, 0];
  const versions = new Map<string, number>();
  const operation = <A>(act: () => A, mayFail = false): Observable<A> =>
    defer(() => {
      const answerMs = delayMs();
      const failsBefore = mayFail && fails();
      const failsAfter = mayFail && fails();
      return timer(delayMs()).pipe(
        mergeMap(() => (failsBefore ? throwError(() => new Error('failed')) : of(act()))),
        mergeMap((value) =>
          timer(answerMs).pipe(
            map(() => {
              // It has taken place, and its caller does not know.
              if (failsAfter) throw new Error('failed');
              return value;
            }),
          ),
        ),
      );
    });
  const put = (key: string, text: string): void => {
    texts.set(key, text);
    versions.set(key, (writes += 1));
  };
  const store: EventStore = {
    read: (key) => operation(() => texts.get(key) ?? null),
    readVersion: (key) => operation(() => ({ text: texts.get(key) ?? null, version: versions.get(key) ?? null }), true),
    swap: (key, version, text) =>
      operation(() => {
        const isSame = version === (versions.get(key) ?? null);
        if (isSame) put(key, text);
        return isSame;
      }, true),
    write: (key, text) => operation(() => put(key, text), true),
    records: () => operation(() => [...records].map(([key, text]) => ({ key, text }))),
    replace: (stale, fresh) =>
      operation(() => {
        if (stale.some((key) => !records.has(key))) return [];
        for (const key of stale) records.delete(key);
        return fresh.map(([list, text]) => {
          const key = `${list}/${String((added += 1)).padStart(6, '0')}`;
          records.set(key, text);
          return key;
        });
      }, true),
    clear: () => operation(() => records.clear()),
  };
  return { store, texts, records };
};
