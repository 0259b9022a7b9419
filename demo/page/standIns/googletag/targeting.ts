import type { Messages } from '../messages';

/** Key values of the page or of one slot. */
export interface TargetingTable {
  /** Replaces the values of a key. */
  readonly set: (key: unknown, value: unknown) => void;
  /** A copy of the values of a key; empty where there are none. */
  readonly get: (key: string) => string[];
  readonly keys: () => string[];
  /** Clears one key; without a key, all of them. */
  readonly clear: (key?: string) => void;
  /** Changes the named keys as `setConfig` does: null clears a key, and null in place of all clears all of them. */
  readonly merge: (update: unknown) => void;
  readonly all: () => Record<string, string[]>;
}

/**
 * A table of targeting. Values are texts or lists of texts, as Google documents them; anything else is refused. Nothing
 * documents an empty list, so it clears no key: the key stays, with no values.
 */
export const targetingTable = ({ warn }: Pick<Messages, 'warn'>): TargetingTable => {
  const values = new Map<string, string[]>();
  const set = (key: unknown, value: unknown): void => {
    const given: readonly unknown[] = Array.isArray(value) ? value : [value];
    const texts = given.filter((each) => typeof each === 'string');
    if (typeof key !== 'string' || key === '' || texts.length < given.length) {
      warn(`Targeting takes a key and texts, not ${JSON.stringify([key, value])}`);
      return;
    }
    values.set(key, texts);
  };
  return {
    set,
    get: (key) => [...(values.get(key) ?? [])],
    keys: () => [...values.keys()],
    clear: (key) => {
      if (key === undefined) values.clear();
      else values.delete(key);
    },
    merge: (update) => {
      if (update === null) values.clear();
      for (const [key, value] of Object.entries(update ?? {})) {
        if (value === null) values.delete(key);
        else set(key, value);
      }
    },
    all: () => Object.fromEntries([...values].map(([key, texts]) => [key, [...texts]])),
  };
};

/** A table as `getConfig` gives it. Absent where it is empty, because Google's own examples take care of that. */
export const targetingOf = (table: TargetingTable): { readonly targeting?: Record<string, string[]> } =>
  table.keys().length === 0 ? {} : { targeting: table.all() };

/** The calls that `setConfig` and `getConfig` have replaced. */
export type OlderCalls = 'setTargeting' | 'clearTargeting' | 'getTargeting' | 'getTargetingKeys';

/** The older calls for a table, which answer with what they were called on. */
export const targetingCalls = <Target>(table: TargetingTable, target: () => Target) => ({
  setTargeting: (key: string, value: string | string[]): Target => {
    table.set(key, value);
    return target();
  },
  clearTargeting: (key?: string): Target => {
    table.clear(key);
    return target();
  },
  getTargeting: (key: string): string[] => table.get(key),
  getTargetingKeys: (): string[] => table.keys(),
});
