import { catchError, concat, ignoreElements, map, NEVER, type Observable, of, takeUntil, timer } from 'rxjs';

import { poll } from '../operators/creators/poll';

/** `loading`: its images are awaited, and it is invisible. `open`: the visitor sees it. `closing`: it fades out. */
export type OverlayPhase = 'loading' | 'open' | 'closing';

/** How often the images are looked at (spec S§9). After the last check, the overlay opens without them. */
const imageChecks = { everyMs: 500, times: 10 };

/**
 * The life of one overlay (spec S§2). The overlay opens once `hasImages` says that its images have loaded, closes at
 * the first value of `close$`, and completes after `fadeMs`. An overlay that is closed while it loads never opens.
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
    // Images that have not loaded after the last check are not waited for any longer.
    catchError(() => of(true)),
    map((): OverlayPhase => 'open'),
  );
  return concat(
    // NEVER keeps the overlay open until it is closed.
    concat(of<OverlayPhase>('loading'), opened$, NEVER).pipe(takeUntil(close$)),
    of<OverlayPhase>('closing'),
    timer(fadeMs).pipe(ignoreElements()),
  );
};
