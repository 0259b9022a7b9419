import { asyncScheduler, defer, ignoreElements, map, NEVER, of, timer } from 'rxjs';

import type { Definition } from '../../src/engine/language/language';
import { engineHost } from '../../src/engineHost/engineHost';
import { listStore } from '../../src/engineHost/listStore';
import type { EngineCommand, EngineMessage } from '../../src/model/engineCommands';
import { noon, numberedOf } from '../../test/support/events';
import { hostDepsOf, startOf, storedState } from '../../test/support/hostDeps';
import { versioned } from '../../test/support/keyValueStore';
import { marble } from '../support/marbles';

const start: EngineCommand = startOf();
/** The event that happens at that moment of a test. */
const track = (id: string, ms: number, name = 'Pageview'): EngineCommand => ({
  type: 'track',
  event: numberedOf(id, { name, time: new Date(noon + ms).toISOString() }),
});

/** Cohort 1: a page view of the last three seconds. Cohort 2: two of them, ever. */
const queries: readonly Definition[] = [
  { id: '1', q: { event: 'Pageview', within: { seconds: 3 } } },
  { id: '2', q: { event: 'Pageview', is: { gte: 2 } } },
];

interface World {
  /** Time that each read and write of the store takes. */
  readonly storeMs?: number;
  readonly failure?: unknown;
  /** The visitor’s first page. */
  readonly isNew?: boolean;
}

const world = ({ storeMs = 0, failure, isNew = false }: World = {}) => {
  const texts = new Map(isNew ? [] : [['permutive-data-queries', storedState(queries)]]);
  const writes: (readonly [ms: number, key: string])[] = [];
  const reports: string[] = [];
  const later = <A>(action: () => A) => (storeMs === 0 ? defer(() => of(action())) : timer(storeMs).pipe(map(action)));
  const store = listStore(
    versioned({
      read: (key) => later(() => texts.get(key) ?? null),
      write: (key, text) =>
        later(() => {
          if (failure !== undefined) throw failure as Error;
          texts.set(key, text);
          writes.push([asyncScheduler.now(), key]);
        }),
      remove: (key) => later(() => texts.delete(key)),
    }),
  );
  const deps = hostDepsOf(queries, {
    store: () => store,
    now: () => noon + asyncScheduler.now(),
    report: (message) => reports.push(message),
  });
  const savedAt = (): number[] => writes.filter(([, key]) => key === 'permutive-data-queries').map(([ms]) => ms);
  return { deps, texts, reports, savedAt };
};

/**
 * Letters for what the host says: u the history is unread, i initialised, c a change, t transitions, s saved, b a
 * barrier that is reached.
 */
const letterOf = ({ type }: EngineMessage): string => type.charAt(0);
const told = (message$: ReturnType<typeof engineHost>) => message$.pipe(map(letterOf));

