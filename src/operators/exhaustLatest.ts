import { concat, defer, EMPTY, exhaustMap, type Observable, type OperatorFunction, tap } from 'rxjs';

/**
 * One run of `project` at a time. Of the values that come during a run, only the latest is kept, and leads to one more
 * run when the first is over. The operator is meant for work that takes all there is, such as a write or an upload. An
 * error of a run passes on.
 *
 *     source:   abc-------d|
 *     project:  ---(x|)
 *     result:   ---A--C------(D|)
 */
export const exhaustLatest =
  <A, B>(project: (latest: A) => Observable<B>): OperatorFunction<A, B> =>
  (source$) =>
    defer(() => {
      let waiting: { readonly latest: A } | undefined;
      const work = (): Observable<B> =>
        defer(() => {
          if (waiting === undefined) return EMPTY;
          const { latest } = waiting;
          waiting = undefined;
          return concat(project(latest), work());
        });
      return source$.pipe(
        tap((latest) => (waiting = { latest })),
        // exhaustMap: a value during a run is in `waiting`, and the run ends only when nothing waits.
        exhaustMap(work),
      );
    });
