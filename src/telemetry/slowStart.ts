import { filter, ignoreElements, merge, tap } from 'rxjs';

import type { Observer } from '../api/observer';
import { perform } from '../operators/creators/perform';
import type { Tools } from '../platform/platform';

export interface SlowStartDeps {
  /** Takes what the start waits for; undefined: for nothing. */
  readonly waitFor: (what: string | undefined) => void;
  /** Names of the project's addons. */
  readonly addonNames: readonly string[];
}

/**
 * Names what the start waits for: where there is consent, the visit, until all of its parts listen. Where reports are
 * logged and the project has the addon `web`, the first Pageview too. Nobody else is told of that, because pages start
 * the addon when they like, or leave Pageviews out.
 */
export const slowStart = ({ waitFor, addonNames }: SlowStartDeps, { setting }: Pick<Tools, 'setting'>): Observer => {
  let isViewed = false;
  const awaitsPageview = (): boolean => !isViewed && addonNames.includes('web') && setting('loggingEnabled');
  return {
    whileConsent: (consent) => perform(() => waitFor(consent === 'given' ? 'The start of the visit' : undefined)),
    whileVisit: ({ begun$, event$ }) =>
      merge(
        event$.pipe(
          filter(({ name }) => name === 'Pageview'),
          tap(() => (isViewed = true)),
        ),
        begun$,
      ).pipe(
        tap(() => waitFor(awaitsPageview() ? 'The first Pageview' : undefined)),
        ignoreElements(),
      ),
  };
};
