import { concat, defer, ignoreElements, map, mergeMap, NEVER, type Observable, throwError, timer } from 'rxjs';

import { memoryJournal } from '../../../src/fakePlatform/memoryJournal';
import { memoryStorage } from '../../../src/fakePlatform/memoryStorage';
import type { Journal } from '../../../src/platform/platform';
import { durableJournal } from '../../../src/sinks/delivery/durableJournal';
import { localJournal } from '../../../src/sinks/delivery/localJournal';
import { linesOf, reportMock } from '../../../test/support/reports';
import { marble, type MarbleHelpers } from '../../support/marbles';

/** What the disk does with an operation: it takes so many ms, fails, or never answers. */
type Deed = number | 'fails' | 'hangs';

const acting = <A>(deed: Deed, action$: Observable<A>): Observable<A> =>
  deed === 'hangs'
    ? NEVER
    : deed === 'fails'
      ? throwError(() => new Error('no room'))
      : concat(timer(deed).pipe(ignoreElements()), action$);

/** A journal whose disk does these deeds, one after another; the last one for all that follow. */
const world = (deeds: readonly Deed[], copies: Readonly<Record<string, string>> = {}) => {
  const records = new Map<string, unknown>();
  const memory = memoryJournal(records);
  const local = memoryStorage(copies);
  const report = reportMock();
  let count = 0;
  const act = <A>(action$: Observable<A>): Observable<A> =>
    defer(() => acting(deeds[Math.min((count += 1), deeds.length) - 1] ?? 0, action$));
  const disk: Journal = {
    ...memory,
    write: (changes) => act(memory.write(changes)),
    keys: () => act(memory.keys()),
    read: (key) => act(memory.read(key)),
  };
  return {
    journal: durableJournal(disk, localJournal(local), report),
    local,
    report: () => linesOf(report),
    /** The records on disk, and after a dash those in local storage. */
    places: () => `${[...records.values()].join('')}-${Object.values(local.all()).join('')}`,
  };
};

/**
 * Plays a page. The letters of its diagram write records: `a`, `b` and `c` under keys of their own, `A` another text in
 * the place of `a`, `x` removes `a`; `u` writes `a` while the page unloads. `k` asks for the keys, `e` erases. Answers
 * how to look at what is stored, and what the writes emit.
 */
const play = ({ hot, expectObservable }: MarbleHelpers, page: string, deeds: readonly Deed[]) => {
  const { journal, places, ...others } = world(deeds);
  const write = (key: string, text: string | null, isUnloading = false) =>
    journal.write(new Map([[key, text]]), isUnloading);
  const operations: Readonly<Record<string, () => Observable<unknown>>> = {
    k: journal.keys,
    e: journal.erase,
    x: () => write('a', null),
    u: () => write('a', 'a', true),
  };
  const operation = (letter: string): Observable<unknown> =>
    operations[letter]?.() ?? write(letter.toLowerCase(), letter);
  const written$ = hot(page).pipe(mergeMap((letter) => operation(letter).pipe(map(() => letter))));
  return {
    ...others,
    expectWritten: (diagram: string, error?: Error) => expectObservable(written$).toBe(diagram, undefined, error),
    see: (look: string, expected: string, values: Readonly<Record<string, string>>) =>
      expectObservable(hot(look).pipe(map(places))).toBe(expected, values),
  };
};
const trusted = [0] as const;
const at = (key: string): string => `permutive-local-journal/${key}`;

