// In place of natives that old libraries of pages replace by functions of another meaning: Prototype.js has an
// `Array.from` that ignores its second argument and knows no maps, a `reduce` that reduces nothing, and lists whose
// `entries` are their elements. The linter refuses calls of those functions.

/** What is left of the items once each has been put to the result of those before it, from `start` on. */
export const fold = <Item, Result>(
  items: Iterable<Item>,
  start: Result,
  next: (result: Result, item: Item) => Result,
): Result => {
  let result = start;
  for (const item of items) result = next(result, item);
  return result;
};

/** The sum of a number of each item. */
export const sumOf = <Item>(items: Iterable<Item>, numberOf: (item: Item) => number): number =>
  fold(items, 0, (sum, item) => sum + numberOf(item));

/** What a function makes of each item, in a list. */
export const mapItems = <Item, Result>(items: Iterable<Item>, make: (item: Item) => Result): Result[] => {
  const made: Result[] = [];
  for (const item of items) made.push(make(item));
  return made;
};

/** What a function makes of each number from 0 to before `count`, in a list. */
export const times = <Result>(count: number, make: (i: number) => Result): Result[] => {
  const made: Result[] = [];
  for (let i = 0; i < count; i += 1) made.push(make(i));
  return made;
};

/** The items that are not among the others, in their order. */
export const notAmong = <Item>(items: readonly Item[], others: Iterable<Item>): readonly Item[] => {
  const known = new Set(others);
  return items.filter((item) => !known.has(item));
};
