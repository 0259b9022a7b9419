import { catchError, concatMap, type Observable, of, switchMap, take, takeWhile } from 'rxjs';

import { type Activation, activationText, reaction } from '../../model/activation';
import type { EventDraft } from '../../model/event';
import { partnerKeys } from '../../model/storageKeys';
import { poll } from '../../operators/creators/poll';
import { consentedActivations, type VendorOptions, vendorOptions } from '../activations/consentedActivations';
import type { Addon, AddonDeps } from '../addon';

/** Local storage key where a publisher's script finds the visitor's cohorts (`_psegs`). */
const cohortNumbersKey = partnerKeys.all;
/** Waits 50 ms, then twice as long each time, 3.15 s in all (spec S§4). */
const wait = { everyMs: 50, factor: 2, times: 7 };

/**
 * Runs scripts of the publisher (spec S§4): EveryTime scripts for members, OnEntry and OnExit scripts at transitions,
 * starting with those since the visit began. A script waits until local storage agrees with its trigger, so that it can
 * read the membership there; after 3.15 s it runs anyway. A script with a vendor id waits for the vendor's consent
 * before that. An impression is tracked for each.
 */
export const scriptRunner: Addon<VendorOptions> = {
  name: 'scriptrunner',
  autoInit: true,
  options: vendorOptions,
  run: (streams, options$, deps) =>
    options$.pipe(
      take(1),
      switchMap((options) =>
        consentedActivations({ ...streams, transition$: streams.transitionsSinceInit$ }, options, deps, (activation) =>
          onceStored(activation, deps),
        ),
      ),
      concatMap((activation) => runActivation(activation, deps)),
      // The page's policy has refused a script and would refuse every other one too, so the addon ends.
      takeWhile((draft) => draft !== refused),
    ),
};

/** Stands for a script that the page's policy has refused. The draft is never tracked. */
const refused: EventDraft = { name: '' };

/** Emits the activation once local storage agrees with it: the cohort is in the stored list, or for OnExit is not. */
const onceStored = (activation: Activation, { readKey }: AddonDeps): Observable<Activation> => {
  const cohort = Number(activation.sc);
  const agrees = (): boolean => {
    const codes = readKey(cohortNumbersKey);
    // Only numeric cohorts are stored under this key, so there is nothing to wait for with the others.
    return Number.isNaN(cohort) || (Array.isArray(codes) && codes.includes(cohort) === (activation.tt !== 'OnExit'));
  };
  return poll(() => (agrees() ? activation : undefined), wait).pipe(catchError(() => of(activation)));
};

/**
 * Runs the script of an activation. Answers its impression, the mark for a refused script, or, after a report, nothing
 * for a script that has thrown.
 */
const runActivation = (activation: Activation, { runScript, report }: AddonDeps): readonly EventDraft[] => {
  try {
    if (runScript(activationText(activation, 'script') ?? '')) return [reaction(activation, 'impression')];
    report(scriptFailure, new Error('Refused by the policy of the page'));
    return [refused];
  } catch (cause) {
    report(scriptFailure, cause);
    return [];
  }
};
const scriptFailure = 'Error running custom script';
