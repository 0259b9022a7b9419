import { defer, EMPTY, expand, map, mergeMap, type Observable, of } from 'rxjs';

import type { Platform } from '../../platform/platform';

/** The clock, and the way to let go of the thread. */
export type Slices = Pick<Platform, 'now' | 'yieldThread'>;

/** Length of a slice of work, in ms: other work of the thread waits no longer (spec S§9). */
export const sliceMs = 50;

/**
 * Runs a generator to its end in slices of at most `sliceMs`, plus the unit of work that crosses that limit, and emits
 * what it returns. Cold; unsubscribing stops between slices. The first slice runs at subscription.
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
