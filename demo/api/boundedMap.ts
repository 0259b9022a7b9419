/** How much is held: a number of items, and of bytes. */
export interface Limits {
  readonly items: number;
  readonly bytes: number;
}

/** Limits for what requests leave behind in a process. */
export const keptLimits: Limits = { items: 10_000, bytes: 64 * 1024 * 1024 };

/** A map that loses what was written longest ago once it is full, so that a process may run for ever. */
export interface BoundedMap<Key, Value> {
  readonly get: (key: Key) => Value | undefined;
  /** `bytes`: how much room the entry takes. The entry that was written last always stays. */
  readonly set: (key: Key, value: Value, bytes: number) => void;
  /** The one that was written longest ago comes first. */
  readonly values: () => readonly Value[];
  /** How much room all entries take. */
  readonly bytes: () => number;
  readonly clear: () => void;
}

export const boundedMap = <Key, Value>(limits: Limits): BoundedMap<Key, Value> => {
  const held = new Map<Key, { readonly value: Value; readonly bytes: number }>();
  let total = 0;
  const isFull = (): boolean => held.size > limits.items || (total > limits.bytes && held.size > 1);
  const remove = (key: Key): void => {
    total -= held.get(key)?.bytes ?? 0;
    held.delete(key);
  };
  return {
    get: (key) => held.get(key)?.value,
    set: (key, value, bytes) => {
      remove(key);
      held.set(key, { value, bytes });
      total += bytes;
      for (const oldest of held.keys()) {
        if (!isFull()) break;
        remove(oldest);
      }
    },
    values: () => Array.from(held.values(), ({ value }) => value),
    bytes: () => total,
    clear: () => {
      held.clear();
      total = 0;
    },
  };
};
