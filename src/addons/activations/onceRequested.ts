import { filter, map, merge, type Observable, of, switchMap, take, timer } from 'rxjs';

import { perform } from '../../operators/creators/perform';
import type { AddonStreams } from '../addon';

/** What has not left is due again after this time, where the page has not been hidden before. */
const retryMs = 600_000;

/**
 * Emits once when a pixel counts as requested: with its answer, or where the page is hidden or left before, because the
 * request goes on then. Where the pixel has failed, nothing is emitted, and `takeBack` is called, which takes back what
 * was remembered: when the page is hidden or left, or after 600 s. So a blocker is met once a page, and not at each
 * change of cohorts.
 *
 *     requested$:  --(t|)    --(f|)
 *     pageExit$:   -------   -----e
 *     result:      --(t|)    -----|
 *     takeBack:              -----x
 */
export const onceRequested = (
  requested$: Observable<boolean>,
  { pageExit$ }: Pick<AddonStreams, 'pageExit$'>,
  takeBack: () => void = () => undefined,
): Observable<unknown> => {
  const exit$ = pageExit$.pipe(filter(({ step }) => step === 'beforeFlush'));
  return merge(requested$, exit$.pipe(map(() => true))).pipe(
    take(1),
    switchMap((isRequested) =>
      isRequested
        ? of(true)
        : merge(exit$, timer(retryMs)).pipe(
            take(1),
            switchMap(() => perform(takeBack)),
          ),
    ),
  );
};