describe('durableJournal', () => {
  marble('copies a record in the same task while the disk has not answered yet', (helpers) => {
    const { expectWritten, see, report } = play(helpers, 'a', [10]);
    expectWritten('      a 9ms a');
    see('                l 8ms l - l', 'c 8ms c - d', { c: '-a', d: 'a-' });
    helpers.flush();
    expect(report()).toEqual([]);
  });

  marble('copies nothing once the disk has answered', (helpers) => {
    const { expectWritten, see } = play(helpers, 'ka', [...trusted, 50]);
    expectWritten('      k 50ms a');
    see('                -l 48ms l - l', '-n 48ms n - d', { n: '-', d: 'a-' });
  });

  marble('copies a record in the same task while the page unloads, until the disk has it', (helpers) => {
    const { expectWritten, see } = play(helpers, 'ku', [...trusted, 50]);
    expectWritten('      ku 49ms u');
    see('                -l 48ms l - l', '-c 48ms c - d', { c: '-a', d: 'a-' });
  });

  marble('copies what is overdue, until the disk has it, and trusts the disk again', (helpers) => {
    const { expectWritten, see } = play(helpers, 'ka 399ms b', [...trusted, 300, 50]);
    expectWritten('      k 100ms a 199ms a 149ms b');
    see('                -l 98ms l - l 199ms l 99ms l', '-n 98ms n - c 199ms d 99ms d', { n: '-', c: '-a', d: 'a-' });
  });

  marble('copies what the disk refuses, and says so once', (helpers) => {
    const { expectWritten, see, report } = play(helpers, 'kab', [...trusted, 'fails']);
    expectWritten('      ka(bb)');
    see('                ---l', '---c', { c: '-ab' });
    helpers.flush();
    expect(report()).toEqual(['Events journal is not available: no room']);
  });

  marble('uses the disk again as soon as it takes a record', (helpers) => {
    const { expectWritten, see } = play(helpers, 'kabc', [...trusted, 'fails', 10, 10]);
    expectWritten('      kabc 8ms bc');
    // b is copied at once, because the disk has failed; so is c, because b is under way.
    see('                -----l 9ms l', '-----c 9ms d', { c: '-abc', d: 'bc-a' });
  });

  marble('keeps all copies where the disk never answers', (helpers) => {
    const { expectWritten, see } = play(helpers, 'abc', ['hangs']);
    expectWritten('      abc');
    see('                -- 59s l', '-- 59s c', { c: '-abc' });
  });

  marble('keeps the copy of the latest text while the disk takes an earlier one', (helpers) => {
    const { expectWritten, see } = play(helpers, 'aA', [10, 30]);
    expectWritten('      aA 8ms a 20ms A');
    see('                -l 9ms l 20ms l', '-c 9ms d 20ms e', { c: '-A', d: 'a-A', e: 'A-' });
  });

  marble('removes a copy at once, and does not bring it back when the disk is late', (helpers) => {
    const { expectWritten, see } = play(helpers, 'ax', [200, 300]);
    expectWritten('      ax 198ms a 100ms x');
    see('                -l 99ms l 99ms l 199ms l', '-n 99ms n 99ms d 199ms n', { n: '-', d: 'a-' });
  });

  marble('errors where neither place takes a record', (helpers) => {
    const { local, expectWritten } = play(helpers, 'a', ['fails']);
    local.failure = 'quota';
    expectWritten('#', new Error('no room'));
  });

  marble('waits for the disk where local storage is full', (helpers) => {
    const { local, expectWritten } = play(helpers, 'a', [1000]);
    local.failure = 'quota';
    expectWritten('1s a');
  });

  marble('knows the records of both places', ({ expectObservable }) => {
    const { journal } = world([0], { [at('p/1')]: 'a' });
    const keys$ = concat(journal.write(new Map([['p/2', 'b']])).pipe(ignoreElements()), journal.keys());
    expectObservable(keys$.pipe(map((keys) => keys.join()))).toBe('(k|)', { k: 'p/2,p/1' });
  });

  marble('knows the copies where the disk fails or does not answer', ({ expectObservable }) => {
    for (const [deed, expected] of [
      ['fails', '(k|)'],
      ['hangs', '1500ms (k|)'],
    ] as const) {
      const { journal } = world([deed], { [at('p/1')]: 'a' });
      expectObservable(journal.keys().pipe(map((keys) => keys.join()))).toBe(expected, { k: 'p/1' });
    }
  });

  marble('reads a copy rather than the disk, and does not take a failure for a record', ({ expectObservable }) => {
    const { journal } = world(['fails'], { [at('p/1')]: 'a' });
    expectObservable(journal.read('p/1')).toBe('(a|)');
    expectObservable(journal.read('p/2')).toBe('#', undefined, new Error('no room'));
  });

  marble('copies a record in the same task after an erasure, until the disk has answered', (helpers) => {
    const { expectWritten, see } = play(helpers, 'kaeb', [...trusted, 0, 50]);
    expectWritten('      ka-b 49ms b');
    see('                ---l 50ms l', '---c 50ms d', { c: '-b', d: 'b-' });
  });

  marble('erases both places, those of other tabs too', (helpers) => {
    const { journal, places } = world([0], { [at('p/1')]: 'a' });
    const written$ = journal.write(new Map([['p/2', 'b']])).pipe(ignoreElements());
    helpers.expectObservable(concat(written$, journal.erase())).toBe('|');
    helpers.flush();
    expect(places()).toBe('-');
  });
});
