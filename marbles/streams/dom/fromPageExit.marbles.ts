import { map, merge } from 'rxjs';

import type { PageExit } from '../../../src/model/pageSignal';
import type { Listen, Page } from '../../../src/platform/platform';
import { fromPageExit } from '../../../src/streams/dom/fromPageExit';
import { marble } from '../../support/marbles';

/** Small letter: the page is hidden and may come back; capital: the page is gone. w: before the flush, f: flush. */
const leaves: Readonly<Record<string, PageExit>> = {
  w: { step: 'beforeFlush', isUnloading: false },
  f: { step: 'flush', isUnloading: false },
  W: { step: 'beforeFlush', isUnloading: true },
  F: { step: 'flush', isUnloading: true },
};

/** A page that is hidden whenever its visibility is asked for an `h`, and has made up the `pagehide` that is an `m`. */
const world = (visibility$: ReturnType<Listen>, pagehide$: ReturnType<Listen>, navigation$?: ReturnType<Listen>) => {
  let last: unknown;
  const listen: Listen = (target, type) => {
    if (`${target} ${type}` === 'document visibilitychange') return visibility$.pipe(map((state) => (last = state)));
    if (`${target} ${type}` === 'window pagehide') return pagehide$.pipe(map((by) => ({ isTrusted: by !== 'm' })));
    throw new Error(`Nobody needs ${target} ${type}`);
  };
  const page = { hidden: () => last === 'h' } as Page;
  return fromPageExit(listen, page, navigation$);
};

describe('fromPageExit', () => {
  marble('says twice that the page is hidden: before the flush, then to flush', ({ hot, expectObservable }) => {
    const visibility$ = hot('-h---v---h---');
    const expected = '       -(wf)----(wf)';
    expectObservable(world(visibility$, hot('-'))).toBe(expected, leaves);
  });

  marble('says twice that the page is gone', ({ hot, expectObservable }) => {
    const visibility$ = hot('-h----');
    const pagehide$ = hot('  -----p');
    const expected = '       -(wf)(WF)';
    expectObservable(world(visibility$, pagehide$)).toBe(expected, leaves);
  });

  marble('does not believe a page that makes up its own end', ({ hot, expectObservable }) => {
    const visibility$ = hot('-----h');
    const pagehide$ = hot('  -m---');
    const expected = '       -(wf)(wf)';
    expectObservable(world(visibility$, pagehide$)).toBe(expected, leaves);
  });

  marble('does not say that a page is hidden that is gone, until it is visible again', ({ hot, expectObservable }) => {
    const visibility$ = hot('--h----v--h---');
    const pagehide$ = hot('  -p------------');
    const expected = '       -(WF)-----(wf)';
    expectObservable(world(visibility$, pagehide$)).toBe(expected, leaves);
  });

  marble('says that a page is about to be replaced, as long as it is there', ({ hot, expectObservable }) => {
    const pagehide$ = hot('  -----p');
    const navigation$ = hot('-n----n');
    const expected = '       -(wf)(WF)';
    expectObservable(world(hot('-'), pagehide$, navigation$)).toBe(expected, leaves);
  });

  marble('lets all emit their final events before anyone flushes', ({ hot, expectObservable }) => {
    const pageExit$ = world(hot('-h'), hot('-'));
    const told = (name: string) => pageExit$.pipe(map(({ step }) => `${name} ${step}`));
    expectObservable(merge(told('1'), told('2'))).toBe('-(abcd)', {
      a: '1 beforeFlush',
      b: '2 beforeFlush',
      c: '1 flush',
      d: '2 flush',
    });
  });

  marble('listens once for all, while anyone listens', ({ hot, expectObservable, expectSubscriptions }) => {
    const visibility$ = hot('-h---h---h-');
    const pagehide$ = hot('  -');
    const first = '          ^--!       ';
    const second = '         --^----!   ';
    const third = '          --------^-!';
    const subs = ['                      ^------!   ', '                      --------^-!'];
    const pageExit$ = world(visibility$, pagehide$);
    expectObservable(pageExit$, first).toBe('-(wf)         ', leaves);
    expectObservable(pageExit$, second).toBe(' -----(wf)     ', leaves);
    expectObservable(pageExit$, third).toBe('  ---------(wf) ', leaves);
    expectSubscriptions(visibility$.subscriptions).toBe(subs);
    expectSubscriptions(pagehide$.subscriptions).toBe(subs);
  });

  marble('says nothing of a page that stays', ({ hot, expectObservable }) => {
    expectObservable(world(hot('-v-v'), hot('-'))).toBe('-');
  });
});
