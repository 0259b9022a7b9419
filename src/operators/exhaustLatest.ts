import { concat, defer, EMPTY, exhaustMap, type Observable, type OperatorFunction, tap } from 'rxjs';

/**
 * One run at a time: while `project` works, what comes is not queued but remembered as «something came», and worked on
 * once more, with the latest value, when the run is over. For work that takes all there is: a write, an upload.
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
