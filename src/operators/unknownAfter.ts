import { connect, endWith, map, merge, type OperatorFunction, takeUntil, timer } from 'rxjs';

import { type Answered, known, unknown } from '../model/answered';

/**
 * Says that the answer is unknown where the source has neither emitted nor ended within `ms`, and goes on waiting.
 * Completion and errors are passed on.
 *
 *     source:  -----a-b|   within 3: ---u-a-b|   within 9: -----a-b|
 */
export const unknownAfter =
  <A>(ms: number): OperatorFunction<A, Answered<A>> =>
  (source$) =>
    source$.pipe(
      map(known),
      connect((answer$) =>
        merge(
          timer(ms).pipe(
            map(() => unknown),
            takeUntil(answer$.pipe(endWith(0))),
          ),
          answer$,
        ),
      ),
    );
