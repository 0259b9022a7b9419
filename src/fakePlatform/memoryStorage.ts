import type { TextStorage, WriteFailure } from '../platform/platform';

/** Local or session storage without a browser. */
export interface MemoryStorage extends TextStorage {
  /** What the next and all later writes answer. */
  failure: WriteFailure | undefined;
  /** Every stored key and its text. */
  readonly all: () => Readonly<Record<string, string>>;
}

/** Makes a storage with these texts by key. */
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

/** Reads through to another storage, and writes over it in memory. */
export const storageOver = (under: TextStorage): TextStorage => {
  const written = new Map<string, string | null>();
  const read = (key: string): string | null => {
    const text = written.get(key);
    return text === undefined ? under.read(key) : text;
  };
  return {
    read,
    write: (key, text) => {
      written.set(key, text);
      return undefined;
    },
    remove: (key) => void written.set(key, null),
    keys: () => [...new Set([...under.keys(), ...written.keys()])].filter((key) => read(key) !== null),
  };
};
