import { map, merge } from 'rxjs';
import type { PageLeave } from '../../src/model/pageLeave';
import type { Listen, Page } from '../../src/platform/platform';
import { fromPageLeave } from '../../src/streams/fromPageLeave';
import { marbles } from '../support/marbles';

/** Small: hidden, it may come back; capital: gone. w: last words, f: flush. */
const leaves: Readonly<Record<string, PageLeave>> = {
  w: { step: 'last words', gone: false },
  f: { step: 'flush', gone: false },
  W: { step: 'last words', gone: true },
  F: { step: 'flush', gone: true },
};

/** A page that is hidden whenever its visibility is asked for an `h`. */
const world = (visibility$: ReturnType<Listen>, pagehide$: ReturnType<Listen>) => {
  let last: unknown;
  const listen: Listen = (target, type) => {
    if (`${target} ${type}` === 'document visibilitychange') return visibility$.pipe(map((state) => (last = state)));
    if (`${target} ${type}` === 'window pagehide') return pagehide$;
    throw new Error(`Nobody needs ${target} ${type}`);
  };
  const page = { hidden: () => last === 'h' } as Page;
  return fromPageLeave(listen, page);
};

describe('fromPageLeave', () => {
  it('says twice that the page is hidden: for last words, then to flush', marbles(({ hot, expectObservable }) => {
    const visibility$ = hot('-h---v---h---');
    const expected = '       -(wf)----(wf)';
    expectObservable(world(visibility$, hot('-'))).toBe(expected, leaves);
  }));

  it('says twice that the page is gone', marbles(({ hot, expectObservable }) => {
    const visibility$ = hot('-h----');
    const pagehide$ = hot('  -----p');
    const expected = '       -(wf)(WF)';
    expectObservable(world(visibility$, pagehide$)).toBe(expected, leaves);
  }));

  it('lets all have their last words before anyone flushes', marbles(({ hot, expectObservable }) => {
    const leave$ = world(hot('-h'), hot('-'));
    const told = (name: string) => leave$.pipe(map(({ step }) => `${name} ${step}`));
    expectObservable(merge(told('1'), told('2'))).toBe('-(abcd)', { a: '1 last words', b: '2 last words', c: '1 flush', d: '2 flush' });
  }));

  it('listens once for all, while anyone listens', marbles(({ hot, expectObservable, expectSubscriptions }) => {
    const visibility$ = hot('-h---h---h-');
    const pagehide$ = hot('  -');
    const first = '          ^--!       ';
    const second = '         --^----!   ';
    const third = '          --------^-!';
    const subs = [
      '                      ^------!   ',
      '                      --------^-!',
    ];
    const leave$ = world(visibility$, pagehide$);
    expectObservable(leave$, first).toBe('-(wf)         ', leaves);
    expectObservable(leave$, second).toBe(' -----(wf)     ', leaves);
    expectObservable(leave$, third).toBe('  ---------(wf) ', leaves);
    expectSubscriptions(visibility$.subscriptions).toBe(subs);
    expectSubscriptions(pagehide$.subscriptions).toBe(subs);
  }));

  it('says nothing of a page that stays', marbles(({ hot, expectObservable }) => {
    expectObservable(world(hot('-v-v'), hot('-'))).toBe('-');
  }));
});
