import {
  asyncScheduler,
  concat,
  concatMap,
  defer,
  distinctUntilChanged,
  filter,
  from,
  map,
  merge,
  of,
  share,
  Subject,
  switchMap,
  takeWhile,
  timer,
} from 'rxjs';

import type { Appears, Listen } from '../../platform/platform';
import { perform } from './perform';

/**
 * Waits between two looks, in ms. The sums are 50, 100, 200, 500, 1,000 … 100,000 ms: a look falls on each time after
 * which something counts as missing (1 s, 2 s, 5 s and 10 s).
 */
const waits = [50, 50, 100, 300, 500, 1000, 3000, 5000, 10_000, 30_000, 50_000];
/** How much earlier than asked something may count as missing, in ms, because browsers round their timers. */
const toleranceMs = 10;

/**
 * Makes `Appears`. All who wait share their looks: after each script, style, image and frame that has loaded, once the
 * document is parsed, and at steps that grow, which begin anew with each newcomer. A timer for each of them would wake
 * a phone hundreds of times for what most pages never have.
 */
export const appearances = (listen: Listen): Appears => {
  // eslint-disable-next-line no-restricted-syntax -- whoever begins to wait starts the one timer of all over
  const newcomer$ = new Subject<void>();
  const look$ = merge(
    listen('document', 'load'),
    listen('document', 'DOMContentLoaded'),
    newcomer$.pipe(switchMap(() => from(waits).pipe(concatMap((ms) => timer(ms))))),
  ).pipe(share());
  return <A>(read: () => A | undefined, waitMs: number) =>
    defer(() => {
      const due = asyncScheduler.now() + waitMs - toleranceMs;
      const later$ = merge(
        look$,
        perform(() => newcomer$.next()),
      );
      return concat(of(undefined), later$).pipe(
        map(read),
        filter((found) => found !== undefined || asyncScheduler.now() >= due),
        distinctUntilChanged(),
        takeWhile((found) => found === undefined, true),
      );
    });
};
