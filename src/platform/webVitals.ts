import { Observable, share } from 'rxjs';
import { type MetricType, onCLS, onFCP, onFID, onINP, onLCP } from 'web-vitals';

import type { LongTask, Vital } from '../model/metric';

/**
 * Each web vital once it is final, which for most is when the page is hidden. The library cannot remove its listeners,
 * so they are set once and stay.
 */
export const vital$: Observable<Vital> = new Observable<MetricType>((subscriber) => {
  // oxlint-disable-next-line typescript/no-deprecated -- as above
  for (const measure of [onCLS, onFCP, onFID, onINP, onLCP]) measure((vital: MetricType) => subscriber.next(vital));
}).pipe(share({ resetOnRefCountZero: false }));

/** Tasks of 50 ms or longer, those before the subscription included. Empty where the browser does not support it. */
export const longTask$: Observable<LongTask> = new Observable((subscriber) => {
  try {
    const observer = new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntries()) subscriber.next({ startTime, duration });
    });
    observer.observe({ type: 'longtask', buffered: true });
    return () => observer.disconnect();
  } catch {
    return undefined;
  }
});

/** Ms since the page began to load. */
export const pageAge = (): number => performance.now();
