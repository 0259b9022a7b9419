import {
  auditTime,
  defer,
  EMPTY,
  exhaustMap,
  expand,
  filter,
  map,
  merge,
  type Observable,
  of,
  type OperatorFunction,
  tap,
  timer,
} from 'rxjs';

export interface Burst<A, F> {
  readonly values: readonly A[];
  /** What `flush$` said, where it was that which ended the wait. */
  readonly flushed?: F;
}

/** What is made of more values than these would hold up the page: the others follow, each lot in a task of its own. */
export const maxBurst = 1000;

/**
 * Values of one burst together: `ms` after its first one, or at once and all of them at `flush$`. A flush is told also
 * where nothing waits.
 *
 *     source:  -ab-----c-----
 *     flush:   ---------f--f-
 *     (3)      ----x----y--z-      x: [a b], y: [c] flushed, z: [] flushed
 */
export const bufferBurst =
  <A, F>(ms: number, flush$: Observable<F>): OperatorFunction<A, Burst<A, F>> =>
  (source$) =>
    defer(() => {
      let values: A[] = [];
      const taken = (most = values.length): A[] => {
        const first = values.slice(0, most);
        values = values.slice(most);
        return first;
      };
      return merge(
        source$.pipe(
          tap((value) => values.push(value)),
          auditTime(ms),
          exhaustMap(() => of(null).pipe(expand(() => (values.length > 0 ? timer(0) : EMPTY)))),
          map(() => ({ values: taken(maxBurst) })),
          filter((gathered) => gathered.values.length > 0),
        ),
        flush$.pipe(map((flushed) => ({ values: taken(), flushed }))),
      );
    });
