import { buffer, filter, map, merge, type Observable, take, timer } from 'rxjs';

import type { LongTask, Metric, Vital } from '../model/metric';
import { sumOf } from '../primitives/lists';

/** What the browser measures of the page. */
export interface VitalsDeps {
  /** Web vitals as they become final. */
  readonly vital$: Observable<Vital>;
  /** Long tasks, those before the subscription included. */
  readonly longTask$: Observable<LongTask>;
  /** Ms since the page began. */
  readonly pageAge: () => number;
}

/** Tasks of at least 50 ms in the page's first ten seconds are summed up (spec S§9). */
const measuredMs = 10_000;
const taskMs = 50;
/** Browsers report a long task some time after its end, so the sum waits this much longer. */
const tellingMs = 500;

/**
 * Metrics of the web vitals with their ratings, as they become known, and once the sum of the page's long tasks in its
 * first ten seconds. Times are turned from ms into seconds; CLS is a score without a unit.
 */
export const vitalMetrics = ({ vital$, longTask$, pageAge }: VitalsDeps): Observable<Metric> =>
  merge(
    vital$.pipe(
      map(({ name, value, rating }) =>
        name === 'CLS'
          ? vital('cls_score', value, rating)
          : vital(`${name.toLowerCase()}_seconds`, value / 1000, rating),
      ),
    ),
    longTask$.pipe(
      filter(({ startTime, duration }) => startTime < measuredMs && duration >= taskMs),
      buffer(timer(Math.max(0, measuredMs - pageAge()) + tellingMs)),
      take(1),
      map((tasks): Metric => ({
        name: 'sdk_ui_compute_seconds',
        value: sumOf(tasks, ({ duration }) => duration) / 1000,
        labels: {},
      })),
    ),
  );

const vital = (name: string, value: number, rating: string): Metric => ({
  name: `sdk_web_vitals_${name}`,
  value,
  labels: { rating },
});
