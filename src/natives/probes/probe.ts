/** Answers whether natives do what the bundle needs of them. A probe that throws answers no. */
export type Probe = () => boolean;
/** Probes by the names of methods. */
export type Probes = Readonly<Record<string, Probe>>;

/** Whether a list has these items, and no others. Calls no native, as everything here but the one that is probed. */
export const has = (list: ArrayLike<unknown>, ...items: readonly unknown[]): boolean => {
  if (list.length !== items.length) return false;
  for (let i = 0; i < items.length; i += 1) if (list[i] !== items[i]) return false;
  return true;
};

/** What an iterator gives, by its own steps. */
export const given = (iterator: Iterator<unknown>): readonly unknown[] => {
  const all: unknown[] = [];
  for (let step = iterator.next(); step.done !== true; step = iterator.next()) all[all.length] = step.value;
  return all;
};
