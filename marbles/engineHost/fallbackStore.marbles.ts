import { concat, EMPTY, ignoreElements, mergeMap, type Observable, of } from 'rxjs';
import type { RunHelpers } from 'rxjs/testing';

import { type Fallback, fallbackStore } from '../../src/engineHost/fallbackStore';
import { QuotaError } from '../../src/model/errors';
import type { EventStore } from '../../src/platform/platform';
import { marble, marbles } from '../support/marbles';

/** A store whose reads and writes go as the diagrams say; `v` is what it holds, `w` a write that is done. */
const storeOf = (cold$: RunHelpers['cold'], read: string, write: string, error?: unknown) => ({
  read: jest.fn<ReturnType<EventStore['read']>, [string]>(() => cold$(read, undefined, error)),
  readVersion: jest.fn<ReturnType<EventStore['readVersion']>, [string]>(() =>
    cold$(read, { v: { text: 'v', version: 1 }, x: { text: 'x', version: 1 } }, error),
  ),
  swap: jest.fn<ReturnType<EventStore['swap']>, [string, unknown, string]>(() => cold$(write, { w: true }, error)),
  write: jest.fn<ReturnType<EventStore['write']>, [string, string]>(() => cold$(write, { w: undefined }, error)),
  records: jest.fn<ReturnType<EventStore['records']>, []>(() =>
    cold$(read, { v: [], x: [{ key: 'x', text: '[]' }] }, error),
  ),
  replace: jest.fn<ReturnType<EventStore['replace']>, Parameters<EventStore['replace']>>(() =>
    cold$(write, { w: ['key'] }, error),
  ),
  clear: jest.fn<ReturnType<EventStore['clear']>, []>(() => cold$(write, { w: undefined }, error)),
});

/** The second store may stand in, and holds nothing. */
const fallbackOf = (changes: Partial<Fallback> = {}): Fallback => ({
  onFallback: () => undefined,
  mayStandIn: () => of(true),
  takeOver$: EMPTY,
  leftBehind: false,
  ...changes,
});

