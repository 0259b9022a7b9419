import { EMPTY, filter, ignoreElements, merge, take, tap, timer } from 'rxjs';

import type { Settings } from '../model/config';
import type { Report } from '../model/report';
import { perform } from '../operators/creators/perform';
import type { Page } from '../platform/platform';
import type { Observer } from '../world';
import type { PublicApi } from './publicApi';
import { bind, bindIdentify, queuedCalls, type Tag } from './tag';

/** `page.post` tells other scripts of the page that the SDK has started. */
export interface TagObserverDeps {
  readonly setting: Settings;
  readonly report: Report;
  readonly page: Pick<Page, 'post'>;
}

/** The queue is replayed after this time at the latest, whatever is still loading. */
const longestWaitMs = 1000;

/**
 * Binds the public methods to the page's tag and replays the queue, once for the page (spec C§4): `identify` as soon as
 * there is a visitor, the others when the queries are initialised.
 *
 * The others are bound earlier when the page is hidden or unloads, and one second after the visit began: otherwise the
 * queue would be lost with a visitor who leaves early, or with an engine that never answers. With a stored refusal and
 * consent not required, all methods are bound as no-ops. `isRefused`: the page required consent and had none, so calls
 * of `track` in its queue are not replayed.
 */
export const tagObserver = (tag: Tag, api: PublicApi, isRefused: boolean, deps: TagObserverDeps): Observer => {
  const { setting, report, page } = deps;
  const bindMethods = once(() => {
    const calls = queuedCalls(tag, report).filter(({ functionName }) => !isRefused || functionName !== 'track');
    bind(tag, api, calls, report);
  });
  const begin = once(() => {
    // Queued calls of `identify` come before every other call (spec C§4).
    bindIdentify(tag, api, report);
    // Tells scripts and frames of this origin that the SDK has started. The message holds no identifier.
    page.post({ type: 'sdk-init' });
  });
  return {
    whileConsent: (given) => (given || setting('consentRequired') ? EMPTY : perform(bindMethods)),
    whileVisit: ({ stage$, pageExit$ }) =>
      merge(
        perform(begin),
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
