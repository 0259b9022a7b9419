import { NEVER } from 'rxjs';
import type { Transition } from '../../src/model/protocol';
import { transitionBatches } from '../../src/operators/transitionBatches';
import { marbles } from '../support/marbles';

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
  it('publishes once quiet', marbles(({ cold, hot, expectObservable }) => {
    const source$ = hot('  -e-f-------x|   ', lists);
    const flush$ = cold('  |               ');
    const expected = '     ------b-----(x|)';
    expectObservable(source$.pipe(transitionBatches(3, flush$))).toBe(expected, lists);
  }));

  it('lets an entry cancel a pending exit, and an exit a pending entry', marbles(({ hot, expectObservable }) => {
    const entered$ = hot(' -e-x------', lists);
    const exited$ = hot('  -x-e------', lists);
    expectObservable(entered$.pipe(transitionBatches(3, NEVER))).toBe('----------', lists);
    expectObservable(exited$.pipe(transitionBatches(3, NEVER))).toBe(' ----------', lists);
  }));

  it('leaves the rest of what is pending alone', marbles(({ hot, expectObservable }) => {
    const source$ = hot('  -b-x------', lists);
    const expected = '     ------f---';
    expectObservable(source$.pipe(transitionBatches(3, NEVER))).toBe(expected, lists);
  }));

  it('does not let a cohort cancel another', marbles(({ hot, expectObservable }) => {
    const source$ = hot('  -e-y------', lists);
    const expected = '     ------p---';
    expectObservable(source$.pipe(transitionBatches(3, NEVER))).toBe(expected, { p: [entry('1'), exit('2')] });
  }));

  it('cancels in pairs: entry, exit, entry is an entry', marbles(({ hot, expectObservable }) => {
    const source$ = hot('    exe-----', lists);
    const together$ = hot('  (exe)---', lists);
    expectObservable(source$.pipe(transitionBatches(3, NEVER))).toBe('  -----e--', lists);
    expectObservable(together$.pipe(transitionBatches(3, NEVER))).toBe('---e----', lists);
  }));

  it('cancels nothing that is published', marbles(({ hot, expectObservable }) => {
    const source$ = hot('  e----x-----', lists);
    const expected = '     ---e----x--';
    expectObservable(source$.pipe(transitionBatches(3, NEVER))).toBe(expected, lists);
  }));

  it('cancels within one list too', marbles(({ hot, expectObservable }) => {
    const source$ = hot('  -p------', { p: [entry('1'), exit('1'), entry('2')] });
    const expected = '     ----f---';
    expectObservable(source$.pipe(transitionBatches(3, NEVER))).toBe(expected, lists);
  }));

  it('publishes at once when flushed, and then has nothing to publish', marbles(({ hot, expectObservable }) => {
    const source$ = hot('  -e-------f-----', lists);
    const flush$ = hot('   f-ff----------f', { f: 'leave' });
    const expected = '     --e---------f--';
    expectObservable(source$.pipe(transitionBatches(3, flush$))).toBe(expected, lists);
  }));

  it('does not let an empty list put off what is pending', marbles(({ hot, expectObservable }) => {
    const source$ = hot('  e-o-----', lists);
    const expected = '     ---e----';
    expectObservable(source$.pipe(transitionBatches(3, NEVER))).toBe(expected, lists);
  }));

  it('publishes nothing where nothing came', marbles(({ cold, hot, expectObservable }) => {
    expectObservable(hot<readonly Transition[]>(' -  ').pipe(transitionBatches(3, cold('-f-|')))).toBe('-');
    expectObservable(cold<readonly Transition[]>('--|').pipe(transitionBatches(3, cold('-f-|')))).toBe('---|');
    expectObservable(cold('o-|', lists).pipe(transitionBatches(3, cold('|')))).toBe('--|');
  }));

  it('flushes what is pending at completion', marbles(({ cold, hot, expectObservable }) => {
    const source$ = hot('  -e|   ', lists);
    const expected = '     --(e|)';
    expectObservable(source$.pipe(transitionBatches(3, cold('|')))).toBe(expected, lists);
  }));

  it('passes an error on at once, dropping what is pending', marbles(({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -e-#', lists);
    const expected = '     ---#';
    const subs = '         ^--!';
    expectObservable(source$.pipe(transitionBatches(5, NEVER))).toBe(expected, lists);
    expectSubscriptions(source$.subscriptions).toBe(subs);
  }));

  it('lets go of source and flush when unsubscribed early', marbles(({ hot, expectObservable, expectSubscriptions }) => {
    const source$ = hot('  -e----', lists);
    const flush$ = hot('   -----f');
    const unsub = '        ^--!  ';
    const expected = '     ------';
    expectObservable(source$.pipe(transitionBatches(5, flush$)), unsub).toBe(expected, lists);
    expectSubscriptions(source$.subscriptions).toBe(unsub);
    expectSubscriptions(flush$.subscriptions).toBe(unsub);
  }));

  it('publishes after 500 ms of quiet, cancels both ways within them, and publishes at once at leave', marbles(({ hot, expectObservable }) => {
    const late$ = hot('    e 500ms x                  ', lists);
    const back$ = hot('    e 498ms x 5s               ', lists);
    const leave$ = hot('   100ms l                    ');
    expectObservable(late$.pipe(transitionBatches(500, NEVER))).toBe('500ms e 500ms x', lists);
    expectObservable(back$.pipe(transitionBatches(500, NEVER))).toBe('-', lists);
    expectObservable(late$.pipe(transitionBatches(500, leave$))).toBe('100ms e 900ms x', lists);
  }));
});
