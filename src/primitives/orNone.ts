/** What an action answers; undefined where it throws. */
export const orNone = <A>(action: () => A): A | undefined => {
  try {
    return action();
  } catch {
    return undefined;
  }
};
