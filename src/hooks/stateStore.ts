import { type Observable, Subscription } from 'rxjs';

/** A state outside of React, as `useSyncExternalStore` reads it. */
export interface StateStore<State> {
  /** Calls back at each change. Returns what ends it. */
  readonly subscribe: (onChange: () => void) => () => void;
  /** The state as it is now: the initial one while nobody has subscribed. */
  readonly current: () => State;
  /** The state of a server, and of the first rendering of a page that a server has rendered. */
  readonly initial: () => State;
}

/**
 * Makes a store of a stream of states. All components that read it get the same value, so a rendering that React
 * interrupts shows no two states. The stream is subscribed to while a component reads the store; afterwards the state
 * is the initial one again, because a state that nobody follows may be one that the visitor has withdrawn.
 */
export const stateStore = <State>(state$: Observable<State>, initial: State): StateStore<State> => {
  const listeners = new Set<() => void>();
  let [state, following] = [initial, Subscription.EMPTY];
  return {
    current: () => state,
    initial: () => initial,
    subscribe: (onChange) => {
      // A function of its own: a caller that subscribes the same function twice also leaves twice.
      const listener = (): void => onChange();
      listeners.add(listener);
      if (listeners.size === 1)
        following = state$.subscribe({
          next: (next) => {
            state = next;
            for (const tell of [...listeners]) tell();
          },
          // An object that is not the SDK's may throw. The state then stays as it is.
          error: () => undefined,
        });
      return () => {
        if (!listeners.delete(listener) || listeners.size > 0) return;
        following.unsubscribe();
        state = initial;
      };
    },
  };
};
