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
  begins$: of(true),
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
      ['fails', '--#', '--(x|)', new Error()],
      ['finds no room', '--#', '--(x|)', new QuotaError()],
      ['takes too long', '-', '1500ms (x|)', undefined],
    ])('lets the second store stand in where that %s', (_, diagram, expected, error) =>
      marbles(({ cold, expectObservable, flush }) => {
        const onFallback = jest.fn();
        const first = storeOf(cold, '-(v|)', '-');
        const takeOver$ = cold(diagram, undefined, error).pipe(ignoreElements());
        const fallback = fallbackOf({ onFallback, takeOver$, leftBehind: true });
        expectObservable(fallbackStore(first, storeOf(cold, '(x|)', '-'), fallback).read('a')).toBe(expected);
        flush();
        expect(first.read.mock.results).toHaveLength(1);
        expect(onFallback).toHaveBeenCalledTimes(1);
      })(),
    );

    marble(
      'goes on with the first store where that fails and the second one may not stand in',
      ({ cold, expectObservable }) => {
        const takeOver$ = cold('--#').pipe(ignoreElements());
        const fallback = fallbackOf({ mayStandIn: () => of(false), takeOver$, leftBehind: true });
        const store = fallbackStore(storeOf(cold, '-(v|)', '-'), storeOf(cold, '(x|)', '-'), fallback);
        // The move is tried a second time.
        expectObservable(store.read('a')).toBe('-----(v|)');
      },
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
  });

  describe('with a state that other pages write too', () => {
    marble('never leaves the first store once the history is read', ({ cold, expectObservable, flush }) => {
      const [first, second] = [storeOf(cold, '-(v|)', '-#'), storeOf(cold, '(x|)', '(w|)')];
      const onFallback = jest.fn();
      const store = fallbackStore(first, second, fallbackOf({ onFallback }));
      const found = { text: 'v', version: 1 };
      const work$ = concat(store.readVersion('b'), store.records(), store.swap('b', 1, 'text'));
      expectObservable(work$).toBe('-fr#', { f: found, r: [] });
      expectObservable(store.read('a'), '---------^').toBe('----------(v|)');
      flush();
      expect(second.swap).not.toHaveBeenCalled();
      expect(onFallback).not.toHaveBeenCalled();
    });

    marble('passes on a late first store 1500 ms after each write', ({ cold, expectObservable }) => {
      const [first, second] = [storeOf(cold, '-(v|)', '-'), storeOf(cold, '(x|)', '(w|)')];
      const store = fallbackStore(first, second, fallbackOf());
      first.swap.mockReturnValueOnce(cold('-(w|)', { w: true }));
      const work$ = concat(store.records(), store.swap('b', null, 'text'), store.swap('b', 1, 'text'));
      expectObservable(work$).toBe('-rw 1499ms #', { r: [], w: true }, new Error('No answer in time'));
    });

    marble(
      'leaves the first store where not even the first state can be written there',
      ({ cold, expectObservable }) => {
        const [first, second] = [storeOf(cold, '-(v|)', '-#'), storeOf(cold, '(x|)', '-(w|)')];
        first.readVersion.mockReturnValueOnce(cold('-(v|)', { v: { text: null, version: null } }));
        const store = fallbackStore(first, second, fallbackOf());
        const work$ = concat(store.readVersion('b'), store.records(), store.swap('b', null, 'text'));
        expectObservable(work$).toBe('-fr-(w|)', { f: { text: null, version: null }, r: [], w: true });
      },
    );

    marble('returns to the first one where another page has moved it there', ({ cold, expectObservable, flush }) => {
      const [first, second] = [storeOf(cold, '-(v|)', '-(w|)'), storeOf(cold, '-(x|)', '-(w|)')];
      first.readVersion.mockReturnValueOnce(cold('-#'));
      const gone = { text: null, version: null };
      const none$ = cold('-(g|)', { g: gone });
      second.readVersion.mockReturnValueOnce(none$).mockReturnValueOnce(none$);
      const store = fallbackStore(first, second, fallbackOf());
      const found = { text: 'v', version: 1 };
      const work$ = concat(store.readVersion('a'), store.swap('a', null, 'text'), store.readVersion('a'));
      // Nothing is there at first, because this page is the one that begins.
      expectObservable(concat(work$, store.swap('a', 1, 'text'))).toBe('--gw-f(w|)', { g: gone, w: true, f: found });
      flush();
      expect(second.swap.mock.calls).toEqual([['a', null, 'text']]);
      expect(first.swap.mock.calls).toEqual([['a', 1, 'text']]);
    });

    marble('stays with the first one then, also where that still fails', ({ cold, expectObservable, flush }) => {
      const [first, second] = [storeOf(cold, '-#', '-#'), storeOf(cold, '-(x|)', '-(w|)')];
      const gone = { text: null, version: null };
      second.readVersion.mockReturnValueOnce(cold('-(x|)', { x: { text: 'x', version: 1 } }));
      second.readVersion.mockReturnValueOnce(cold('-(g|)', { g: gone }));
      const store = fallbackStore(first, second, fallbackOf());
      const work$ = concat(store.readVersion('a'), store.records(), store.readVersion('a'));
      expectObservable(work$).toBe('--xr-#', { x: { text: 'x', version: 1 }, r: [{ key: 'x', text: '[]' }] });
      expectObservable(store.swap('a', 1, 'text'), '-----------^').toBe('------------#');
      flush();
      expect(second.swap).not.toHaveBeenCalled();
    });

    marble(
      'moves what another page has begun in the second one before it begins one',
      ({ cold, expectObservable, expectSubscriptions, flush }) => {
        const takeOver$ = cold('---|');
        const first = storeOf(cold, '-(v|)', '-(w|)');
        const fallback = { takeOver$: takeOver$.pipe(ignoreElements()), begins$: cold('-(f|)', { f: false }) };
        const store = fallbackStore(first, storeOf(cold, '-', '-'), fallbackOf(fallback));
        expectObservable(concat(store.swap('a', null, 'text'), store.swap('a', 1, 'text'))).toBe('-----w(w|)', {
          w: true,
        });
        expectSubscriptions(takeOver$.subscriptions).toBe('-^--!');
        flush();
        expect(first.swap.mock.calls).toEqual([
          ['a', null, 'text'],
          ['a', 1, 'text'],
        ]);
      },
    );

    it.each([
      ['holds none', '-(t|)', '--(w|)'],
      ['does not answer that', '-#', '--(w|)'],
    ])('begins one at once where the second one %s', (_, diagram, expected) =>
      marbles(({ cold, expectObservable }) => {
        const first = storeOf(cold, '-(v|)', '-(w|)');
        const fallback = { takeOver$: cold<never>('-'), begins$: cold(diagram, { t: true }) };
        const store = fallbackStore(first, storeOf(cold, '-', '-'), fallbackOf(fallback));
        expectObservable(store.swap('a', null, 'text')).toBe(expected, { w: true });
      })(),
    );
  });
});
