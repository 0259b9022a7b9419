import { asyncScheduler, defer, of } from 'rxjs';

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
});
