import { boundedMap, type Limits } from './boundedMap';

/** A list that loses its oldest items once it is full, so that a process may run for ever. */
export interface Ring<A> {
  readonly add: (item: A, bytes: number) => void;
  /** What is left, the oldest first. */
  readonly all: () => readonly A[];
  /** How much room all items take. */
  readonly bytes: () => number;
  readonly clear: () => void;
}

export const ring = <A>(limits: Limits): Ring<A> => {
  const { set, values, bytes, clear } = boundedMap<number, A>(limits);
  let added = 0;
  return { add: (item, bytes) => set((added += 1), item, bytes), all: values, bytes, clear };
};
