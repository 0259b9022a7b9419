import { concat, ignoreElements, map, mergeMap, type Observable, of, takeUntil, timer } from 'rxjs';

import type { Stage } from '../model/pageContext';
import type { Evaluation } from './visitParts';

/**
 * How long `initialised` waits for the deferred chunk. A page that is told that the SDK is ready then usually finds its
 * addons.
 */
const deferredWaitMs = 1000;

/**
 * The stages of a visit, each once. While the visitor's history is unknown, the page is ready, with the cohorts of the
 * last page, and these are not real-time. Whoever hears `initialised` replays the page's queue before the emission
 * returns. Then the events that wait for their data are awaited (`idle$`), and a barrier message follows all of them
 * through the engine. Once it is echoed, the cohorts are real-time.
 */
export const stages = (
  { ready$, barrier$ }: Pick<Evaluation, 'ready$' | 'barrier$'>,
  deferredParts$: Observable<unknown>,
  idle$: Observable<never>,
): Observable<Stage> => {
  const deferredReady$ = deferredParts$.pipe(ignoreElements(), takeUntil(timer(deferredWaitMs)));
  return ready$.pipe(
    mergeMap(() =>
      concat(deferredReady$, of<Stage>('initialised'), idle$, barrier$.pipe(map((): Stage => 'realtime'))),
    ),
  );
};
