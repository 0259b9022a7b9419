import { defer, map, type Observable, of, share } from 'rxjs';

/** Something whose code is loaded when it is first needed. */
export interface Late<A> {
  /** The value that was made; undefined before somebody needed it. */
  readonly current: () => A | undefined;
  /**
   * Makes it once, at the first subscription, and emits it; at once where it is made already. Completes without a value
   * where its code could not be loaded, and tries again at the next subscription.
   */
  readonly value$: Observable<A>;
}

/**
 * Makes something once its code has loaded. `load$` emits the function that makes it; it is subscribed once, however
 * many wait, and again only where it has completed without a value. An error of `load$` passes on.
 *
 *     load:    --(l|)
 *     first:   --(a|)
 *     later:   -----(a|)     subscribed at 5
 */
export const late = <A>(load$: Observable<() => A>): Late<A> => {
  let made: { readonly value: A } | undefined;
  const loaded$ = load$.pipe(
    map((make) => (made = { value: make() }).value),
    share(),
  );
  return { current: () => made?.value, value$: defer(() => (made ? of(made.value) : loaded$)) };
};
