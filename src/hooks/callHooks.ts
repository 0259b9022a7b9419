import { useMemo, useSyncExternalStore } from 'react';

import type { EventName, IdentityTuple, PropertiesOf, TrackOptions } from '../page/permutive';
import { usePageLink } from './PermutiveProvider';

/** Tracks an event, now or once the SDK is there. What became of it is told by the options' callbacks. */
export type Track = <Name extends EventName>(
  name: Name,
  properties?: PropertiesOf<Name>,
  options?: TrackOptions,
) => void;

/**
 * A function that tracks an event. The function is the same in each rendering. Call it in event handlers and effects,
 * not while rendering. Before the SDK has loaded, calls are queued in their order; without consent they have no effect.
 */
export const useTrack = (): Track => usePageLink().track;

/**
 * A function that tells who the visitor is to the publisher, as `permutive.identify` does. The rules are those of
 * `useTrack`.
 */
export const useIdentify = (): ((identities: string | readonly IdentityTuple[]) => void) => usePageLink().identify;

/** The visitor's consent, and how to change it. */
export interface ConsentControl {
  /** Undefined until something is known: on a server, before the SDK has started, and where it waits for consent. */
  readonly isGiven: boolean | undefined;
  /** The visitor consents; `token` is the consent platform's proof. */
  readonly give: (token?: string) => void;
  /** The visitor refuses: everything stops, and what is stored is erased. Cohorts are empty at once. */
  readonly withdraw: () => void;
}

/** The visitor's consent as the SDK knows it. The functions are the same in each rendering. */
export const useConsent = (): ConsentControl => {
  const { consent, isConsentGiven } = usePageLink();
  const isGiven = useSyncExternalStore(isConsentGiven.subscribe, isConsentGiven.current, isConsentGiven.initial);
  const calls = useMemo(
    () => ({
      give: (token?: string) => consent(token === undefined ? { opt_in: true } : { opt_in: true, token }),
      withdraw: () => consent({ opt_in: false }),
    }),
    [consent],
  );
  return useMemo(() => ({ isGiven, ...calls }), [isGiven, calls]);
};
