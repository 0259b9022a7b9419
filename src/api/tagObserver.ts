import { filter, ignoreElements, merge, take, tap, timer } from 'rxjs';

import { isRefusal } from '../model/consent';
import { perform } from '../operators/creators/perform';
import type { Page, Tools } from '../platform/platform';
import type { Observer } from './observer';
import type { PublicApi } from './publicApi';
import { bind, queuedCalls, type Tag, takeFirstCalls } from './tag';

/** `page.post` tells other scripts of the page that the SDK has started. */
export interface TagObserverDeps extends Pick<Tools, 'report'> {
  readonly page: Pick<Page, 'post'>;
}

/** All methods are bound after this time at the latest, whatever is still loading. */
const longestWaitMs = 1000;

/**
 * Replays the page's queue and binds the public methods to its tag, once for the page, in two steps (spec C§4).
 *
 * When the visit has begun, the calls of `identify`, `trigger`, `addon` and `track` are taken, so that they are not
 * lost with a visitor who leaves early. When the queries are initialised, all methods are bound and the other calls are
 * replayed; also when the page is hidden or unloads, and one second after the visit began, for the case that the engine
 * never answers. Where the visitor has refused, all methods are bound at once, and answer with nothing. Where the
 * visitor was not asked yet, the calls stay in the queue until there is consent.
 */
export const tagObserver = (tag: Tag, api: PublicApi, { report, page }: TagObserverDeps): Observer => {
  const bindMethods = once(() => {
    bind(tag, api, queuedCalls(tag, report), report);
  });
  const begin = once(() => {
    takeFirstCalls(tag, api, report);
    // Tells scripts and frames of this origin that the SDK has started. The message holds no identifier.
    page.post({ type: 'sdk-init' });
  });
  return {
    whileConsent: (consent) =>
      perform(() => {
        if (isRefusal(consent)) bindMethods();
      }),
    whileVisit: ({ begun$, stage$, pageExit$ }) =>
      merge(
        begun$.pipe(tap(begin), ignoreElements()),
        merge(stage$.pipe(filter((stage) => stage === 'initialised')), pageExit$, timer(longestWaitMs)).pipe(
          take(1),
          tap(bindMethods),
          ignoreElements(),
        ),
      ),
  };
};

/** Makes an action that runs at its first call only. */
const once = (action: () => void): (() => void) => {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    action();
  };
};
