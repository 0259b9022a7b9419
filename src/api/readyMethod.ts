import { tap } from 'rxjs';

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
  let waiting: readonly { readonly stage: Stage; readonly go: () => void }[] = [];
  let isRefused = false;
  const isDue = ({ stage }: { readonly stage: Stage }): boolean => isRefused || reached.has(stage);
  const tellDue = (): void => {
    const due = waiting.filter(isDue);
    waiting = waiting.filter((one) => !isDue(one));
    for (const { go } of due) go();
  };
  const reach = (stage: Stage): void => {
    reached.add(stage);
    tellDue();
    announce(stage === 'initialised' ? 'permutive:ready' : 'permutive:realtime');
  };
  return {
    methods: {
      ready: (onReady, name = 'initialised') =>
        new Promise<void>((resolve) => {
          const stage = given.choice('ready', 1, name, ['initialised', 'realtime']);
          const tell = given.callback('ready', 0, onReady);
          const go = (): void => {
            tell();
            resolve();
          };
          waiting = [...waiting, { stage, go }];
          tellDue();
        }),
    },
    follow: ({ stage$ }) => stage$.pipe(tap(reach)),
    onConsent: (consent) => {
      isRefused = isRefusal(consent);
      tellDue();
    },
  };
};
