import { defer, of, throwError } from 'rxjs';
import { QuotaError } from '../../src/model/quotaError';
import type { KeyValueStore } from '../../src/platform/platform';

export interface FakeStore extends KeyValueStore {
  readonly texts: Map<string, string>;
  /** Every write that was tried: key and text. */
  readonly tried: readonly (readonly [key: string, text: string])[];
  /** Fails a write, or not. */
  refuse: (key: string, text: string) => Error | undefined;
  /** Fails a read, or not. */
  unreadable: (key: string) => Error | undefined;
}

/** The store of a host, at once, in memory. */
export const keyValueStore = (start: Readonly<Record<string, unknown>> = {}): FakeStore => {
  const texts = new Map(Object.entries(start).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]));
  const tried: [string, string][] = [];
  const store: FakeStore = {
    texts,
    tried,
    refuse: () => undefined,
    unreadable: () => undefined,
    read: (key) =>
      defer(() => {
        const error = store.unreadable(key);
        return error === undefined ? of(texts.get(key) ?? null) : throwError(() => error);
      }),
    write: (key, text) =>
      defer(() => {
        tried.push([key, text]);
        const error = store.refuse(key, text);
        if (error !== undefined) return throwError(() => error);
        texts.set(key, text);
        return of(undefined);
      }),
  };
  return store;
};

/** A store that has room for so many characters under each key. */
export const fullAt = (characters: number) => (_: string, text: string): Error | undefined => (text.length > characters ? new QuotaError() : undefined);
