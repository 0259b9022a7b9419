import { asyncScheduler } from 'rxjs';

import type { EngineCommand, VisitContext } from '../../src/model/engineCommands';
import { feedEngine } from '../../src/visit/feedEngine';
import { numberedOf } from '../../test/support/events';
import { marble } from '../support/marbles';

const contextOf = (session: string, view: string): VisitContext => ({
  session: { id: session, startedAt: 0 },
  view: { id: view, startedAt: 0 },
});
/** v, w: two views of a session; s: another session. */
const contexts = { v: contextOf('1', 'v'), w: contextOf('1', 'w'), s: contextOf('2', 'w') };
const events = { a: numberedOf('a'), b: numberedOf('b'), c: numberedOf('c') };
const messages: Readonly<Record<string, EngineCommand>> = {
  a: { type: 'track', event: events.a },
  b: { type: 'track', event: events.b },
  c: { type: 'track', event: events.c },
  v: { type: 'context', context: contexts.v },
  w: { type: 'context', context: contexts.w },
  s: { type: 'context', context: contexts.s },
};

/** The context that holds at each frame. */
const contextAt = (diagram: string) => (): VisitContext =>
  contexts[diagram[asyncScheduler.now()] as keyof typeof contexts];

describe('feedEngine', () => {
  marble('says session and view before an event, where they are new', ({ hot, expectObservable }) => {
    const event$ = hot('   -a---b---c---', events);
    const context = '      vvvvvwwwwssss';
    const expected = '     -a---(wb)(sc)';
    expectObservable(feedEngine(event$, contextAt(context.trim()))).toBe(expected, messages);
  });

  marble('says nothing of a context in which nothing happens', ({ hot, expectObservable }) => {
    const event$ = hot('   -a-----b-', events);
    const context = '      vvvwwvvvv';
    const expected = '     -a-----b-';
    expectObservable(feedEngine(event$, contextAt(context.trim()))).toBe(expected, messages);
  });

  marble('passes on end and error', ({ cold, expectObservable }) => {
    const context = contextAt('vvvvvv');
    expectObservable(feedEngine(cold('-a-|', events), context)).toBe('-a-|', messages);
    expectObservable(feedEngine(cold('|'), context)).toBe('|');
    expectObservable(feedEngine(cold('-'), context)).toBe('-');
    expectObservable(feedEngine(cold('-a-#', events), context)).toBe('-a-#', messages);
  });

  marble('lets go of the events when unsubscribed early', ({ hot, expectObservable, expectSubscriptions }) => {
    const event$ = hot('   -a-b-', events);
    const unsub = '        ^-!  ';
    const expected = '     -a---';
    expectObservable(feedEngine(event$, contextAt('vvvvv')), unsub).toBe(expected, messages);
    expectSubscriptions(event$.subscriptions).toBe(unsub);
  });
});
