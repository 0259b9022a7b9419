import type { TextStorage, WriteFailure } from '../../src/platform/platform';

export interface MemoryStorage extends TextStorage {
  /** What the next and all later writes answer. */
  failure: WriteFailure | undefined;
  /** Every stored key and its text. */
  readonly all: () => Readonly<Record<string, string>>;
}

/** Storage of a test: local or session storage without a browser. */
export const memoryStorage = (start: Readonly<Record<string, string>> = {}): MemoryStorage => {
  const texts = new Map(Object.entries(start));
  const storage: MemoryStorage = {
    failure: undefined,
    all: () => Object.fromEntries(texts),
    read: (key) => texts.get(key) ?? null,
    write: (key, text) => {
      if (storage.failure === undefined) texts.set(key, text);
      return storage.failure;
    },
    remove: (key) => void texts.delete(key),
    keys: () => [...texts.keys()],
  };
  return storage;
};
