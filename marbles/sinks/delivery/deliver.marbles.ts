import { asyncScheduler, delay, filter, map, merge, NEVER, type Observable, of, throwError } from 'rxjs';

import { takenAnswer } from '../../../src/fakePlatform/fakeHttp';
import { fakePlatform } from '../../../src/fakePlatform/fakePlatform';
import { memoryJournal } from '../../../src/fakePlatform/memoryJournal';
import { json } from '../../../src/hardening/plainJson';
import type { PageExit } from '../../../src/model/pageSignal';
import type { Journal } from '../../../src/platform/platform';
import { backlog } from '../../../src/sinks/delivery/backlog';
import { type Accepted, deliver, type LeftBehind } from '../../../src/sinks/delivery/deliver';
import { refusalStep } from '../../../src/sinks/delivery/refusalStep';
import { attempts } from '../../../src/sinks/delivery/runDelivery';
import { noon, queuedOf, visitorId } from '../../../test/support/events';
import { linesOf, reportMock } from '../../../test/support/reports';
import { settingsOf } from '../../../test/support/settings';
import { marble, marbles } from '../../support/marbles';

/** w: the event a while it waits for data. */
const accepted: Readonly<Record<string, Accepted>> = {
  a: { event: queuedOf('a') },
  w: { event: queuedOf('a', { requiresEnrichment: true }), waits: true },
};

/** The delivery of a page whose server answers after 10 ms, and how many records its journal has at each look. */
const world = () => {
  const records = new Map<string, unknown>();
  const deps = {
    ...fakePlatform({ send: (request) => of(takenAnswer(request)).pipe(delay(10)) }),
    journal: memoryJournal(records),
    setting: settingsOf(),
    json,
    report: () => undefined,
    now: () => noon + asyncScheduler.now(),
    userId: () => visitorId,
  };
  const stored = () => ({ pause: null, queue: [] });
  const left: LeftBehind = { stored, backlog: (owner) => backlog(owner, stored, deps) };
  return { deps, left, records, recordCount: () => String(records.size) };
};

/** A page to which nothing happens. */
const staying = { flush$: NEVER, return$: NEVER, online$: NEVER, counted$: NEVER, loadJudge$: of(refusalStep) };

