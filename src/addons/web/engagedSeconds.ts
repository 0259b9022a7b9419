import { filter, interval, map, merge, type OperatorFunction, scan } from 'rxjs';

/** Seconds of presence are counted every 1000 ms, engagement is told every 5 s (spec C§9, S§9). */
const countEveryMs = 1000;
const tellEveryMs = 5000;

interface Engagement {
  readonly dirty: boolean;
  readonly seconds: number;
  readonly told: number;
}

/**
 * Every 5 s: how many of them the page was visible, if the visitor did anything in that time; nothing otherwise.
 *
 *     activity:  --a------------------|
 *     result:    5s 5ms… 5, then nothing: the second 5 s had no activity
 */
export const engagedSeconds =
  (isVisible: () => boolean): OperatorFunction<unknown, number> =>
  (activity$) =>
    merge(
      activity$.pipe(map(() => 'dirty' as const)),
      // Counted before told: both fall on the fifth second, in this order.
      interval(countEveryMs).pipe(
        filter(isVisible),
        map(() => 'second' as const),
      ),
      interval(tellEveryMs).pipe(map(() => 'tell' as const)),
    ).pipe(
      scan<'dirty' | 'second' | 'tell', Engagement>(
        ({ dirty, seconds }, signal) => {
          if (signal === 'dirty') return { dirty: true, seconds, told: 0 };
          if (signal === 'second') return { dirty, seconds: seconds + 1, told: 0 };
          return { dirty: false, seconds: 0, told: dirty ? seconds : 0 };
        },
        { dirty: false, seconds: 0, told: 0 },
      ),
      map(({ told }) => told),
      filter((told) => told > 0),
    );
