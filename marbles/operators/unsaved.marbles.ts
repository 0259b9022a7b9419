import type { Event } from '../../src/model/event';
import { unsaved } from '../../src/operators/unsaved';
import { marbles } from '../support/marbles';

const event = (id: string): Event => ({ id, name: 'Pageview', time: '2026-01-01T00:00:00.000Z', properties: {}, session_id: 's', view_id: 'v' });
const [a, b, c] = [event('a'), event('b'), event('c')];
const events = { a, b, c };
/** What is not saved: nothing, a, a and b, b, c. */
const lists = { o: [], a: [a], p: [a, b], b: [b], c: [c] };

describe('unsaved', () => {
  it('lists what was given to the engine and is not saved yet', marbles(({ hot, expectObservable }) => {
    const event$ = hot('   -a-b-----c-', events);
    const saved$ = hot('   -----b-----');
    const expected = '     oa-p-o---c-';
    expectObservable(unsaved(event$, saved$)).toBe(expected, lists);
  }));

  it('keeps what came after the last saved event', marbles(({ hot, expectObservable }) => {
    const event$ = hot('   -a-b----', events);
    const saved$ = hot('   -----a-b');
    const expected = '     oa-p-b-o';
    expectObservable(unsaved(event$, saved$)).toBe(expected, lists);
  }));

  it('keeps all where an unknown event was saved, or one that was saved before', marbles(({ hot, expectObservable }) => {
    const event$ = hot('   -a-----b---', events);
    const saved$ = hot('   ---z-a---a-');
    const expected = '     oa-a-o-b-b-';
    expectObservable(unsaved(event$, saved$)).toBe(expected, lists);
  }));

  it('starts with nothing, and stays there', marbles(({ hot, expectObservable }) => {
    expectObservable(unsaved(hot('-'), hot('-'))).toBe('o', lists);
  }));

  it('completes with both', marbles(({ cold, expectObservable }) => {
    const event$ = cold('  -a|   ', events);
    const saved$ = cold('  ---a-|');
    const expected = '     oa-o-|';
    expectObservable(unsaved(event$, saved$)).toBe(expected, lists);
    expectObservable(unsaved(cold('|'), cold('|'))).toBe('(o|)', lists);
  }));

  it('passes on an error of either', marbles(({ cold, expectObservable }) => {
    expectObservable(unsaved(cold('-a-#', events), cold('-'))).toBe('oa-#', lists);
    expectObservable(unsaved(cold('-a--', events), cold('--#'))).toBe('oa#', lists);
  }));

  it('lets go of both when unsubscribed early', marbles(({ hot, expectObservable, expectSubscriptions }) => {
    const event$ = hot('   -a-b-', events);
    const saved$ = hot('   ----b');
    const unsub = '        ^-!  ';
    const expected = '     oa---';
    expectObservable(unsaved(event$, saved$), unsub).toBe(expected, lists);
    expectSubscriptions(event$.subscriptions).toBe(unsub);
    expectSubscriptions(saved$.subscriptions).toBe(unsub);
  }));
});
