/** How much a ring holds: a number of items, and of bytes. */
export interface RingLimits {
  readonly items: number;
  readonly bytes: number;
}

/** A list that loses its oldest items once it is full, so that a process may run for ever. */
export interface Ring<A> {
  readonly add: (item: A, bytes: number) => void;
  /** What is left, the oldest first. */
  readonly all: () => readonly A[];
  readonly clear: () => void;
}

export const ring = <A>(limits: RingLimits): Ring<A> => {
  const held = new Map<number, { readonly item: A; readonly bytes: number }>();
  let [added, total] = [0, 0];
  const isFull = (): boolean => held.size > limits.items || (total > limits.bytes && held.size > 1);
  return {
    add: (item, bytes) => {
      held.set((added += 1), { item, bytes });
      total += bytes;
      for (const [number, oldest] of held) {
        if (!isFull()) break;
        held.delete(number);
        total -= oldest.bytes;
      }
    },
    all: () => Array.from(held.values(), ({ item }) => item),
    clear: () => {
      held.clear();
      total = 0;
    },
  };
};