describe('deliver', () => {
  marble(
    'keeps an event in the journal from its task until its answer was gathered, once, however many listen',
    (helpers) => {
      const { hot, expectObservable } = helpers;
      const accepted$ = hot('-a', accepted);
      // Gathered for 50 ms, 10 ms on its way, and its answer is gathered for 50 ms.
      const look$ = hot('    l-l 28ms l 30ms l 80ms l');
      const expected = '     0-1 28ms 1 30ms 1 80ms 0';
      const { deps, left, recordCount } = world();
      const { delivery$ } = deliver(accepted$, staying, left, deps);
      expectObservable(merge(delivery$, delivery$)).toBe('- 60ms (aa)', { a: { id: 'a' } });
      expectObservable(look$.pipe(map(recordCount))).toBe(expected);
    },
  );

  marble('keeps an event that waits for data in the journal, and sends it once it is complete', (helpers) => {
    const { hot, expectObservable, flush } = helpers;
    const accepted$ = hot('-w 6s a', accepted);
    const look$ = hot('    l-l 6s l 200ms l');
    const expected = '     0-1 6s 1 200ms 0';
    const { deps, left, recordCount } = world();
    expectObservable(deliver(accepted$, staying, left, deps).delivery$).toBe('- 6061ms a', { a: { id: 'a' } });
    expectObservable(look$.pipe(map(recordCount))).toBe(expected);
    flush();
    expect(deps.requests.map(({ url }) => /enrich=\w+/.exec(url)?.[0])).toEqual(['enrich=false']);
  });

  marble('keeps one form of an event whose data comes in its task', (helpers) => {
    const { hot, expectObservable, flush } = helpers;
    const { deps, left, records } = world();
    const page$ = deliver(hot('-(wa)', accepted), staying, left, deps).delivery$;
    expectObservable(page$, '^- 9ms !').toBe('-');
    flush();
    expect([...records.values()].map((text) => (JSON.parse(String(text)) as { enrich: boolean }).enrich)).toEqual([
      false,
    ]);
  });

  marble(
    'tells the journal that the page unloads with what is accepted in that task',
    ({ hot, expectObservable, flush }) => {
      const { deps, left } = world();
      const written: unknown[] = [];
      const write = deps.journal.write;
      const journal: Journal = {
        ...deps.journal,
        write: (changes, isUnloading) => {
          written.push(isUnloading);
          return write(changes);
        },
      };
      const accepted$ = hot('       -a-b', { ...accepted, b: { event: queuedOf('b') } });
      const flush$ = hot<PageExit>('---f', { f: { step: 'flush', isUnloading: true } });
      expectObservable(
        deliver(accepted$, { ...staying, flush$ }, left, { ...deps, journal }).delivery$,
        '^- 9ms !',
      ).toBe('-');
      flush();
      expect(written).toEqual([false, true]);
    },
  );

  it.each([
    ['at once after the exit of a page that unloads, until it returns', true, '   15ms a'],
    ['as any other after the exit of a page that is only hidden', false, '    65ms a'],
  ])(
    'sends an event %s',
    marbles((helpers, _: string, isUnloading: boolean, expected: string) => {
      const { hot, expectObservable, flush } = helpers;
      const accepted$ = hot('-----a 204ms b', { ...accepted, b: { event: queuedOf('b') } });
      const exit$ = hot('    ---x', { x: { step: 'flush', isUnloading } as const });
      const return$ = hot('  200ms r');
      const { deps, left } = world();
      const page = deliver(accepted$, { ...staying, flush$: exit$, return$ }, left, deps);
      const delivered$ = page.delivery$.pipe(map(({ id }) => id));
      const exits$ = page.flushed$.pipe(map(() => 'x'));
      expectObservable(delivered$, '^ 199ms !').toBe(expected);
      expectObservable(delivered$.pipe(filter((id) => id === 'b'))).toBe('270ms b');
      expectObservable(exits$).toBe('---x');
      flush();
      expect(deps.requests.map(({ keepalive }) => keepalive)).toEqual([true, true]);
    }),
  );

  marble(
    'takes over the events of a page that dies while this one lives, where it has had something to do',
    (helpers) => {
      const { hot, expectObservable } = helpers;
      const accepted$ = hot('-a 19s b 19s c', {
        ...accepted,
        b: { event: queuedOf('b') },
        c: { event: queuedOf('c') },
      });
      const dies$ = hot('    - 5s d');
      const expected = '     - 60ms a 19000ms b 10947ms x 8052ms c';
      const { deps, left, records } = world();
      const other = '{"enrich":false,"sdkProcessed":true,"events":[' + json.stringify(queuedOf('x')) + ']}';
      dies$.subscribe(() => records.set('other/1', other));
      expectObservable(deliver(accepted$, staying, left, deps).delivery$.pipe(map(({ id }) => id))).toBe(expected);
    },
  );
});

describe('attempts', () => {
  it.each<[string, () => Observable<string>, string, readonly string[]]>([
    ['answers in time', () => of('a').pipe(delay(1999)), '1999ms (a|)', []],
    ['answers too late', () => of('a').pipe(delay(2001)), '2s |', ['Timeout has occurred', 'Timeout has occurred']],
    ['fails', () => throwError(() => new Error('no')), '|', ['no', 'no']],
    ['hangs', () => NEVER, '2s |', ['Timeout has occurred', 'Timeout has occurred']],
  ])(
    'of a journal that %s: the first failure is reported',
    marbles((helpers, _: string, operation: () => Observable<string>, expected: string, reasons: readonly string[]) => {
      const report = reportMock();
      const attempt = attempts(report);
      helpers.expectObservable(attempt(operation)).toBe(expected);
      helpers.expectObservable(attempt(operation)).toBe(expected);
      helpers.flush();
      expect(linesOf(report)).toEqual(
        reasons.slice(0, 1).map((reason) => `Events journal is not available: ${reason}`),
      );
    }),
  );
});
