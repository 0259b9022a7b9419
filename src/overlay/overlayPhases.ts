import { catchError, concat, ignoreElements, map, NEVER, type Observable, of, takeUntil, timer } from 'rxjs';

import { poll } from '../operators/creators/poll';

/** `loading`: its images are awaited, nothing is seen. `open`: the visitor sees it. `closing`: it fades. */
export type OverlayPhase = 'loading' | 'open' | 'closing';

/** Images are asked for this often, this far apart; then it opens without them (spec S§9). */
const imageChecks = { everyMs: 500, times: 10 };

/**
 * The life of one overlay: opens once its images have loaded, closes when the visitor says so, and completes when it
 * has faded (spec S§2).
 *
 *     images:  there at the second check, 500 ms
 *     close:   -----------------x
 *     phases:  l----o-----------c----|
 */
export const overlayPhases = (
  hasImages: () => boolean,
  close$: Observable<unknown>,
  fadeMs: number,
): Observable<OverlayPhase> => {
  const opened$ = poll(() => (hasImages() ? true : undefined), imageChecks).pipe(
    // They never came: what there is has to do.
    catchError(() => of(true)),
    map((): OverlayPhase => 'open'),
  );
  return concat(
    concat(of<OverlayPhase>('loading'), opened$, NEVER).pipe(takeUntil(close$)),
    of<OverlayPhase>('closing'),
    timer(fadeMs).pipe(ignoreElements()),
  );
};
