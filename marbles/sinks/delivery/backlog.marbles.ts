import { asyncScheduler, defer, distinct, map, NEVER, of } from 'rxjs';

import { memoryJournal } from '../../../src/fakePlatform/memoryJournal';
import { json } from '../../../src/hardening/plainJson';
import { backlog } from '../../../src/sinks/delivery/backlog';
import { attempts } from '../../../src/sinks/delivery/runDelivery';
import { queuedOf, visitorId } from '../../../test/support/events';
import { reportMock } from '../../../test/support/reports';
import { marble } from '../../support/marbles';

const record = JSON.stringify({ enrich: false, sdkProcessed: true, events: [queuedOf('a')] });

describe('backlog', () => {
  marble('looks for other pages at the start, and 30 s after a look where there was work since', (helpers) => {
    const work$ = helpers.hot('-w 69s w 4s w');
    const unsub = '            ^ 200s !';
    const looks: number[] = [];
    const report = reportMock();
    const taken$ = backlog(
      { page: 'page', has: () => false, attempt: attempts(report), work$ },
      () => ({ pause: null, queue: [] }),
      {
        // The other page has not quite gone at the start.
        hold: () =>
          defer(() => {
            looks.push(asyncScheduler.now());
            return of(looks.length === 2);
          }),
        journal: memoryJournal(new Map([['gone/1', record]])),
        json,
        report,
        userId: () => visitorId,
        yieldThread: () => of(undefined),
      },
    );
    helpers.expectObservable(taken$, unsub).toBe('30s (rac)', {
      r: expect.objectContaining({ type: 'tookOver' }) as unknown,
      a: expect.objectContaining({ type: 'tookOver' }) as unknown,
      c: expect.objectContaining({ type: 'tookOver' }) as unknown,
    });
    helpers.flush();
    expect(looks).toEqual([0, 30_000, 69_002, 99_002]);
    expect(report).not.toHaveBeenCalled();
  });

  marble('takes over one page after the other, and keeps their locks to its end', (helpers) => {
    const { cold, expectObservable, expectSubscriptions } = helpers;
    const locks = [cold('--f'), cold('-n|'), cold('f'), cold('-f')];
    const unsub = '             ^-----------!';
    const held = [
      '                         -^----------!',
      '                         -----^-!     ',
      '                         ------^-----!',
      '                         --------^---!',
    ];
    const queued = (page: string) => ({ page, stored: ['x', { event: queuedOf('x'), page }] });
    const unheld = locks.values();
    const taken$ = backlog(
      { page: 'page', has: () => false, attempt: attempts(reportMock()), work$: NEVER },
      () => ({ pause: null, queue: [queued('a'), queued('b'), queued('page'), queued('c'), queued('d')] }),
      {
        hold: () => unheld.next().value!.pipe(map((answer) => answer === 'f')),
        journal: { ...memoryJournal(new Map()), keys: () => cold('-(k|)', { k: [] }) },
        json,
        report: reportMock(),
        userId: () => visitorId,
        yieldThread: () => cold('-(y|)'),
      },
    );
    const tasks$ = taken$.pipe(
      map(() => asyncScheduler.now()),
      distinct(),
    );
    // Each page gets its records, and a task later its events.
    expectObservable(tasks$, unsub).toBe('----ab-cd-ef ', { a: 4, b: 5, c: 7, d: 8, e: 10, f: 11 });
    locks.forEach((lock$, i) => expectSubscriptions(lock$.subscriptions).toBe(held[i]!));
  });
});
