import { concat, ignoreElements, map, mergeMap, type Observable, of, takeUntil, timer } from 'rxjs';

import type { Stage } from '../model/pageContext';
import type { Evaluation } from './evaluation';

/**
 * How long `initialised` waits for the deferred chunk, so that a page finds its addons when it is told that the SDK is
 * ready.
 */
const deferredWaitMs = 1000;

/**
 * The stages of a visit, each once. While `initialised` is heard, the page's queue is replayed; a barrier message
 * follows the replayed calls through the engine, after the events that wait for their data (`idle$`). Once it is
 * echoed, the cohorts are real-time.
 */
export const stages = (
  { initialised$, barrier$ }: Pick<Evaluation, 'initialised$' | 'barrier$'>,
  deferredParts$: Observable<unknown>,
  idle$: Observable<never>,
): Observable<Stage> => {
  const deferredReady$ = deferredParts$.pipe(ignoreElements(), takeUntil(timer(deferredWaitMs)));
  return initialised$.pipe(
    mergeMap(() =>
      concat(deferredReady$, of<Stage>('initialised'), idle$, barrier$.pipe(map((): Stage => 'realtime'))),
    ),
  );
};
