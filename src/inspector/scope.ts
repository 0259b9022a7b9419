/** A value that holds while an action runs. */
export interface Scope<Value> {
  readonly current: () => Value;
  /** Runs an action while this value holds. */
  readonly within: <A>(value: Value, action: () => A) => A;
}

/** Makes a scope. `outside`: the value while no action runs. */
export const scopeOf = <Value>(outside: Value): Scope<Value> => {
  let now = outside;
  return {
    current: () => now,
    within: (value, action) => {
      const before = now;
      now = value;
      try {
        return action();
      } finally {
        now = before;
      }
    },
  };
};
