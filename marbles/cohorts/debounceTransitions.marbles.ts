import { NEVER } from 'rxjs';

import { debounceTransitions } from '../../src/cohorts/debounceTransitions';
import type { Transition } from '../../src/model/engineCommands';
import { marble } from '../support/marbles';

const entry = (id: string): Transition => ({ id, entry: true, time: 0 });
const exit = (id: string): Transition => ({ id, entry: false, time: 0 });

/** One list per evaluation. e, x: entry and exit of cohort 1; f, y: of cohort 2; b: both entries; o: none. */
const lists = {
  e: [entry('1')],
  x: [exit('1')],
  f: [entry('2')],
  y: [exit('2')],
  b: [entry('1'), entry('2')],
  o: [],
};

describe('transitionBatches', () => {
  marble('publishes once quiet', ({ cold, hot, expectObservable }) => {
    const source$ = hot('  -e-f-------x|   ', lists);
    const flush$ = cold('  |               ');
    const expected = '     ------b-----(x|)';
    expectObservable(source$.pipe(debounceTransitions(3, flush$))).toBe(expected, lists);
  });

  marble('lets an entry cancel a pending exit, and an exit a pending entry', ({ hot, expectObservable }) => {
    const entered$ = hot(' -e-x------', lists);
    const exited$ = hot('  -x-e------', lists);
    expectObservable(entered$.pipe(debounceTransitions(3, NEVER))).toBe('----------', lists);
    expectObservable(exited$.pipe(debounceTransitions(3, NEVER))).toBe(' ----------', lists);
  });

  marble('leaves the rest of what is pending alone', ({ hot, expectObservable }) => {
    const source$ = hot('  -b-x------', lists);
    const expected = '     ------f---';
    expectObservable(source$.pipe(debounceTransitions(3, NEVER))).toBe(expected, lists);
  });

  marble('does not let a cohort cancel another', ({ hot, expectObservable }) => {
    const source$ = hot('  -e-y------', lists);
    const expected = '     ------p---';
    expectObservable(source$.pipe(debounceTransitions(3, NEVER))).toBe(expected, { p: [entry('1'), exit('2')] });
  });

  marble('cancels in pairs: entry, exit, entry is an entry', ({ hot, expectObservable }) => {
    const source$ = hot('    exe-----', lists);
    const together$ = hot('  (exe)---', lists);
    expectObservable(source$.pipe(debounceTransitions(3, NEVER))).toBe('  -----e--', lists);
    expectObservable(together$.pipe(debounceTransitions(3, NEVER))).toBe('---e----', lists);
  });

  marble('cancels nothing that is published', ({ hot, expectObservable }) => {
    const source$ = hot('  e----x-----', lists);
    const expected = '     ---e----x--';
    expectObservable(source$.pipe(debounceTransitions(3, NEVER))).toBe(expected, lists);
  });

  marble('cancels within one list too', ({ hot, expectObservable }) => {
    const source$ = hot('  -p------', { p: [entry('1'), exit('1'), entry('2')] });
    const expected = '     ----f---';
    expectObservable(source$.pipe(debounceTransitions(3, NEVER))).toBe(expected, lists);
  });

  marble('publishes at once when flushed, and then has nothing to publish', ({ hot, expectObservable }) => {
    const source$ = hot('  -e-------f-----', lists);
    const flush$ = hot('   f-ff----------f', { f: 'leave' });
    const expected = '     --e---------f--';
    expectObservable(source$.pipe(debounceTransitions(3, flush$))).toBe(expected, lists);
  });

  marble('does not let an empty list put off what is pending', ({ hot, expectObservable }) => {
    const source$ = hot('  e-o-----', lists);
    const expected = '     ---e----';
    expectObservable(source$.pipe(debounceTransitions(3, NEVER))).toBe(expected, lists);
  });

  marble('publishes nothing where nothing came', ({ cold, hot, expectObservable }) => {
    expectObservable(hot<readonly Transition[]>(' -  ').pipe(debounceTransitions(3, cold('-f-|')))).toBe('-');
    expectObservable(cold<readonly Transition[]>('--|').pipe(debounceTransitions(3, cold('-f-|')))).toBe('---|');
    expectObservable(cold('o-|', lists).pipe(debounceTransitions(3, cold('|')))).toBe('--|');
  });

  marble('flushes what is pending at completion', ({ cold, hot, expectObservable }) => {
    const source$ = hot('  -e|   ', lists);
    const expected = '     --(e|)';
    expectObservable(source$.pipe(debounceTransitions(3, cold('|')))).toBe(expected, lists);
  });

  marble('passes an error on at once, dropping what is pending', ({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -e-#', lists);
    const expected = '     ---#';
    const subs = '         ^--!';
    expectObservable(source$.pipe(debounceTransitions(5, NEVER))).toBe(expected, lists);
    expectSubscriptions(source$.subscriptions).toBe(subs);
  });

  marble('lets go of source and flush when unsubscribed early', ({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -e----', lists);
    const flush$ = hot('   -----f');
    const unsub = '        ^--!  ';
    const expected = '     ------';
    expectObservable(source$.pipe(debounceTransitions(5, flush$)), unsub).toBe(expected, lists);
    expectSubscriptions(source$.subscriptions).toBe(unsub);
    expectSubscriptions(flush$.subscriptions).toBe(unsub);
  });

  marble(
    'publishes after 500 ms of quiet, cancels both ways within them, and publishes at once at leave',
    ({ hot, expectObservable }) => {
      const deferredParts$ = hot('    e 500ms x                  ', lists);
      const back$ = hot('    e 498ms x 5s               ', lists);
      const pageExit$ = hot('   100ms l                    ');
      expectObservable(deferredParts$.pipe(debounceTransitions(500, NEVER))).toBe('500ms e 500ms x', lists);
      expectObservable(back$.pipe(debounceTransitions(500, NEVER))).toBe('-', lists);
      expectObservable(deferredParts$.pipe(debounceTransitions(500, pageExit$))).toBe('100ms e 900ms x', lists);
    },
  );
});
