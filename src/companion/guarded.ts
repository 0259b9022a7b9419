/**
 * Makes an action that throws nothing. The page and its ad tags go on without stored codes where storage is blocked, or
 * where anything is not as the tag and the SDK leave it.
 */
export const guarded = (action: () => void) => (): void => {
  try {
    action();
  } catch {
    // Whoever reads the console of a page does not look for the companion there.
  }
};