describe('fallbackStore', () => {
  marble('reads and writes the first store', ({ cold, expectObservable, flush }) => {
    const [first, second] = [storeOf(cold, '--(v|)', '---(w|)'), storeOf(cold, '(x|)', '(w|)')];
    const onFallback = jest.fn();
    const store = fallbackStore(first, second, fallbackOf({ onFallback }));
    expectObservable(store.read('key')).toBe('         --(v|) ');
    expectObservable(store.write('key', 'text')).toBe('---(w|)', { w: undefined });
    flush();
    expect(first.write.mock.calls).toEqual([['key', 'text']]);
    expect(second.read).not.toHaveBeenCalled();
    expect(onFallback).not.toHaveBeenCalled();
  });

  marble('turns to the second store when the first fails, and stays there', ({ cold, expectObservable, flush }) => {
    const [first, second] = [storeOf(cold, '--#', '-(w|)'), storeOf(cold, '-(x|)', '-(w|)')];
    const onFallback = jest.fn();
    const store = fallbackStore(first, second, fallbackOf({ onFallback }));
    expectObservable(concat(store.read('a'), store.read('b'), store.write('c', 'text'))).toBe('---xx(w|)', {
      x: 'x',
      w: undefined,
    });
    flush();
    expect(first.read.mock.calls).toEqual([['a']]);
    expect(first.write).not.toHaveBeenCalled();
    expect(onFallback.mock.calls).toEqual([['error']]);
  });

  marble('waits 1500 ms for the first store', ({ cold, expectObservable, expectSubscriptions, flush }) => {
    const silent$ = cold('-');
    const silentSubs = '           ^ 1499ms !   ';
    const expected = '             1501ms (x|)  ';
    const second = storeOf(cold, ' -(x|)', '(w|)');
    const onFallback = jest.fn();
    expectObservable(
      fallbackStore({ ...storeOf(cold, '-', '-'), read: () => silent$ }, second, fallbackOf({ onFallback })).read('a'),
    ).toBe(expected);
    expectSubscriptions(silent$.subscriptions).toBe(silentSubs);
    flush();
    expect(onFallback).toHaveBeenCalledTimes(1);
  });

  marble('takes an answer of the first store that comes just in time', ({ cold, expectObservable }) => {
    const [first, second] = [storeOf(cold, '1499ms (v|)', '-'), storeOf(cold, '(x|)', '-')];
    expectObservable(fallbackStore(first, second, fallbackOf()).read('a')).toBe('1499ms (v|)');
  });

  marble('says once that it has turned, also when several wait', ({ cold, expectObservable, flush }) => {
    const [first, second] = [storeOf(cold, '--#', '----#'), storeOf(cold, '-(x|)', '-(w|)')];
    const onFallback = jest.fn();
    const store = fallbackStore(first, second, fallbackOf({ onFallback }));
    expectObservable(store.read('a')).toBe('       ---(x|)  ');
    expectObservable(store.write('b', 'text')).toBe('-----(w|)', { w: undefined });
    flush();
    expect(onFallback).toHaveBeenCalledTimes(1);
  });

  marble('is no failure of a store to be full', ({ cold, expectObservable, flush }) => {
    const [first, second] = [storeOf(cold, '--(v|)', '-#', new QuotaError()), storeOf(cold, '(x|)', '(w|)')];
    const onFallback = jest.fn();
    const store = fallbackStore(first, second, fallbackOf({ onFallback }));
    expectObservable(store.write('a', 'text')).toBe('-#', undefined, new QuotaError());
    expectObservable(store.read('a'), '-----^').toBe('  -------(v|)');
    flush();
    expect(onFallback).not.toHaveBeenCalled();
  });

  marble('passes on a failure of the second store', ({ cold, expectObservable }) => {
    const [first, second] = [storeOf(cold, '-#', '-'), storeOf(cold, '-#', '-', 'second')];
    expectObservable(fallbackStore(first, second, fallbackOf()).read('a')).toBe('--#', undefined, 'second');
  });

  marble('turns with events as with state', ({ cold, expectObservable, flush }) => {
    const [first, second] = [storeOf(cold, '--#', '-#'), storeOf(cold, '-(x|)', '-(w|)')];
    const store = fallbackStore(first, second, fallbackOf());
    const work$ = concat(store.records(), store.replace(['a'], [['list', '[]']]), store.clear());
    expectObservable(work$).toBe('---xw(c|)', { x: [{ key: 'x', text: '[]' }], w: ['key'], c: undefined });
    flush();
    expect(second.replace.mock.calls).toEqual([[['a'], [['list', '[]']]]]);
    expect(first.clear).not.toHaveBeenCalled();
  });

  marble(
    'writes nothing to the second store on a version of the first, until it is read again',
    ({ cold, expectObservable, flush }) => {
      const first = storeOf(cold, '-(v|)', '-#');
      const second = storeOf(cold, '-(x|)', '-(w|)');
      const swap = jest.fn<ReturnType<EventStore['swap']>, [string, unknown, string]>((_, version) =>
        cold('-(w|)', { w: version === 'of the second' }),
      );
      const read = jest.fn<ReturnType<EventStore['readVersion']>, [string]>(() =>
        cold('-(x|)', { x: { text: 'x', version: 'of the second' } }),
      );
      const store = fallbackStore(first, { ...second, swap, readVersion: read }, fallbackOf());
      // As the writer of the state does: what is refused is read and written again.
      const write = (): Observable<boolean> =>
        store.readVersion('key').pipe(
          mergeMap(({ version }) => store.swap('key', version, 'text')),
          mergeMap((isWritten) => (isWritten ? of(true) : concat(of(false), write()))),
        );
      expectObservable(write()).toBe('---f-(t|)', { f: false, t: true });
      flush();
      expect(first.swap.mock.calls).toEqual([['key', 1, 'text']]);
      expect(swap.mock.calls).toEqual([
        ['key', 1, 'text'],
        ['key', 'of the second', 'text'],
      ]);
    },
  );

  marble(
    'asks nothing before it is subscribed, and lets go when unsubscribed',
    ({ cold, expectObservable, expectSubscriptions }) => {
      const read$ = cold('-----(v|)');
      const unsub = '             ^--!     ';
      const read = jest.fn(() => read$);
      const answer$ = fallbackStore({ ...storeOf(cold, '-', '-'), read }, storeOf(cold, '-', '-'), fallbackOf()).read(
        'a',
      );
      expect(read).not.toHaveBeenCalled();
      expectObservable(answer$, unsub).toBe('-');
      expectSubscriptions(read$.subscriptions).toBe(unsub);
    },
  );

  describe('with something to take over', () => {
    marble('does so once, before the first operation', ({ cold, expectObservable, expectSubscriptions }) => {
      const takeOver$ = cold('          --|           ');
      const first = storeOf(cold, '-(v|)', '-(w|)');
      const store = fallbackStore(
        first,
        storeOf(cold, '-', '-'),
        fallbackOf({ takeOver$: takeOver$.pipe(ignoreElements()), leftBehind: true }),
      );
      expectObservable(concat(store.read('a'), store.read('b'))).toBe('---v(v|)');
      expectSubscriptions(takeOver$.subscriptions).toBe('^-!');
    });

    it.each([
      ['fails', '--#         ', '---(v|)'],
      ['takes too long', '-       ', '1501ms (v|)'],
    ])('goes on with the first store where that %s', (_, diagram, expected) =>
      marbles(({ cold, expectObservable, flush }) => {
        const onFallback = jest.fn();
        const store = fallbackStore(
          storeOf(cold, '-(v|)', '-'),
          storeOf(cold, '(x|)', '-'),
          fallbackOf({ onFallback, takeOver$: cold(diagram).pipe(ignoreElements()), leftBehind: true }),
        );
        expectObservable(store.read('a')).toBe(expected);
        flush();
        expect(onFallback).not.toHaveBeenCalled();
      })(),
    );
  });

  describe('where the second store may not stand in', () => {
    const neverStandsIn = (changes: Partial<Fallback> = {}) => fallbackOf({ mayStandIn: () => of(false), ...changes });

    marble('waits for the first one, however long that takes', ({ cold, expectObservable, flush }) => {
      const [first, second] = [storeOf(cold, '4s (v|)', '-(w|)'), storeOf(cold, '(x|)', '(w|)')];
      const onFallback = jest.fn();
      // The operation is begun again when its time is up.
      expectObservable(fallbackStore(first, second, neverStandsIn({ onFallback })).read('a')).toBe('5500ms (v|)');
      flush();
      expect(second.read).not.toHaveBeenCalled();
      expect(onFallback).not.toHaveBeenCalled();
    });

    marble('asks a store that has failed again after 5 s', ({ cold, expectObservable, flush }) => {
      const [first, second] = [storeOf(cold, '-(v|)', '-'), storeOf(cold, '(x|)', '-')];
      const answers = [cold('-#'), cold('--#'), cold('-(v|)')];
      first.read.mockImplementation(() => answers.shift()!);
      expectObservable(fallbackStore(first, second, neverStandsIn()).read('a')).toBe('--- 5s -(v|)');
      flush();
      expect(second.read).not.toHaveBeenCalled();
    });

    marble(
      'moves what the second one holds before a late answer',
      ({ cold, expectObservable, expectSubscriptions }) => {
        const takeOver$ = cold('2s |');
        const first = { ...storeOf(cold, '-(v|)', '-') };
        const answers = [cold('-#'), cold('-(v|)')];
        first.read.mockImplementation(() => answers.shift()!);
        const fallback = neverStandsIn({ takeOver$: takeOver$.pipe(ignoreElements()) });
        expectObservable(fallbackStore(first, storeOf(cold, '-', '-'), fallback).read('a')).toBe('- 2s -(v|)');
        expectSubscriptions(takeOver$.subscriptions).toBe('-^ 1999ms !');
      },
    );

    marble('turns to it once the history is read, which the state continues', ({ cold, expectObservable }) => {
      const [first, second] = [storeOf(cold, '-(v|)', '-#'), storeOf(cold, '(x|)', '(w|)')];
      const store = fallbackStore(first, second, neverStandsIn());
      const work$ = concat(store.read('a'), store.records(), store.write('b', 'text'));
      expectObservable(work$).toBe('-vr(w|)', { v: 'v', r: [], w: undefined });
    });
  });
});
