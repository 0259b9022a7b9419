/** How long a start may take before the console says what it waits for, in ms. */
const sayAfterMs = 10_000;

/**
 * Watches a start, so that none waits in silence: 10 s later, the console says what the start waits for. Returns a
 * function that names another thing; undefined: the start waits for nothing any more.
 */
export const startWatch = (first: string): ((what: string | undefined) => void) => {
  let awaited: string | undefined = first;
  setTimeout(() => {
    if (awaited !== undefined) console.warn(`[permutive] ${awaited} takes longer than 10 s`);
  }, sayAfterMs);
  return (what) => void (awaited = what);
};
