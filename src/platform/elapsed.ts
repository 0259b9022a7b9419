/** Ms since now, by a clock that goes on evenly whatever happens to that of the visitor. */
export const elapsedSince = (): (() => number) => {
  const began = performance.now();
  return () => performance.now() - began;
};
