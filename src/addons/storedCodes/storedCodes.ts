import { dequal } from 'dequal/lite';
import { distinctUntilChanged, filter, ignoreElements, map, switchMap, tap } from 'rxjs';

import { appliesIn, textOf } from '../../model/activation';
import type { Cohorts } from '../../model/cohorts';
import { ownPrefix, partnerKeys } from '../../model/storageKeys';
import type { Addon, AddonDeps } from '../addon';

type Lists = Readonly<Record<string, readonly string[]>>;

/** An addon that keeps flat arrays of codes in local storage, where its partner looks (contract: storage). */
const codesAddon = (name: string, lists: (cohorts: Cohorts, deps: AddonDeps) => Lists): Addon<unknown> => ({
  name,
  autoInit: true,
  options: () => undefined,
  run: ({ cohorts$ }, options$, deps) =>
    // switchMap: started again, it starts over; written twice is written once.
    options$.pipe(
      switchMap(() =>
        cohorts$.pipe(
          // What the last page stored is stored already.
          filter(({ isRealtime }) => isRealtime),
          map((cohorts) => lists(cohorts, deps)),
          distinctUntilChanged<Lists>(dequal),
        ),
      ),
      tap((codes) => {
        for (const [key, list] of Object.entries(codes)) deps.writeKey(key, list);
      }),
      ignoreElements(),
    ),
});

const platformKey = (name: string, platform: string, key: string): Addon<unknown> =>
  codesAddon(name, (cohorts, { codesFor }) => ({ [key]: codesFor(platform, cohorts) }));

export const rubicon = platformKey('rubicon', 'rubicon_ssp', partnerKeys.rubicon);
export const nativo = platformKey('nativo', 'nativo', partnerKeys.nativo);
export const freewheel = platformKey('freewheel', 'freewheel', partnerKeys.freewheel);

/**
 * Keys of the publisher's choice: each holds the codes of the activated cohorts that the visitor is in; none of them:
 * an empty array.
 */
export const localStorage = codesAddon('local_storage', ({ members }, { activations, context, codesOf }) => {
  const now = context();
  const lists = new Map<string, string[]>();
  for (const activation of activations) {
    const key = textOf(activation, 'storage_key');
    // Our own state is not for overwriting.
    if (key === undefined || key.startsWith(ownPrefix)) continue;
    const list = lists.get(key) ?? [];
    lists.set(key, list);
    if (members.includes(String(activation.sc)) && appliesIn(activation, now)) list.push(String(activation.sc));
  }
  return Object.fromEntries([...lists].map(([key, ids]) => [key, codesOf(ids)]));
});
