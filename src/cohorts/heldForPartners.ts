import { ignoreElements, type Observable, tap } from 'rxjs';

import { sharedKeys } from '../model/storageKeys';

/** Writes values under keys of local storage, and removes keys. */
export interface KeyWriter<A, Result> {
  readonly write: (key: string, value: A) => Result;
  readonly remove: (key: string) => void;
}

export interface HeldForPartners<A, Result> extends KeyWriter<A, Result | undefined> {
  /** Follows `sharing$`. Never emits. */
  readonly clearing$: Observable<never>;
}

/**
 * A writer that gives partners only what the visitor allows (contract: Global Privacy Control). What is written under
 * one of {@link sharedKeys} is held until the visitor's data may be shared. An objection removes these keys, those of
 * the last page too; once the objection is taken back, the latest values are written. All other keys pass.
 *
 *     sharing:  --y----n----y
 *     write:    a----b----c--
 *     stored:   --a--b-x----c    x: removed
 */
export const heldForPartners = <A, Result>(
  { write, remove }: KeyWriter<A, Result>,
  sharing$: Observable<boolean>,
): HeldForPartners<A, Result> => {
  const held = new Map<string, A>();
  let isAllowed = false;
  return {
    write: (key, value) => {
      if (sharedKeys.includes(key)) {
        held.set(key, value);
        if (!isAllowed) return undefined;
      }
      return write(key, value);
    },
    remove: (key) => {
      held.delete(key);
      remove(key);
    },
    clearing$: sharing$.pipe(
      tap((mayShare) => {
        isAllowed = mayShare;
        if (mayShare) held.forEach((value, key) => write(key, value));
        else sharedKeys.forEach((key) => remove(key));
      }),
      ignoreElements(),
    ),
  };
};
