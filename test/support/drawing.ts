/** Draws numbers from 0 to 1 that depend on the seed alone. */
export const drawing = (seed: number): (() => number) => {
  let state = seed % 2147483647 || 1;
  return () => (state = (state * 48271) % 2147483647) / 2147483647;
};
