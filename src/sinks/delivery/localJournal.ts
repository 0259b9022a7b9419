import { localKeys } from '../../model/storageKeys';
import type { TextStorage } from '../../platform/platform';
import { sumOf } from '../../primitives/lists';

/** Characters of the records, of two bytes each. The rest of local storage is the page's. */
const maxCharacters = 500_000;
const prefix = `${localKeys.localJournal}/`;

/** The key of a record, from its key in local storage; undefined for all other keys. */
export const keyOfLocal = (name: string): string | undefined =>
  name.startsWith(prefix) ? name.slice(prefix.length) : undefined;

/**
 * Records of a journal in local storage, under keys of their own, so that tabs cannot undo each other's changes: what
 * one tab writes, no other tab reads first. Each function acts at once, and no function throws.
 */
export const localJournal = (local: TextStorage) => {
  // Sizes of this page's records, the oldest first.
  const sizes = new Map<string, number>();
  let total = 0;
  const remove = (key: string): void => {
    local.remove(prefix + key);
    total -= sizes.get(key) ?? 0;
    sizes.delete(key);
  };
  /** Keys of all records, those of other tabs included. */
  const keys = (): readonly string[] => local.keys().flatMap((name) => keyOfLocal(name) ?? []);
  return {
    keys,
    read: (key: string): string | null => local.read(prefix + key),
    /**
     * Stores records. Where they are too large together, the oldest of this page are removed. Answers whether all of
     * them are stored.
     */
    put: (records: ReadonlyMap<string, string>): boolean => {
      // The newest records that have room together, the newest first.
      let room = maxCharacters;
      const newest = [...records].reverse().filter(([, text]) => (room -= text.length) >= 0);
      const needed = sumOf(newest, ([, text]) => text.length);
      for (const [key] of newest) remove(key);
      for (const oldest of sizes.keys()) if (total + needed > maxCharacters) remove(oldest);
      let stored = 0;
      for (const [key, text] of newest.reverse()) {
        if (local.write(prefix + key, text) === undefined) {
          sizes.set(key, text.length);
          total += text.length;
          stored += 1;
          // A text that storage refuses is kept in memory, where it is of no use.
        } else local.remove(prefix + key);
      }
      return stored === records.size;
    },
    remove,
    /** Removes all records, those of other tabs included. */
    erase: (): void => keys().forEach(remove),
  };
};
export type LocalJournal = ReturnType<typeof localJournal>;
