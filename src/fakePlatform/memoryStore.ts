import { defer, of } from 'rxjs';

import type { EventStore } from '../platform/platform';

/** The engine's store in memory: state and records of events by key. Each operation answers at once. */
export const memoryStore = (start: Readonly<Record<string, string>>): EventStore => {
  const texts = new Map(Object.entries(start));
  // Keys of records have a part of their own after the name of their list.
  const recordKeys = (): readonly string[] => [...texts.keys()].filter((key) => key.includes('/'));
  let added = 0;
  return {
    read: (key) => defer(() => of(texts.get(key) ?? null)),
    // Nobody else writes to it.
    readVersion: (key) => defer(() => of({ text: texts.get(key) ?? null, version: null })),
    swap: (key, _, text) =>
      defer(() => {
        texts.set(key, text);
        return of(true);
      }),
    write: (key, text) => defer(() => of(void texts.set(key, text))),
    records: () => defer(() => of(recordKeys().map((key) => ({ key, text: texts.get(key) ?? '' })))),
    replace: (stale, fresh) =>
      defer(() => {
        if (stale.some((key) => !texts.has(key))) return of([]);
        for (const key of stale) texts.delete(key);
        const keys = fresh.map(([list, text]) => {
          const key = `${list}/replayed-${(added += 1)}`;
          texts.set(key, text);
          return key;
        });
        return of(keys);
      }),
    clear: () =>
      defer(() => {
        for (const key of recordKeys()) texts.delete(key);
        return of(undefined);
      }),
  };
};
