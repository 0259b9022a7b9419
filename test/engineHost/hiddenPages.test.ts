import { asyncScheduler, of, Subject, type Subscription, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';

import type { Definition } from '../../src/engine/language/language';
import type { EngineHostDeps } from '../../src/engineHost/engineHost';
import { engineHost } from '../../src/engineHost/engineHost';
import { maxUnprocessed } from '../../src/engineHost/unprocessed';
import type { EngineCommand } from '../../src/model/engineCommands';
import type { NumberedEvent } from '../../src/model/event';
import { aliveLock } from '../../src/model/storageKeys';
import { noon } from '../support/events';
import { hostDepsOf, startOf } from '../support/hostDeps';
import { sharedStore } from './support/sharedStore';

const chunkKey = 'permutive-data-queries';
const queries: readonly Definition[] = [
  { id: '1', q: { event: 'PageviewComplete', sum: 'amount', is: { gte: 1e9 }, within: { days: 7 } } },
];

/** A page, and the engine that it runs. */
interface Page {
  readonly message$: Subject<EngineCommand>;
  readonly serving: Subscription;
}

/** The pages of one browser, which live while they hold their locks. */
const browser = (changes: Partial<EngineHostDeps> = {}) => {
  const { store, texts } = sharedStore({ delayMs: () => 0, fails: () => false });
  const alive = new Set<string>();
  const deps = hostDepsOf(queries, {
    store: () => store,
    now: () => noon + asyncScheduler.now(),
    hold: (name) => of(!alive.has(name)),
    ...changes,
  });
  const pages = new Map<string, Page>();
  const say = (page: string, command: EngineCommand): void => pages.get(page)?.message$.next(command);
  return {
    open: (page: string, given: readonly NumberedEvent[] = []): void => {
      const message$ = new Subject<EngineCommand>();
      alive.add(aliveLock(page));
      pages.set(page, { message$, serving: engineHost(message$, deps).subscribe() });
      say(page, startOf({ page, lookups: [], given }));
    },
    /** The page is hidden: its engine is told the completion of its view, and to save. */
    hide: (page: string, number: number, amount = 1): void => {
      say(page, { type: 'track', event: { ...completion(page, number, amount), provisional: true } });
      say(page, { type: 'flush' });
    },
    track: (page: string, event: NumberedEvent): void => {
      say(page, { type: 'track', event });
      say(page, { type: 'flush' });
    },
    /** The page ends without a word, and its engine with it. */
    kill: (page: string): void => {
      alive.delete(aliveLock(page));
      pages.get(page)?.serving.unsubscribe();
    },
    /** All pages end. */
    end: (): void => pages.forEach(({ serving }) => serving.unsubscribe()),
    stored: () => JSON.parse(texts.get(chunkKey) ?? '{}') as Stored,
  };
};

interface Stored {
  readonly internal_query_states?: Readonly<Record<string, [string, readonly (readonly number[])[]]>>;
  readonly unprocessed?: readonly NumberedEvent[];
}

const completion = (page: string, number: number, amount = 1): NumberedEvent => ({
  id: `${page} ${number}`,
  name: 'PageviewComplete',
  time: new Date(noon + asyncScheduler.now()).toISOString(),
  properties: { amount },
  session_id: 'session',
  view_id: page,
  page,
  number,
});
const otherEvent = (page: string, number: number): NumberedEvent => ({
  ...completion(page, number),
  name: 'LinkClick',
});

/** Does one thing each second, and answers what is stored a minute after the last. */
const after = (
  acts: readonly ((at: ReturnType<typeof browser>) => void)[],
  changes?: Partial<EngineHostDeps>,
): Stored => {
  let stored: Stored = {};
  new TestScheduler(() => undefined).run(({ flush }) => {
    const at = browser(changes);
    acts.forEach((act, i) => timer(i * 1000).subscribe(() => act(at)));
    timer(acts.length * 1000 + 60_000).subscribe(() => {
      stored = at.stored();
      at.end();
    });
    flush();
  });
  return stored;
};

/** The sum of the completions that are counted. */
const counted = ({ internal_query_states: states = {} }: Stored): number =>
  (states['1']?.[1][0] ?? []).reduce((sum, weight, i) => (i % 2 === 1 ? sum + weight / 1000 : sum), 0);

describe('The completion of a page that is hidden', () => {
  it('is counted by the next page where the page was killed', () => {
    expect(counted(after([(at) => at.open('a'), (at) => at.hide('a', 1), (at) => at.kill('a')]))).toBe(0);
    expect(
      counted(after([(at) => at.open('a'), (at) => at.hide('a', 1), (at) => at.kill('a'), (at) => at.open('b')])),
    ).toBe(1);
  });

  it('is counted once, by whichever page comes', () => {
    const stored = after([
      (at) => at.open('a'),
      (at) => at.hide('a', 1),
      (at) => at.kill('a'),
      (at) => {
        at.open('b');
        at.open('c');
      },
      (at) => at.kill('b'),
      (at) => at.open('b'),
    ]);
    expect(counted(stored)).toBe(1);
    expect(stored.unprocessed).toEqual([]);
  });

  it('is not counted while the page lives, and never where the page has completed its view itself', () => {
    const acts = [
      (at: ReturnType<typeof browser>) => at.open('a'),
      (at: ReturnType<typeof browser>) => at.hide('a', 1),
      (at: ReturnType<typeof browser>) => at.open('b'),
    ];
    const hidden = after(acts);
    expect([counted(hidden), hidden.unprocessed?.length]).toEqual([0, 1]);
    const left = after([
      ...acts,
      (at) => at.track('a', completion('a', 2, 10)),
      (at) => at.kill('a'),
      (at) => at.open('c'),
    ]);
    expect([counted(left), left.unprocessed]).toEqual([10, []]);
  });

  it('is not counted where the page has left a later one for the next engine', () => {
    const stored = after([
      (at) => at.open('a'),
      (at) => at.hide('a', 1),
      (at) => at.kill('a'),
      (at) => at.open('b', [completion('a', 2, 10)]),
    ]);
    expect(counted(stored)).toBe(10);
  });

  it('is taken back by what the visitor does after a return', () => {
    const stored = after([
      (at) => at.open('a'),
      (at) => at.hide('a', 1),
      (at) => at.track('a', otherEvent('a', 2)),
      (at) => at.kill('a'),
      (at) => at.open('b'),
    ]);
    expect(counted(stored)).toBe(0);
  });

  it('gives way to that of the next time the page is hidden', () => {
    const stored = after([
      (at) => at.open('a'),
      (at) => at.hide('a', 1),
      (at) => at.hide('a', 2, 10),
      (at) => at.kill('a'),
      (at) => at.open('b'),
    ]);
    expect(counted(stored)).toBe(10);
  });

  it('is kept for each of several pages', () => {
    const stored = after([
      (at) => at.open('a'),
      (at) => at.hide('a', 1),
      (at) => at.open('b'),
      (at) => at.hide('b', 1, 10),
      (at) => at.kill('b'),
      (at) => at.open('c'),
    ]);
    expect([counted(stored), stored.unprocessed?.map(({ page }) => page)]).toEqual([10, ['a']]);
  });

  it('goes over to the engine of the user whom the server has named meanwhile', () => {
    const stored = after([
      (at) => at.open('a', [{ ...completion('a', 1), provisional: true }]),
      // The engine begins with the other events of its page too, which are saved.
      (at) => at.track('a', otherEvent('a', 0)),
      (at) => at.kill('a'),
      (at) => at.open('b'),
    ]);
    expect(counted(stored)).toBe(1);
  });

  it('is never counted where the browser cannot tell whether a page has ended', () => {
    const acts = [
      (at: ReturnType<typeof browser>) => at.open('a'),
      (at: ReturnType<typeof browser>) => at.hide('a', 1),
      (at: ReturnType<typeof browser>) => at.open('b'),
    ];
    expect(counted(after(acts, { hold: null }))).toBe(0);
  });

  it('is kept for the pages that were hidden last', () => {
    const opened = Array.from({ length: maxUnprocessed + 2 }, (_, i) => `page ${i}`);
    const stored = after(
      opened.map((page) => (at) => {
        at.open(page);
        at.hide(page, 1);
      }),
    );
    expect(stored.unprocessed?.map(({ page }) => page)).toEqual(opened.slice(2));
  });
});

describe('What is stored of hidden pages', () => {
  it.each<readonly [string, unknown]>([
    ['no list', 'none'],
    ['no events', [null, 1, {}, { ...completion('z', 1), number: 'one' }, { ...completion('z', 1), time: 'soon' }]],
  ])('counts as nothing where it is %s', (_, unprocessed) => {
    const { store, texts } = sharedStore({ delayMs: () => 0, fails: () => false });
    const reports: string[] = [];
    new TestScheduler(() => undefined).run(({ flush }) => {
      const at = browser({ store: () => store, report: (message) => void reports.push(message) });
      at.open('a');
      timer(1000).subscribe(() => at.track('a', otherEvent('a', 1)));
      timer(2000).subscribe(() => at.kill('a'));
      timer(3000).subscribe(() => {
        const stored = JSON.parse(texts.get(chunkKey) ?? '{}') as Stored;
        texts.set(chunkKey, JSON.stringify({ ...stored, unprocessed }));
        at.open('b');
      });
      timer(4000).subscribe(() => at.track('b', completion('b', 1)));
      timer(5000).subscribe(() => at.kill('b'));
      flush();
    });
    const stored = JSON.parse(texts.get(chunkKey) ?? '{}') as Stored;
    expect([counted(stored), stored.unprocessed, reports]).toEqual([1, [], []]);
  });
});
