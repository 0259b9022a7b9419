import type { Event } from '../../src/model/event';
import { unsavedAt } from '../../src/visit/unsavedAt';
import { marble } from '../support/marbles';

const event = (id: string): Event => ({
  id,
  name: 'Pageview',
  time: '2026-01-01T00:00:00.000Z',
  properties: {},
  session_id: 's',
  view_id: 'v',
});
const [a, b, c] = [event('a'), event('b'), event('c')];
const events = { a, b, c };
/** Values that are not saved: nothing, a, a and b, b, c. */
const lists = { o: [], a: [a], p: [a, b], b: [b], c: [c] };

describe('unsaved', () => {
  marble('lists what was given to the engine and is not saved yet, when it is asked', ({ hot, expectObservable }) => {
    const event$ = hot('   --a-b-----c--', events);
    const saved$ = hot('   ------b------');
    const when$ = hot('    -w-w-w-w-ww-w');
    const expected = '     -o-a-p-o-oc-c';
    expectObservable(unsavedAt(event$, saved$, when$, 2)).toBe(expected, lists);
  });

  marble('keeps what came after the last saved event', ({ hot, expectObservable }) => {
    const event$ = hot('   -a-b------', events);
    const saved$ = hot('   -----a---b');
    const when$ = hot('    ----w-w---w');
    const expected = '     ----p-b---o';
    expectObservable(unsavedAt(event$, saved$, when$, 2)).toBe(expected, lists);
  });

  marble('keeps all where an unknown event was saved, or one that was saved before', ({ hot, expectObservable }) => {
    const event$ = hot('   -a-----b----', events);
    const saved$ = hot('   ---z-a---a--');
    const when$ = hot('    ----w-w---w-');
    const expected = '     ----a-o---b-';
    expectObservable(unsavedAt(event$, saved$, when$, 2)).toBe(expected, lists);
  });

  marble('keeps the newest where none is saved', ({ hot, expectObservable }) => {
    const event$ = hot('   -a-b-c---', events);
    const saved$ = hot('   ---------');
    const when$ = hot('    ----w-w--');
    const expected = '     ----p-n--';
    expectObservable(unsavedAt(event$, saved$, when$, 2)).toBe(expected, { ...lists, n: [b, c] });
  });

  marble('completes with all of them', ({ cold, expectObservable }) => {
    const event$ = cold('  -a|   ', events);
    const saved$ = cold('  ---a-|');
    const when$ = cold('   --w|  ');
    const expected = '     --a--|';
    expectObservable(unsavedAt(event$, saved$, when$, 2)).toBe(expected, lists);
    expectObservable(unsavedAt(cold('|'), cold('|'), cold('|'), 2)).toBe('|', lists);
  });

  marble('passes on an error of any', ({ cold, expectObservable }) => {
    expectObservable(unsavedAt(cold('-a-#', events), cold('-'), cold('--w'), 2)).toBe('--a#', lists);
    expectObservable(unsavedAt(cold('-a--', events), cold('--#'), cold('-'), 2)).toBe('--#', lists);
    expectObservable(unsavedAt(cold('-a--', events), cold('-'), cold('--#'), 2)).toBe('--#', lists);
  });

  marble('lets go of all when unsubscribed early', ({ hot, expectObservable, expectSubscriptions }) => {
    const event$ = hot('   -a-b-', events);
    const saved$ = hot('   ----b');
    const when$ = hot('    --w--');
    const unsub = '        ^--!  ';
    const expected = '     --a--';
    expectObservable(unsavedAt(event$, saved$, when$, 2), unsub).toBe(expected, lists);
    for (const { subscriptions } of [event$, saved$, when$]) expectSubscriptions(subscriptions).toBe(unsub);
  });
});
