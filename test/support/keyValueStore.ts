import { defer, map, mergeMap, of, throwError } from 'rxjs';

import { listStore, type TextStore } from '../../src/engineHost/listStore';
import { QuotaError } from '../../src/model/errors';
import type { EventStore } from '../../src/platform/platform';

export interface FakeStore extends Omit<EventStore, 'swap'>, Pick<TextStore, 'remove' | 'swap'> {
  readonly texts: Map<string, string>;
  /** Every write that was tried: key and text. */
  readonly tried: readonly (readonly [key: string, text: string])[];
  /** The error of a write; undefined where the write succeeds. */
  refuse: (key: string, text: string) => Error | undefined;
  /** The error of a read of that key; undefined where the read succeeds. */
  unreadable: (key: string) => Error | undefined;
}

/** Adds versions to a store that nobody writes to between a read and the write after it. */
export const versioned = (store: Omit<TextStore, 'readVersion' | 'swap'>): TextStore => ({
  ...store,
  readVersion: (key) => store.read(key).pipe(map((text) => ({ text, version: text }))),
  swap: (key, version, text) =>
    store
      .read(key)
      .pipe(
        mergeMap((found) =>
          version === found
            ? (text === null ? store.remove(key) : store.write(key, text)).pipe(map(() => true))
            : of(false),
        ),
      ),
});

/** The store of a host, at once, in memory: texts, as in local storage. */
export const keyValueStore = (start: Readonly<Record<string, unknown>> = {}): FakeStore => {
  const texts = new Map(
    Object.entries(start).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
  const tried: [string, string][] = [];
  const text = versioned({
    read: (key) =>
      defer(() => {
        const error = store.unreadable(key);
        return error === undefined ? of(texts.get(key) ?? null) : throwError(() => error);
      }),
    write: (key, value) =>
      defer(() => {
        tried.push([key, value]);
        const error = store.refuse(key, value);
        if (error !== undefined) return throwError(() => error);
        texts.set(key, value);
        return of(undefined);
      }),
    remove: (key) => defer(() => of(texts.delete(key))),
  });
  const store: FakeStore = {
    ...listStore(text),
    swap: text.swap,
    remove: text.remove,
    texts,
    tried,
    refuse: () => undefined,
    unreadable: () => undefined,
  };
  return store;
};

/** A store that has room for so many characters under each key. */
export const fullAt =
  (characters: number) =>
  (_: string, text: string): Error | undefined =>
    text.length > characters ? new QuotaError() : undefined;
