import { defer, EMPTY, expand, map, mergeMap, type Observable, of } from 'rxjs';

export interface Slices {
  readonly now: () => number;
  /** Lets other work of the thread go first. */
  readonly yieldThread: () => Observable<void>;
}

/** Work is cut so that no task of the thread lasts longer than this (spec S§9). */
export const sliceMs = 50;

/**
 * Runs a generator to its end in slices of at most `sliceMs`, plus the unit that crosses it, and emits what it returns.
 * Cold; unsubscribing stops between slices.
 */
export const inSlices = <A>(steps: () => Generator<unknown, A>, { now, yieldThread }: Slices): Observable<A> =>
  defer(() => {
    const generator = steps();
    const slice = (): IteratorResult<unknown, A> => {
      const end = now() + sliceMs;
      let result = generator.next();
      while (result.done !== true && now() < end) result = generator.next();
      return result;
    };
    return of(slice()).pipe(
      expand((result) => (result.done === true ? EMPTY : yieldThread().pipe(map(slice)))),
      mergeMap((result) => (result.done === true ? of(result.value) : EMPTY)),
    );
  });
