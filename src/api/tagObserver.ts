import { EMPTY, filter, ignoreElements, merge, take, tap, timer } from 'rxjs';

import type { Settings } from '../model/config';
import type { Report } from '../model/report';
import { perform } from '../operators/creators/perform';
import type { Page } from '../platform/platform';
import type { Observer } from '../world';
import type { PublicApi } from './publicApi';
import { bind, forgetTracked, queuedCalls, type Tag, takeFirstCalls } from './tag';

/** `page.post` tells other scripts of the page that the SDK has started. */
export interface TagObserverDeps {
  readonly setting: Settings;
  readonly report: Report;
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
 * never answers. With a stored refusal and consent not required, all methods are bound as no-ops. `isRefused`: the page
 * required consent and had none, so what is tracked until the visitor consents is not replayed.
 */
export const tagObserver = (tag: Tag, api: PublicApi, isRefused: boolean, deps: TagObserverDeps): Observer => {
  const { setting, report, page } = deps;
  const forget = once(() => forgetTracked(tag));
  const bindMethods = once(() => {
    bind(tag, api, queuedCalls(tag, report), report);
  });
  const begin = once(() => {
    takeFirstCalls(tag, api, report);
    // Tells scripts and frames of this origin that the SDK has started. The message holds no identifier.
    page.post({ type: 'sdk-init' });
  });
  return {
    whileConsent: (given) => {
      if (given) return isRefused ? perform(forget) : EMPTY;
      return setting('consentRequired') ? EMPTY : perform(bindMethods);
    },
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
