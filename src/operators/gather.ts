import { auditTime, defer, filter, map, merge, type Observable, type OperatorFunction, tap } from 'rxjs';

export interface Gathered<A, F> {
  readonly values: readonly A[];
  /** What `flush$` said, where it was that which ended the wait. */
  readonly flushed?: F;
}

/**
 * Values of one burst together: `ms` after its first one, or at once at `flush$`. A flush is told also where nothing waits.
 *
 *     source:  -ab-----c-----
 *     flush:   ---------f--f-
 *     (3)      ----x----y--z-      x: [a b], y: [c] flushed, z: [] flushed
 */
export const gather =
  <A, F>(ms: number, flush$: Observable<F>): OperatorFunction<A, Gathered<A, F>> =>
  (source$) =>
    defer(() => {
      let values: A[] = [];
      const taken = (): A[] => {
        const all = values;
        values = [];
        return all;
      };
      return merge(
        source$.pipe(
          tap((value) => values.push(value)),
          auditTime(ms),
          map(() => ({ values: taken() })),
          filter((gathered) => gathered.values.length > 0),
        ),
        flush$.pipe(map((flushed) => ({ values: taken(), flushed }))),
      );
    });
