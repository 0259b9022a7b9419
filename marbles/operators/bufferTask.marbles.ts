import { EMPTY, NEVER, tap } from 'rxjs';

import { bufferTask } from '../../src/operators/bufferTask';
import { marble } from '../support/marbles';

const gathered = {
  x: { values: ['a', 'b'], flushed: undefined },
  y: { values: ['c'], flushed: undefined },
  z: { values: ['d'], flushed: 'f' },
  e: { values: [], flushed: 'f' },
};

describe('bufferTask', () => {
  marble('takes the values of a task together, and ends it when it is flushed', (helpers) => {
    const { hot, expectObservable, expectSubscriptions } = helpers;
    const source$ = hot('  -(ab)-c--d----');
    const flush$ = hot('   ---------f--f-');
    const unsub = '        ^------------!';
    const expected = '     -x----y--z--e-';
    expectObservable(source$.pipe(bufferTask(flush$)), unsub).toBe(expected, gathered);
    expectSubscriptions(source$.subscriptions).toBe(unsub);
    expectSubscriptions(flush$.subscriptions).toBe(unsub);
  });

  marble('is silent while its source is', ({ expectObservable }) => {
    expectObservable(NEVER.pipe(bufferTask(NEVER))).toBe('-');
  });

  marble('completes with its source and the flushes', ({ cold, expectObservable }) => {
    expectObservable(EMPTY.pipe(bufferTask(cold('--|')))).toBe('--|');
  });

  marble('emits what waits when its source completes', ({ cold, expectObservable }) => {
    expectObservable(cold('-(ab|)').pipe(bufferTask(EMPTY))).toBe('-(x|)', gathered);
  });

  marble('drops what waits at an error', ({ cold, expectObservable }) => {
    expectObservable(cold('-(ab#)').pipe(bufferTask(NEVER))).toBe('-#');
  });

  marble('keeps the values of each subscriber apart', ({ hot, expectObservable }) => {
    const task$ = hot('    -(ab)-c').pipe(bufferTask(NEVER));
    expectObservable(task$).toBe('-x----y', gathered);
    expectObservable(task$, '--^').toBe('------y', gathered);
  });
});

test('bufferTask emits in a microtask, before any other task', async () => {
  const order: string[] = [];
  const { Subject } = await import('rxjs');
  const source$ = new Subject<string>();
  const subscription = source$
    .pipe(
      bufferTask(NEVER),
      tap(({ values }) => order.push(values.join(''))),
    )
    .subscribe();
  setTimeout(() => order.push('task'));
  source$.next('a');
  source$.next('b');
  order.push('end');
  await new Promise((resolve) => setTimeout(resolve, 5));
  subscription.unsubscribe();
  expect(order).toEqual(['end', 'ab', 'task']);
});
