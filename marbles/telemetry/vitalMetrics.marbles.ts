import { NEVER } from 'rxjs';

import type { LongTask, Vital } from '../../src/model/metric';
import { vitalMetrics } from '../../src/telemetry/vitalMetrics';
import { marble } from '../support/marbles';

const vitals: Readonly<Record<string, Vital>> = {
  f: { name: 'FCP', value: 1900, rating: 'needs-improvement' },
  c: { name: 'CLS', value: 0.3, rating: 'poor' },
};
/** s: too short; t: 50 ms; u: 950 ms; l: after the ten seconds. */
const tasks: Readonly<Record<string, LongTask>> = {
  s: { startTime: 0, duration: 49 },
  t: { startTime: 1, duration: 50 },
  u: { startTime: 9999, duration: 950 },
  l: { startTime: 10_000, duration: 100 },
};
const metrics = {
  f: { name: 'sdk_web_vitals_fcp_seconds', value: 1.9, labels: { rating: 'needs-improvement' } },
  c: { name: 'sdk_web_vitals_cls_score', value: 0.3, labels: { rating: 'poor' } },
  z: { name: 'sdk_ui_compute_seconds', value: 0, labels: {} },
  o: { name: 'sdk_ui_compute_seconds', value: 1, labels: {} },
};

describe('vitalMetrics', () => {
  marble('passes vitals on as they become known', ({ hot, expectObservable }) => {
    const vital$ = hot('  f-c', vitals);
    const expected = '    f-c 10497ms z';
    expectObservable(vitalMetrics({ vital$, longTask$: NEVER, pageAge: () => 0 })).toBe(expected, metrics);
  });

  marble('sums the long tasks of the page’s first ten seconds', ({ hot, expectObservable }) => {
    const longTask$ = hot('stul', tasks);
    const expected = '     10500ms o';
    expectObservable(vitalMetrics({ vital$: NEVER, longTask$, pageAge: () => 0 })).toBe(expected, metrics);
  });

  marble('waits only for what is left of them', ({ cold, expectObservable }) => {
    const longTask$ = cold('(tu)', tasks);
    expectObservable(vitalMetrics({ vital$: NEVER, longTask$, pageAge: () => 4000 })).toBe('6500ms o', metrics);
    expectObservable(vitalMetrics({ vital$: NEVER, longTask$, pageAge: () => 40_000 })).toBe('500ms o', metrics);
  });

  marble('lets go of both', ({ hot, expectObservable, expectSubscriptions }) => {
    const [vital$, longTask$] = [hot('-', vitals), hot('-', tasks)];
    expectObservable(vitalMetrics({ vital$, longTask$, pageAge: () => 0 }), '^-!').toBe('-');
    expectSubscriptions(vital$.subscriptions).toBe('^-!');
    expectSubscriptions(longTask$.subscriptions).toBe('^-!');
  });
});
