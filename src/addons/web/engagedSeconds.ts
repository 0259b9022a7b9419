import { filter, interval, map, merge, type OperatorFunction, scan } from 'rxjs';

/** How often a second of presence is counted (spec C§9), and after how many of them engagement is told (spec S§9). */
const countEveryMs = 1000;
const tellEvery = 5;
/** Stands for activity among the numbers of seconds. */
const activity = -1;

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
 * are does not matter. One interval does both, because the intervals of some browsers drift: in Firefox, one of 5 s
 * ends before the fifth of 1 s.
 *
 *     activity:  --a------------------|
 *     result:    5s 5ms… 5, then nothing: the second 5 s had no activity
 */
export const engagedSeconds =
  (isVisible: () => boolean): OperatorFunction<unknown, number> =>
  (activity$) =>
    merge(activity$.pipe(map(() => activity)), interval(countEveryMs)).pipe(
      scan<number, Engagement>(
        ({ dirty, seconds }, second) => {
          if (second === activity) return { dirty: true, seconds, told: 0 };
          const counted = isVisible() ? seconds + 1 : seconds;
          if (second % tellEvery < tellEvery - 1) return { dirty, seconds: counted, told: 0 };
          return { dirty: false, seconds: 0, told: dirty ? counted : 0 };
        },
        { dirty: false, seconds: 0, told: 0 },
      ),
      map(({ told }) => told),
      filter((told) => told > 0),
    );
