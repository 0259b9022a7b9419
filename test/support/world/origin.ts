import { defer, ignoreElements, map, mergeMap, Observable } from 'rxjs';

import { storeKeys } from '../../../src/model/storageKeys';
import type { EventStore, Platform } from '../../../src/platform/platform';
import { hasEnded, type Life, type VirtualClock } from './clock';

/** What a browser keeps of one origin, and which of its pages hold which lock. */
export interface Origin {
  readonly host: string;
  readonly local: Map<string, string>;
  /** The encrypted store, as its texts were before encryption. */
  readonly store: Map<string, string>;
  readonly journal: Map<string, unknown>;
  readonly locks: Map<string, Life>;
  /** Records of events that were ever written, which makes their keys sort by age. */
  written: number;
  /** The encrypted store answers nothing before this time of the clock. */
  busyUntil: number;
  /** The encrypted store fails whatever it is asked for. */
  isStoreRefused: boolean;
  /** The journal answers nothing. */
  isJournalStuck: boolean;
}

export const newOrigin = (host: string): Origin => ({
  host,
  local: new Map(),
  store: new Map(),
  journal: new Map(),
  locks: new Map(),
  written: 0,
  busyUntil: 0,
  isStoreRefused: false,
  isJournalStuck: false,
});

/** Ms that a question to the disk, and its answer, take. */
const diskMs = 1;

/** `Platform.hold` of an origin: a lock is free again when its life has ended, in whatever way. */
export const holding =
  ({ locks }: Origin, clock: VirtualClock): Platform['hold'] =>
  (name) =>
    new Observable((subscriber) => {
      const life = clock.current();
      clock.later(life, diskMs, () => {
        if (subscriber.closed) return;
        if (isHeld(locks, name)) {
          subscriber.next(false);
          subscriber.complete();
          return;
        }
        locks.set(name, life);
        subscriber.add(() => locks.delete(name));
        subscriber.next(true);
      });
    });

const isHeld = (locks: Origin['locks'], name: string): boolean => {
  const holder = locks.get(name);
  return holder !== undefined && !hasEnded(holder);
};

const isEvents = (key: string): boolean =>
  key.startsWith(storeKeys.previousPages) || key.startsWith(storeKeys.thisPage);
const noEvents = '[]';

/**
 * The encrypted store of a user, with the rules of `src/platform/idbStore.ts`: a record of events names its user, and
 * reads as an empty list to others. What the engine had not handed to the disk when it ended is not written.
 */
export const storeOf = (
  origin: Origin,
  userId: string,
  clock: VirtualClock,
  onWrite: (key: string) => void,
): EventStore => {
  const { store } = origin;
  const isOthers = (key: string): boolean => isEvents(key) && key.split('/').length > 2 && !key.endsWith(`/${userId}`);
  const step = <A>(act: () => A): Observable<A> =>
    defer(() => clock.after(Math.max(diskMs, origin.busyUntil - clock.now()))).pipe(
      map(() => {
        if (origin.isStoreRefused) throw new DOMException('refused', 'UnknownError');
        return act();
      }),
      mergeMap((answer) => clock.after(diskMs).pipe(map(() => answer))),
    );
  const change = <A>(key: string, act: () => A): Observable<A> =>
    step(() => {
      onWrite(key);
      return act();
    });
  const readable = (key: string): string => (isOthers(key) ? noEvents : (store.get(key) ?? ''));
  return {
    read: (key) => step(() => (store.has(key) ? readable(key) : null)),
    // Each write has a text of its own: the state has its revision in it.
    readVersion: (key) =>
      step(() => ({ text: store.has(key) ? readable(key) : null, version: store.get(key) ?? null })),
    swap: (key, version, text) =>
      change(key, () => {
        const isSame = version === (store.get(key) ?? null);
        if (isSame) store.set(key, text);
        return isSame;
      }),
    write: (key, text) => change(key, () => void store.set(key, text)),
    records: () =>
      step(() =>
        [...store.keys()]
          .filter(isEvents)
          .sort()
          .map((key) => ({ key, text: readable(key) })),
      ),
    replace: (stale, fresh) =>
      change(storeKeys.thisPage, () => {
        if (stale.some((key) => !store.has(key))) return [];
        for (const key of stale) store.delete(key);
        return fresh.map(([list, text]) => {
          const key = `${list}/${String((origin.written += 1)).padStart(8, '0')}/${userId}`;
          store.set(key, text);
          return key;
        });
      }),
    clear: () =>
      step(() => {
        for (const key of store.keys()) if (isEvents(key)) store.delete(key);
      }),
  };
};

/** What a page's journal does. */
export type JournalUse =
  | { readonly act: 'write'; readonly changes: ReadonlyMap<string, string | null> }
  | { readonly act: 'erase'; readonly had: number };

/**
 * The journal of an origin. The browser finishes what it was given, even without the page, so a write belongs to the
 * browser's life; its answer belongs to the page.
 */
export const journalOf = (
  origin: Origin,
  browser: Life,
  clock: VirtualClock,
  onUse: (use: JournalUse) => void,
): Platform['journal'] => {
  const { journal } = origin;
  const given = <A>(act: () => A): Observable<A> =>
    new Observable((subscriber) => {
      if (origin.isJournalStuck) return;
      const life = clock.current();
      clock.later(browser, diskMs, () => {
        const answer = act();
        clock.later(life, diskMs, () => {
          subscriber.next(answer);
          subscriber.complete();
        });
      });
    });
  return {
    keys: () => given(() => [...journal.keys()]),
    read: (key) => given(() => journal.get(key)),
    write: (changes) =>
      defer(() => {
        onUse({ act: 'write', changes });
        return given(() => {
          for (const [key, text] of changes)
            if (text === null) journal.delete(key);
            else journal.set(key, text);
        });
      }),
    erase: () =>
      defer(() => {
        onUse({ act: 'erase', had: journal.size });
        return given(() => journal.clear()).pipe(ignoreElements());
      }),
  };
};
