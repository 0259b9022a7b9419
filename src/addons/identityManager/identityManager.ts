import { defer, filter, ignoreElements, map, merge, mergeMap, Observable, switchMap, take, tap } from 'rxjs';

import { type Identities, isDue } from '../../model/identity';
import { localKeys } from '../../model/storageKeys';
import { scoped } from '../../operators/creators/scoped';
import { isolate } from '../../operators/isolate';
import { shareState } from '../../operators/shareState';
import type { Addon, AddonDeps } from '../addon';

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
      // switchMap: another start replaces the one before. When consent goes, no callback is called any more.
      switchMap(() =>
        scoped((stop$) => {
          const known$ = identities$.pipe(
            map(({ ready, byTag }) => ({ ready, found: prebidEntries(byTag, now()) })),
            tap(({ found }) => {
              if (found.length > 0) writeKey(prebidIdsKey, storedForm(found));
            }),
            shareState(stop$),
          );
          const ids$ = known$.pipe(
            filter(({ ready }) => ready),
            take(1),
            map(({ found }) => Object.fromEntries(found.map(([name, userId]) => [name, userId]))),
          );
          return merge(
            fromCallbacks(expose).pipe(
              // mergeMap: each callback is called once, at once where the ids are known.
              mergeMap((callback) =>
                defer(() => {
                  if (typeof callback !== 'function') throw new Error('onReady/0: expected a function');
                  return ids$.pipe(tap(callback as (ids: object) => unknown));
                }).pipe(isolate('Function permutive.addons.identity_manager.prebid.onReady caused an error', report)),
              ),
            ),
            known$,
          ).pipe(ignoreElements());
        }),
      ),
    ),
};

/** What the page gives `permutive.addons.identity_manager.prebid.onReady`, from this subscription on. */
const fromCallbacks = (expose: AddonDeps['expose']): Observable<unknown> =>
  new Observable((subscriber) => {
    expose({ prebid: { onReady: (callback: unknown) => subscriber.next(callback) } });
  });

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
