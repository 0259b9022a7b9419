import { merge, mergeMap, type Observable, race, take } from 'rxjs';

import type { Platform } from '../../platform/platform';
import { shareState } from '../shareState';
import { scoped } from './scoped';

/** How a task ends, and what does not let the rest wait for others. */
export interface Tasks extends Pick<Platform, 'yieldThread'> {
  /** The remaining streams are subscribed to at once when this stream emits. */
  readonly hurry$: Observable<unknown>;
}

/**
 * Merges streams. Each is made and subscribed to in a task of its own, in their order, so that a page on a slow
 * processor can paint and answer its visitor in between. An error or an unsubscription ends all of them, also those
 * that have not begun. A later stream misses what hot sources emit before its task.
 *
 *     yieldThread:  --y
 *     streams:      a, b, c
 *     subscribed:   a-b-c
 */
export const mergeInTasks = <A>({ yieldThread, hurry$ }: Tasks, streams: Streams<A>): Observable<A> =>
  scoped((stop$) => {
    // A state, so that every task after it begins at once too.
    const nextTask = (): Observable<unknown> => race(yieldThread(), hurried$).pipe(take(1));
    const hurried$ = hurry$.pipe(take(1), shareState(stop$));
    const from = ([first, second, ...others]: Streams<A>): Observable<A> =>
      second === undefined ? first() : merge(first(), nextTask().pipe(mergeMap(() => from([second, ...others]))));
    return from(streams);
  });

/** Makes each stream in its task. */
type Streams<A> = readonly [() => Observable<A>, ...(() => Observable<A>)[]];
