import { filter, interval, map, merge, type OperatorFunction, scan } from 'rxjs';

/** How often a second of presence is counted (spec C§9), and how often engagement is told (spec S§9). */
const countEveryMs = 1000;
const tellEveryMs = 5000;

/** What has been counted since engagement was last told. */
interface Engagement {
  /** The visitor has done something. */
  readonly dirty: boolean;
  /** Seconds in which the page was visible. */
  readonly seconds: number;
  /** Seconds to tell with this step; 0: nothing to tell. */
  readonly told: number;
}

/**
 * Every 5 s, emits for how many of these seconds the page was visible, provided that the visitor did something in that
 * time. Without activity in that time, the stream emits nothing. The source's values are signs of activity; what they
 * are does not matter.
 *
 *     activity:  --a------------------|
 *     result:    5s 5ms… 5, then nothing: the second 5 s had no activity
 */
export const engagedSeconds =
  (isVisible: () => boolean): OperatorFunction<unknown, number> =>
  (activity$) =>
    merge(
      activity$.pipe(map(() => 'dirty' as const)),
      // This interval is subscribed before the next one. On the fifth second both fire, and the second must be counted
      // before the sum is told.
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
