import { connect, debounceTime, filter, map, merge, type Observable, type OperatorFunction, scan } from 'rxjs';

import type { Transition } from '../model/engineCommands';
import { fold } from '../primitives/lists';

/** Transitions are published once there was no other for this long, in ms (spec S§9). */
export const publishQuietMs = 500;

/** The transitions that wait, and those that this step publishes. */
interface QuietTransitions {
  readonly list: readonly Transition[];
  readonly flushed: readonly Transition[];
}

/**
 * Publishes transitions once there was no other for `quietMs`, or at `flush$`. An entry that meets a pending exit of
 * the same cohort cancels it, and the reverse, so neither of them is published (spec S§4).
 *
 *     source:  -a-b-------c-----        a: entry of 1, b: entry of 2, c: exit of 1
 *     (3)      ------x-------y--        x: a and b, y: c
 */
export const debounceTransitions =
  (quietMs: number, flush$: Observable<unknown>): OperatorFunction<readonly Transition[], readonly Transition[]> =>
  (source$) =>
    source$.pipe(
      filter((transitions) => transitions.length > 0),
      connect((transitions$) =>
        merge(
          transitions$,
          // Completion flushes too, because the debounce emits what waits when its source completes.
          merge(transitions$.pipe(debounceTime(quietMs)), flush$).pipe(map(() => 'flush' as const)),
        ),
      ),
      scan<readonly Transition[] | 'flush', QuietTransitions>(
        ({ list }, input) =>
          input === 'flush' ? { list: [], flushed: list } : { list: fold(input, list, withoutOpposites), flushed: [] },
        { list: [], flushed: [] },
      ),
      map(({ flushed }) => flushed),
      filter((flushed) => flushed.length > 0),
    );

/** Adds a transition, or removes the pending opposite of the same cohort. */
const withoutOpposites = (list: readonly Transition[], transition: Transition): readonly Transition[] => {
  const opposite = list.findIndex(({ id, entry }) => id === transition.id && entry !== transition.entry);
  return opposite === -1 ? [...list, transition] : list.filter((_, i) => i !== opposite);
};
