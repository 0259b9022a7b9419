import { defer, finalize, ignoreElements, switchMap, tap } from 'rxjs';

import { type Identities, isDue } from '../../model/identity';
import { localKeys } from '../../model/storageKeys';
import type { Addon } from '../addon';

/** Where Prebid's identity module looks first (contract: storage). */
const prebidIdsKey = localKeys.prebidId;

/** Ids as Prebid names and shapes them, each from the first of these tags that the visitor is identified by. */
const prebidIds: readonly (readonly [name: string, tags: readonly string[], shape: (id: string) => unknown])[] = [
  ['id5id', ['id5id', 'id5'], (uid) => ({ uid })],
  ['idl_env', ['idl_env', 'liveramp'], (id) => id],
  ['uid2', ['uid2'], (id) => ({ id })],
  ['pairId', ['pairId'], (id) => id],
];

/**
 * Hands the visitor's identities to Prebid's `permutiveIdentityManagerId` module: by local storage, and by
 * `permutive.addons.identity_manager.prebid.onReady(cb)`, which calls `cb({id5id?, idl_env?, uid2?, pairId?})` once
 * third-party identities are set. The project's `providers` say where the SDK finds more identities.
 */
export const identityManager: Addon<unknown> = {
  name: 'identity_manager',
  autoInit: true,
  options: (input) => input,
  run: ({ identities$ }, options$, { expose, now, report, writeKey }) =>
    options$.pipe(
      // switchMap: started again, it starts over.
      switchMap(() =>
        defer(() => {
          let ids: object | undefined;
          let waiting: ((ids: object | undefined) => unknown)[] = [];
          const failed = (cause: unknown): void =>
            report('Function permutive.addons.identity_manager.prebid.onReady caused an error', cause);
          const onReady = (callback: unknown): void => {
            if (typeof callback !== 'function') return failed(new Error('onReady/0: expected a function'));
            waiting.push(callback as (typeof waiting)[number]);
            tell();
          };
          const tell = (): void => {
            if (ids === undefined) return;
            for (const callback of waiting.splice(0)) {
              try {
                callback(ids);
              } catch (cause) {
                failed(cause);
              }
            }
          };
          expose({ prebid: { onReady } });
          return identities$.pipe(
            tap(({ ready, byTag }) => {
              const found = prebidEntries(byTag, now());
              if (found.length > 0)
                writeKey(prebidIdsKey, {
                  providers: Object.fromEntries(
                    found.map(([name, userId, expiryTime]) => [name, { userId, expiryTime }]),
                  ),
                });
              if (ready) ids = Object.fromEntries(found.map(([name, userId]) => [name, userId]));
              tell();
            }),
            ignoreElements(),
            // Without consent nobody is told.
            finalize(() => {
              ids = undefined;
              waiting = [];
            }),
          );
        }),
      ),
    ),
};

const prebidEntries = (
  byTag: Identities,
  now: number,
): readonly (readonly [name: string, userId: unknown, expiryTime: number])[] =>
  prebidIds.flatMap(([name, tags, shape]) => {
    const identity = tags.map((tag) => byTag.get(tag)).find((found) => !isDue(found, now));
    return identity === undefined ? [] : [[name, shape(identity.id), identity.expiry] as const];
  });