describe('host', () => {
  marble('says at once who the visitor is, and what each event changes', ({ hot, expectObservable }) => {
    const messages = { s: start, a: track('a', 2), b: track('b', 6) };
    const message$ = hot(' s-a---b', messages);
    const unsub = '        ^-------!';
    const expected = '     i-(ct)(ct)';
    expectObservable(told(engineHost(message$, world().deps)), unsub).toBe(expected);
  });

  marble('does nothing before it is started, and is started once', ({ hot, expectObservable }) => {
    const messages = { s: start, a: track('a', 0) };
    const message$ = hot(' -a-s--s', messages);
    const unsub = '        ^ 9s !';
    const expected = '     ---i';
    expectObservable(told(engineHost(message$, world().deps)), unsub).toBe(expected);
  });

  marble('lets what comes while it loads wait, in order', ({ hot, expectObservable }) => {
    const messages = { s: start, a: track('a', 1), m: { type: 'barrier', name: 'm' } as const };
    const message$ = hot<EngineCommand>(' sam', messages);
    const unsub = '        ^ 500ms !';
    // One read of the state; one of the events, both lists together.
    const expected = '     200ms (ictb)';
    expectObservable(told(engineHost(message$, world({ storeMs: 100 }).deps)), unsub).toBe(expected);
  });

  marble(
    'says after 2000 ms that the history is unknown, and tells nothing as fact before it is read',
    ({ hot, expectObservable }) => {
      const messages = { s: start, a: track('a', 1), m: { type: 'barrier', name: 'm' } as const };
      const message$ = hot<EngineCommand>(' sam', messages);
      const unsub = '        ^ 2900ms !';
      // One read of the state; one of the events, both lists together.
      const expected = '     2s u 799ms (ictb)';
      expectObservable(told(engineHost(message$, world({ storeMs: 1400 }).deps)), unsub).toBe(expected);
    },
  );

  marble('says and saves nothing while the history is unknown', ({ hot, expectObservable, flush }) => {
    const messages = { s: start, a: track('a', 1), f: { type: 'flush' } as const };
    const message$ = hot<EngineCommand>(' sa 20s f', messages);
    const unsub = '        ^ 30s !';
    const { deps, texts } = world();
    const before = new Map(texts);
    const store = () => ({ ...deps.store(startOf()), readVersion: () => NEVER });
    expectObservable(told(engineHost(message$, { ...deps, store })), unsub).toBe('2s u');
    flush();
    expect(texts).toEqual(before);
  });

  marble('looks at the clock every second', ({ hot, expectObservable }) => {
    // The page view is in the window of three seconds at 4 s, and out of it at 5 s.
    const message$ = hot(' s 1499ms a', { s: start, a: track('a', 1500) });
    const unsub = '        ^ 5500ms !';
    const expected = '     i 1499ms (ct) 3496ms (ct)';
    expectObservable(told(engineHost(message$, world().deps)), unsub).toBe(expected);
  });

  marble('does not let a new visitor wait for their state to be stored', ({ hot, expectObservable }) => {
    const message$ = hot(' sa', { s: start, a: track('a', 1) });
    const unsub = '        ^ 350ms !    ';
    const expected = '     200ms (ict)';
    expectObservable(told(engineHost(message$, world({ storeMs: 100, isNew: true }).deps)), unsub).toBe(expected);
  });

  marble('saves the state 5000 ms after the last event', ({ hot, expectObservable }) => {
    const message$ = hot(' s 99ms a 1899ms b', {
      s: start,
      a: track('a', 100, 'LinkClick'),
      b: track('b', 2000, 'LinkClick'),
    });
    const unsub = '        ^ 15s !';
    const expected = '     i 6999ms s';
    expectObservable(told(engineHost(message$, world().deps)), unsub).toBe(expected);
  });

  marble('saves the state at the latest every 10000 ms while events come each second', ({ hot, expectObservable }) => {
    // Before there was a maximum, the first save came 5 s after the last event.
    const letters = 'abcdefghijkl'.split('');
    const message$ = hot(
      ' s 99ms a 999ms b 999ms c 999ms d 999ms e 999ms f 999ms g 999ms h 999ms i 999ms j 999ms k 999ms l',
      {
        s: start,
        ...Object.fromEntries(letters.map((letter) => [letter, track(letter, 0, 'LinkClick')])),
      },
    );
    const unsub = '        ^ 16s !';
    // The first event comes at 100 ms, the last at 11,100 ms.
    const expected = '     i 10099ms s 5999ms -';
    expectObservable(told(engineHost(message$, world().deps)), unsub).toBe(expected);
  });

  marble(
    'says that events could not be stored 5000 ms after the last failure, once',
    ({ hot, expectObservable, flush }) => {
      const message$ = hot(' s 99ms a 1899ms b', {
        s: start,
        a: track('a', 100, 'LinkClick'),
        b: track('b', 2000, 'LinkClick'),
      });
      const unsub = '        ^ 15s !';
      const failures: string[] = [];
      const { deps } = world({ failure: new Error('broken') });
      const report = (message: string): void => void failures.push(`${asyncScheduler.now()} ${message}`);
      expectObservable(engineHost(message$, { ...deps, report }).pipe(ignoreElements()), unsub).toBe('-');
      flush();
      expect(failures.filter((line) => line.includes('Events cache'))).toEqual([
        '7000 Events cache failed to put permutive-events-for-page.',
      ]);
    },
  );

  marble('writes what has changed, and nothing otherwise', ({ hot, expectObservable, flush }) => {
    // Cohort 1 is left at 4 s, which changes the state too. A LinkClick concerns no query.
    const message$ = hot(' s 99ms a 9899ms b', { s: start, a: track('a', 100), b: track('b', 10_000, 'LinkClick') });
    const unsub = '        ^ 16s !';
    const { deps, savedAt } = world();
    const expected = '     i 99ms (ct) 3896ms (ct) 4996ms s 5999ms s';
    expectObservable(told(engineHost(message$, deps)), unsub).toBe(expected);
    flush();
    expect(savedAt()).toEqual([9000]);
  });

  marble('saves at once when the page may be going away', ({ hot, expectObservable, flush }) => {
    const message$ = hot<EngineCommand>(' s 99ms a 99ms f', { s: start, a: track('a', 100), f: { type: 'flush' } });
    const unsub = '        ^ 1s !';
    const expected = '     i 99ms (ct) 96ms s';
    const { deps, savedAt } = world();
    expectObservable(told(engineHost(message$, deps)), unsub).toBe(expected);
    flush();
    expect(savedAt()).toEqual([200]);
  });

  marble('has nothing to save without events', ({ hot, expectObservable, flush }) => {
    const message$ = hot<EngineCommand>(' s-f', { s: start, f: { type: 'flush' } });
    const unsub = '        ^ 20s !';
    const { deps, savedAt } = world();
    expectObservable(told(engineHost(message$, deps)), unsub).toBe('i');
    flush();
    expect(savedAt()).toEqual([]);
  });

  marble('says up to which event it has saved', ({ hot, expectObservable }) => {
    const message$ = hot<EngineCommand>(' s(ab)--f', {
      s: start,
      a: { type: 'track', event: numberedOf('a', { number: 1 }) },
      b: { type: 'track', event: numberedOf('b', { number: 2 }) },
      f: { type: 'flush' },
    });
    const unsub = '        ^--------!';
    const saved$ = engineHost(message$, world().deps).pipe(
      map((message) => (message.type === 'saved' ? String(message.until['page']) : '')),
    );
    expectObservable(saved$.pipe(map((id) => id || '.')), unsub).toBe('.(....)2');
  });

  marble('goes on, and saves later, when a save fails', ({ hot, expectObservable, flush }) => {
    const message$ = hot<EngineCommand>(' s-a-f', { s: start, a: track('a', 2), f: { type: 'flush' } });
    const unsub = '        ^------!';
    const expected = '     i-(ct)';
    const { deps, reports } = world({ failure: new Error('no store') });
    expectObservable(told(engineHost(message$, deps)), unsub).toBe(expected);
    flush();
    expect(reports).toContain('Failed to save the state');
  });

  marble('stops everything when unsubscribed', ({ hot, expectObservable, expectSubscriptions, flush }) => {
    const message$ = hot(' s-a', { s: start, a: track('a', 2) });
    const unsub = '        ^---!';
    const { deps, savedAt } = world();
    expectObservable(told(engineHost(message$, deps)), unsub).toBe('i-(ct)');
    // For the start, for the end and for the visit.
    expectSubscriptions(message$.subscriptions).toBe([unsub, unsub, unsub]);
    flush();
    expect(savedAt()).toEqual([]);
  });
});
