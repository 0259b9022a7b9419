import { NEVER } from 'rxjs';

import { onceRequested } from '../../../src/addons/activations/onceRequested';
import type { PageExit } from '../../../src/model/pageSignal';
import { marble } from '../../support/marbles';

const answers = { t: true, f: false };
const exits: Readonly<Record<string, PageExit>> = {
  b: { step: 'beforeFlush', isUnloading: false },
  f: { step: 'flush', isUnloading: false },
};

describe('onceRequested', () => {
  marble('emits with the answer, and takes nothing back', ({ cold, hot, effect, expectObservable }) => {
    const takeBack = effect();
    const pageExit$ = hot('  -----b', exits);
    const requested$ = cold('--t|', answers);
    const expected = '       --(t|)';
    expectObservable(takeBack.call$).toBe('-');
    expectObservable(onceRequested(requested$, { pageExit$ }, takeBack)).toBe(expected, answers);
  });

  marble('emits when the page is hidden or left before the answer', ({ cold, hot, expectObservable }) => {
    const pageExit$ = hot('  --b', exits);
    const requested$ = cold('----f', answers);
    const expected = '       --(t|)';
    expectObservable(onceRequested(requested$, { pageExit$ })).toBe(expected, answers);
  });

  marble('takes back a failure when the page is hidden', ({ cold, hot, effect, expectObservable }) => {
    const takeBack = effect();
    const pageExit$ = hot('  -----bf---b', exits);
    const requested$ = cold('--f|', answers);
    const expected = '       -----|';
    expectObservable(takeBack.call$).toBe(' -----c', { c: [] });
    expectObservable(onceRequested(requested$, { pageExit$ }, takeBack)).toBe(expected);
  });

  marble('takes back a failure after 600 s of a page that stays', ({ cold, effect, expectObservable }) => {
    const takeBack = effect();
    const requested$ = cold('--f|', answers);
    expectObservable(takeBack.call$).toBe('-- 600s c', { c: [] });
    expectObservable(onceRequested(requested$, { pageExit$: NEVER }, takeBack)).toBe('-- 600s |');
  });
});
