import { EMPTY, type Observable } from 'rxjs';

import type { VisitStreams } from '../../src/api/observer';
import type { PublicApi } from '../../src/api/publicApi';
import type { Tag } from '../../src/api/tag';
import { tagObserver } from '../../src/api/tagObserver';
import type { Stage } from '../../src/model/pageContext';
import type { PageExit } from '../../src/model/pageSignal';
import { marble } from '../support/marbles';

const stages: Readonly<Record<string, Stage>> = { i: 'initialised', r: 'realtime' };
/** h: the page is hidden; f: the flush after it. */
const exits: Readonly<Record<string, PageExit>> = {
  h: { step: 'beforeFlush', isUnloading: false },
  f: { step: 'flush', isUnloading: false },
};
/** t: the queued call of `track`; s: that of `segment`. */
const calls = { t: ['Queued'], s: ['7'] };

const apiOf = (call: (...args: readonly unknown[]) => unknown): PublicApi => ({
  methods: { track: call, segment: call },
  addons: {},
  context: () => ({}),
  streams: { cohorts$: EMPTY, transitions$: EMPTY, events$: EMPTY },
  whileConsent: () => EMPTY,
  whileVisit: () => EMPTY,
});

/** Follows a visit of a page that has called `segment('7')` and `track('Queued')`. */
const follow = (
  call: (...args: readonly unknown[]) => unknown,
  visit: Pick<VisitStreams, 'begun$' | 'stage$' | 'pageExit$'>,
): Observable<never> => {
  const tag: Tag = {
    q: [
      { functionName: 'segment', arguments: ['7'] },
      { functionName: 'track', arguments: ['Queued'] },
    ],
  };
  const deps = { report: () => undefined, page: { post: () => undefined } };
  return tagObserver(tag, apiOf(call), deps).whileVisit(visit as VisitStreams);
};

describe('The calls in the queue of the page’s tag', () => {
  marble(
    'are replayed once: tracked events when the visit has begun, the others when the queries are initialised',
    ({ cold, hot, effect, expectObservable }) => {
      const begun$ = cold('  -(b|)   ', { b: undefined });
      const stage$ = hot('   ---i--r-', stages);
      const pageExit$ = hot('-----(hf)', exits);
      const expected = '     -t-s----';
      const call = effect<readonly unknown[]>();
      expectObservable(follow(call, { begun$, stage$, pageExit$ })).toBe('---|');
      expectObservable(call.call$).toBe(expected, calls);
    },
  );

  marble('are all replayed when the page leaves before that', ({ cold, hot, effect, expectObservable }) => {
    const begun$ = cold('  -(b|)   ', { b: undefined });
    const stage$ = hot('   -----i--', stages);
    const pageExit$ = hot('--(hf)--', exits);
    const expected = '     -ts-----';
    const call = effect<readonly unknown[]>();
    expectObservable(follow(call, { begun$, stage$, pageExit$ })).toBe('--|');
    expectObservable(call.call$).toBe(expected, calls);
  });

  marble('wait a second for the engine, no longer', ({ cold, hot, effect, expectObservable }) => {
    const begun$ = cold('  (b|)    ', { b: undefined });
    const stage$ = hot('   - 2s   i', stages);
    const pageExit$ = hot('-       ', exits);
    const expected = '     t 999ms s';
    const call = effect<readonly unknown[]>();
    expectObservable(follow(call, { begun$, stage$, pageExit$ })).toBe('1s |');
    expectObservable(call.call$).toBe(expected, calls);
  });
});
