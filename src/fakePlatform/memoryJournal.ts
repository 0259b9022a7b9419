import { defer, of } from 'rxjs';

import { perform } from '../operators/creators/perform';
import type { Journal } from '../platform/platform';

/** A journal that answers at once, and lasts as long as `records`. */
export const memoryJournal = (records = new Map<string, unknown>()): Journal => ({
  keys: () => defer(() => of([...records.keys()])),
  read: (key) => defer(() => of(records.get(key))),
  write: (changes) =>
    defer(() => {
      for (const [key, text] of changes)
        if (text === null) records.delete(key);
        else records.set(key, text);
      return of(undefined);
    }),
  erase: () => perform(() => records.clear()),
});
