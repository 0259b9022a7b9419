import { defer, finalize, ignoreElements, switchMap, tap } from 'rxjs';

import { type Identities, isDue } from '../../model/identity';
import { localKeys } from '../../model/storageKeys';
import type { Addon } from '../addon';

/** Local storage key that Prebid's identity module reads first (contract: storage). */
const prebidIdsKey = localKeys.prebidId;

/** Ids as Prebid names and shapes them. Each is taken from the first of its tags under which the visitor is known. */
const prebidIds: readonly (readonly [name: string, tags: readonly string[], shape: (id: string) => unknown])[] = [
  ['id5id', ['id5id', 'id5'], (uid) => ({ uid })],
  ['idl_env', ['idl_env', 'liveramp'], (id) => id],
  ['uid2', ['uid2'], (id) => ({ id })],
  ['pairId', ['pairId'], (id) => id],
];

/**
 * Hands the visitor's identities to Prebid's `permutiveIdentityManagerId` module in two ways. The addon writes the
 * identities to local storage at each change. The addon also serves
 * `permutive.addons.identity_manager.prebid.onReady(cb)`, which calls `cb({id5id?, idl_env?, uid2?, pairId?})` once
 * third parties have answered. The project's `providers`, which say where more identities are found, are read
 * elsewhere, by `lookUpIdentities`.
 */
export const identityManager: Addon<unknown> = {
  name: 'identity_manager',
  autoInit: true,
  options: (input) => input,
  run: ({ identities$ }, options$, { expose, now, report, writeKey }) =>
    options$.pipe(
      // switchMap: another start replaces the one before.
      switchMap(() =>
        defer(() => {
          const callbacks = readyCallbacks((cause) =>
            report('Function permutive.addons.identity_manager.prebid.onReady caused an error', cause),
          );
          expose({ prebid: { onReady: callbacks.add } });
          return identities$.pipe(
            tap(({ ready, byTag }) => {
              const found = prebidEntries(byTag, now());
              if (found.length > 0) writeKey(prebidIdsKey, storedForm(found));
              if (ready) callbacks.tell(Object.fromEntries(found.map(([name, userId]) => [name, userId])));
            }),
            ignoreElements(),
            // When consent goes, waiting callbacks are dropped, and later ones are never called.
            finalize(callbacks.drop),
          );
        }),
      ),
    ),
};

/** Functions of the page that each get the ids once. */
interface ReadyCallbacks {
  /** Calls the function at once where the ids are known, else once they are. */
  readonly add: (callback: unknown) => void;
  /** The ids are known from now on. */
  readonly tell: (ids: object) => void;
  /** Forgets the ids and whoever waits for them. */
  readonly drop: () => void;
}

/** `failed` hears what a callback throws, and of what is no function. */
const readyCallbacks = (failed: (cause: unknown) => void): ReadyCallbacks => {
  let ids: object | undefined;
  let waiting: ((ids: object) => unknown)[] = [];
  const callAll = (): void => {
    if (ids === undefined) return;
    // Emptied first: a callback may throw or add another one, and each is called once.
    for (const callback of waiting.splice(0)) {
      try {
        callback(ids);
      } catch (cause) {
        failed(cause);
      }
    }
  };
  return {
    add: (callback) => {
      if (typeof callback !== 'function') return failed(new Error('onReady/0: expected a function'));
      waiting.push(callback as (ids: object) => unknown);
      callAll();
    },
    tell: (known) => {
      ids = known;
      callAll();
    },
    drop: () => {
      ids = undefined;
      waiting = [];
    },
  };
};

type PrebidEntry = readonly [name: string, userId: unknown, expiryTime: number];

/** The identities as Prebid's module reads them from local storage. */
const storedForm = (entries: readonly PrebidEntry[]): object => ({
  providers: Object.fromEntries(entries.map(([name, userId, expiryTime]) => [name, { userId, expiryTime }])),
});

/** The identities that Prebid knows and that have not expired, in Prebid's shape; `expiryTime` in ms since 1970. */
const prebidEntries = (byTag: Identities, now: number): readonly PrebidEntry[] =>
  prebidIds.flatMap(([name, tags, shape]) => {
    const identity = tags.map((tag) => byTag.get(tag)).find((found) => !isDue(found, now));
    return identity === undefined ? [] : [[name, shape(identity.id), identity.expiry] as const];
  });
