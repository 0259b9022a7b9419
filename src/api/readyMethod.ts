import { tap } from 'rxjs';

import type { Stage } from '../model/pageContext';
import type { ApiPart } from './apiPart';
import type { PublicArguments } from './publicArguments';

/**
 * The method `ready`: calls back at its stage, or at once where the stage is reached. `announce` dispatches the event
 * of each stage. A reached stage stays reached in later visits of the page.
 */
export const readyMethod = (given: PublicArguments, announce: (name: string) => void): ApiPart => {
  const reached = new Set<Stage>();
  let waiting: readonly { readonly stage: Stage; readonly go: () => void }[] = [];
  const reach = (stage: Stage): void => {
    reached.add(stage);
    const due = waiting.filter((one) => one.stage === stage);
    waiting = waiting.filter((one) => one.stage !== stage);
    for (const { go } of due) go();
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
          if (reached.has(stage)) go();
          else waiting = [...waiting, { stage, go }];
        }),
    },
    follow: ({ stage$ }) => stage$.pipe(tap(reach)),
  };
};
