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

/** Values that came together, in order. */
export interface Burst<A, F> {
  /** The values of a burst; empty only at a flush where no value waited. */
  readonly values: readonly A[];
  /** The value of `flush$`, where it ended the wait. Never missing, so that no field of `Object.prototype` is read. */
  readonly flushed: F | undefined;
}

/**
 * Values that are emitted together, at most. More would hold up the page, so the others follow in tasks of their own. A
 * flush has no limit.
 */
export const maxBurst = 1000;

/**
 * Emits the values of one burst together: `ms` after its first one, or all of them at once at `flush$`. A flush is
 * emitted also where nothing waits. Values that wait at completion are emitted; an error drops them.
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
      /** Takes the oldest values, all of them by default. */
      const taken = (most = values.length): A[] => {
        const first = values.slice(0, most);
        values = values.slice(most);
        return first;
      };
      return merge(
        source$.pipe(
          tap((value) => values.push(value)),
          auditTime(ms),
          // exhaustMap: while one burst is worked off, later values join it. Each lot but the first gets a task of its
          // own.
          exhaustMap(() => of(null).pipe(expand(() => (values.length > 0 ? timer(0) : EMPTY)))),
          map(() => ({ values: taken(maxBurst), flushed: undefined })),
          filter((gathered) => gathered.values.length > 0),
        ),
        flush$.pipe(map((flushed) => ({ values: taken(), flushed }))),
      );
    });
