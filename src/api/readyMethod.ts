import { filter, firstValueFrom, map, startWith, Subject, take, tap } from 'rxjs';

import { isRefusal } from '../model/consent';
import type { Stage } from '../model/pageContext';
import type { ApiPart } from './apiPart';
import type { PublicArguments } from './publicArguments';

/**
 * The method `ready`: calls back at its stage, or at once where the stage is reached. `announce` dispatches the event
 * of each stage. A reached stage stays reached in later visits of the page. A visitor who has refused is told at once,
 * because pages hold back their ads until then.
 */
export const readyMethod = (given: PublicArguments, announce: (name: string) => void): ApiPart => {
  const reached = new Set<Stage>();
  let isRefused = false;
  const change$ = new Subject<void>();
  return {
    methods: {
      ready: (onReady, name = 'initialised') => {
        const stage = given.choice('ready', 1, name, ['initialised', 'realtime']);
        const tell = given.callback('ready', 0, onReady);
        const due$ = change$.pipe(
          startWith(undefined),
          filter(() => isRefused || reached.has(stage)),
          // Before the callback, which may cause another change.
          take(1),
          map(() => tell()),
        );
        return firstValueFrom(due$, { defaultValue: undefined });
      },
    },
    follow: ({ stage$ }) =>
      stage$.pipe(
        tap((stage) => {
          reached.add(stage);
          change$.next();
          announce(stage === 'initialised' ? 'permutive:ready' : 'permutive:realtime');
        }),
      ),
    onConsent: (consent) => {
      isRefused = isRefusal(consent);
      change$.next();
    },
  };
};
