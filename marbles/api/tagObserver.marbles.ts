import { EMPTY, type Observable } from 'rxjs';

import type { PublicApi } from '../../src/api/publicApi';
import type { Tag } from '../../src/api/tag';
import { tagObserver } from '../../src/api/tagObserver';
import type { Stage } from '../../src/model/pageContext';
import type { PageExit } from '../../src/model/pageSignal';
import type { VisitStreams } from '../../src/world';
import { marble } from '../support/marbles';

const stages: Readonly<Record<string, Stage>> = { i: 'initialised', r: 'realtime' };
/** h: the page is hidden; f: the flush after it. */
const exits: Readonly<Record<string, PageExit>> = {
  h: { step: 'beforeFlush', isUnloading: false },
  f: { step: 'flush', isUnloading: false },
};
/** t: the queued call of `track`. */
const calls = { t: ['Queued'] };

const apiOf = (track: (...args: readonly unknown[]) => unknown): PublicApi => ({
  methods: { track },
  addons: {},
  context: () => ({}),
  streams: { cohorts$: EMPTY, transitions$: EMPTY, events$: EMPTY },
  whileConsent: () => EMPTY,
  whileVisit: () => EMPTY,
});

/** Follows a visit of a page that has called `track('Queued')`. */
const follow = (
  track: (...args: readonly unknown[]) => unknown,
  visit: Pick<VisitStreams, 'stage$' | 'pageExit$'>,
): Observable<never> => {
  const tag: Tag = { q: [{ functionName: 'track', arguments: ['Queued'] }] };
  const deps = { setting: () => true as never, report: () => undefined, page: { post: () => undefined } };
  return tagObserver(tag, apiOf(track), false, deps).whileVisit(visit as VisitStreams);
};

describe('The calls in the queue of the page’s tag', () => {
  marble('are replayed once, when the queries are initialised', ({ hot, effect, expectObservable }) => {
    const stage$ = hot('   --i--r-', stages);
    const pageExit$ = hot('----(hf)', exits);
    const expected = '     --t----';
    const track = effect<readonly unknown[]>();
    expectObservable(follow(track, { stage$, pageExit$ })).toBe('--|');
    expectObservable(track.call$).toBe(expected, calls);
  });

  marble('are replayed when the page leaves before that', ({ hot, effect, expectObservable }) => {
    const stage$ = hot('   -----i--', stages);
    const pageExit$ = hot('--(hf)--', exits);
    const expected = '     --t-----';
    const track = effect<readonly unknown[]>();
    expectObservable(follow(track, { stage$, pageExit$ })).toBe('--|');
    expectObservable(track.call$).toBe(expected, calls);
  });

  marble('wait a second for the engine, no longer', ({ hot, effect, expectObservable }) => {
    const stage$ = hot('   - 2s   i', stages);
    const pageExit$ = hot('-       ', exits);
    const expected = '     1s     t';
    const track = effect<readonly unknown[]>();
    expectObservable(follow(track, { stage$, pageExit$ })).toBe('1s |');
    expectObservable(track.call$).toBe(expected, calls);
  });
});
