/** For whom the SDK subscribes at this moment: an addon by its name, or the SDK itself, which has no name. */
export interface Callers {
  readonly current: () => string;
  /** Runs an action for a caller. */
  readonly within: <A>(caller: string, action: () => A) => A;
}

export const callers = (): Callers => {
  let now = '';
  return {
    current: () => now,
    within: (caller, action) => {
      const before = now;
      now = caller;
      try {
        return action();
      } finally {
        now = before;
      }
    },
  };
};
