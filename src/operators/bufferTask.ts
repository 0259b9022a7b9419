import { audit, defer, filter, map, merge, type Observable, type OperatorFunction, tap } from 'rxjs';

/** Values that came together, in order. */
export interface Burst<A, F> {
  /** The values of the burst; none only at a flush where nothing waited. */
  readonly values: readonly A[];
  /** The value of `flush$`, where it ended the wait. Never missing, so that no field of `Object.prototype` is read. */
  readonly flushed: F | undefined;
}

/**
 * Emits the values of one task together: when `endOfTask` emits, which is subscribed at the first of them, or at once
 * at `flush$`. A flush is emitted also where nothing waits. Values that wait at completion are emitted; an error drops
 * them.
 *
 *     source:  -(ab)-c--(d-
 *     flush:   ---------f)-f-
 *              -x----y--z--e-      x: [a b], y: [c], z: [d] flushed, e: [] flushed
 */
export const bufferTask =
  <A, F>(flush$: Observable<F>, endOfTask: () => Observable<unknown>): OperatorFunction<A, Burst<A, F>> =>
  (source$) =>
    defer(() => {
      const values: A[] = [];
      const taken = (): readonly A[] => values.splice(0);
      return merge(
        source$.pipe(
          tap((value) => values.push(value)),
          audit(endOfTask),
          map(() => ({ values: taken(), flushed: undefined })),
          filter((gathered) => gathered.values.length > 0),
        ),
        flush$.pipe(map((flushed) => ({ values: taken(), flushed }))),
      );
    });
