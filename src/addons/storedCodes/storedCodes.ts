import { dequal } from 'dequal/lite';
import { distinctUntilChanged, ignoreElements, map, switchMap, tap } from 'rxjs';

import { activationText, appliesIn, isForMembers } from '../../model/activation';
import type { Cohorts } from '../../model/cohorts';
import { isReservedKey } from '../../model/storageKeys';
import { partnerKeys } from '../../model/storageKeys';
import type { Addon, AddonDeps } from '../addon';

/** By local storage key, the codes to store there. */
type CodesByKey = Readonly<Record<string, readonly string[]>>;

/**
 * Makes an addon that keeps lists of codes in local storage, where its partner looks for them (contract: storage). The
 * addon writes when a list has changed, and only codes that this page has evaluated. `lists` says what belongs under
 * which key.
 */
const codesAddon = (name: string, lists: (cohorts: Cohorts, deps: AddonDeps) => CodesByKey): Addon<unknown> => ({
  name,
  autoInit: true,
  options: () => undefined,
  run: ({ cohorts$ }, options$, deps) =>
    // switchMap: another start replaces the one before. To write a list twice is the same as to write it once.
    options$.pipe(
      switchMap(() =>
        cohorts$.pipe(
          // The cohorts of the last page are passed over, because that page has stored them itself.
          map((cohorts) => (cohorts.isRealtime ? lists(cohorts, deps) : {})),
          distinctUntilChanged<CodesByKey>(dequal),
        ),
      ),
      tap((codes) => {
        for (const [key, list] of Object.entries(codes)) deps.writeKey(key, list);
      }),
      ignoreElements(),
    ),
});

/** Makes such an addon for the codes of one platform, under one key. */
const platformCodes = (name: string, platform: string, key: string): Addon<unknown> =>
  codesAddon(name, (cohorts, { codesFor }) => ({ [key]: codesFor(platform, cohorts) }));

/** Keeps the codes of the platform `rubicon_ssp` under `_prubicons`. */
export const rubicon = platformCodes('rubicon', 'rubicon_ssp', partnerKeys.rubicon);
/** Keeps the codes of the platform `nativo` under `_pnativo`. */
export const nativo = platformCodes('nativo', 'nativo', partnerKeys.nativo);
/** Keeps the codes of the platform `freewheel` under `_pfws`. */
export const freewheel = platformCodes('freewheel', 'freewheel', partnerKeys.freewheel);

/**
 * Keeps codes under keys of the publisher's choice (`storage_key` of an activation). Each key holds the codes of its
 * activated cohorts that the visitor is in; an empty list where there is none.
 */
export const localStorage = codesAddon('local_storage', ({ members }, { activations, context, codesOf }) => {
  const now = context();
  const lists = new Map<string, string[]>();
  for (const activation of activations) {
    const key = activationText(activation, 'storage_key');
    // The build has refused keys of the SDK; definitions of other builds are not trusted.
    if (key === undefined || isReservedKey(key)) continue;
    const list = lists.get(key) ?? [];
    lists.set(key, list);
    const isDue = isForMembers(activation) && appliesIn(activation, now);
    if (isDue && members.includes(String(activation.sc))) list.push(String(activation.sc));
  }
  return Object.fromEntries([...lists].map(([key, ids]) => [key, codesOf(ids)]));
});
