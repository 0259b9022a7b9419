import { asapScheduler, EMPTY, NEVER, scheduled, tap } from 'rxjs';

import { bufferTask } from '../../src/operators/bufferTask';
import { endOfTask as browserEndOfTask } from '../../src/platform/yieldThread';
import { until } from '../../test/support/waiting';
import { marble } from '../support/marbles';

/** A microtask, in virtual time too. */
const endOfTask = () => scheduled([undefined], asapScheduler);

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
    expectObservable(source$.pipe(bufferTask(flush$, endOfTask)), unsub).toBe(expected, gathered);
    expectSubscriptions(source$.subscriptions).toBe(unsub);
    expectSubscriptions(flush$.subscriptions).toBe(unsub);
  });

  marble('is silent while its source is', ({ expectObservable }) => {
    expectObservable(NEVER.pipe(bufferTask(NEVER, endOfTask))).toBe('-');
  });

  marble('completes with its source and the flushes', ({ cold, expectObservable }) => {
    expectObservable(EMPTY.pipe(bufferTask(cold('--|'), endOfTask))).toBe('--|');
  });

  marble('emits what waits when its source completes', ({ cold, expectObservable }) => {
    expectObservable(cold('-(ab|)').pipe(bufferTask(EMPTY, endOfTask))).toBe('-(x|)', gathered);
  });

  marble('drops what waits at an error', ({ cold, expectObservable }) => {
    expectObservable(cold('-(ab#)').pipe(bufferTask(NEVER, endOfTask))).toBe('-#');
  });

  marble('keeps the values of each subscriber apart', ({ hot, expectObservable }) => {
    const task$ = hot('    -(ab)-c').pipe(bufferTask(NEVER, endOfTask));
    expectObservable(task$).toBe('-x----y', gathered);
    expectObservable(task$, '--^').toBe('------y', gathered);
  });
});

test('bufferTask emits at the end of the task, before any other one', async () => {
  const order: string[] = [];
  const { Subject } = await import('rxjs');
  const source$ = new Subject<string>();
  const subscription = source$
    .pipe(
      bufferTask(NEVER, browserEndOfTask),
      tap(({ values }) => order.push(values.join(''))),
    )
    .subscribe();
  setTimeout(() => order.push('task'));
  source$.next('a');
  source$.next('b');
  order.push('end');
  await until(() => order.includes('task'));
  subscription.unsubscribe();
  expect(order).toEqual(['end', 'ab', 'task']);
});
