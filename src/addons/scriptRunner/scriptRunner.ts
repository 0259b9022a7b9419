import { catchError, concatMap, mergeMap, type Observable, of, switchMap, take, takeWhile } from 'rxjs';

import { type Activation, reaction, textOf } from '../../model/activation';
import type { EventDraft } from '../../model/event';
import { partnerKeys } from '../../model/storageKeys';
import { dueActivations } from '../../operators/creators/dueActivations';
import { poll } from '../../operators/creators/poll';
import type { Addon, AddonDeps } from '../addon';

/** Where a script of the publisher's finds the visitor's cohorts. */
const cohortNumbersKey = partnerKeys.all;
/** 50 ms, then twice as long each time, 3.15 s in all (spec S§4). */
const wait = { everyMs: 50, factor: 2, times: 7 };

/**
 * Runs scripts of the publisher's: EveryTime for members, OnEntry and OnExit at transitions, those since the visit
 * began first. A script runs once local storage says what its trigger says, so that it can read there what it was run
 * for.
 */
export const scriptRunner: Addon<unknown> = {
  name: 'scriptrunner',
  autoInit: true,
  options: () => undefined,
  run: ({ cohorts$, transitionsSinceInit$, view$ }, options$, deps) =>
    options$.pipe(
      take(1),
      switchMap(() => dueActivations({ cohorts$, transition$: transitionsSinceInit$, view$ }, deps)),
      mergeMap((activation) => stored(activation, deps)),
      concatMap((activation) => runActivation(activation, deps)),
      // Refused by the page's policy, as the next would be.
      takeWhile((draft) => draft !== refused),
    ),
};

const refused: EventDraft = { name: '' };

const stored = (activation: Activation, { readKey }: AddonDeps): Observable<Activation> => {
  const cohort = Number(activation.sc);
  const agrees = (): boolean => {
    const codes = readKey(cohortNumbersKey);
    // Numbers only are stored there.
    return Number.isNaN(cohort) || (Array.isArray(codes) && codes.includes(cohort) === (activation.tt !== 'OnExit'));
  };
  return poll(() => (agrees() ? activation : undefined), wait).pipe(catchError(() => of(activation)));
};

const runActivation = (activation: Activation, { runScript, report }: AddonDeps): readonly EventDraft[] => {
  try {
    if (runScript(textOf(activation, 'script') ?? '')) return [reaction(activation, 'impression')];
    report(scriptFailure, new Error('Refused by the policy of the page'));
    return [refused];
  } catch (cause) {
    report(scriptFailure, cause);
    return [];
  }
};
const scriptFailure = 'Error running custom script';
