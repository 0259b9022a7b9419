import {
  connect,
  EMPTY,
  filter,
  map,
  merge,
  mergeMap,
  Observable,
  scan,
  switchMap,
  take,
  timeout,
  withLatestFrom,
} from 'rxjs';

import type { EventDraft } from '../../model/event';
import { isolate } from '../../operators/isolate';
import type { Addon, AddonDeps, AddonStreams } from '../addon';
import { engagedSeconds } from './engagedSeconds';
import { completionOf, isWanted, type WebOptions, webOptions } from './options';
import { noPageView, type PageViewInput, pageViewStep } from './pageView';

/** How long a reset waits for the page to start the addon (spec S§4). */
const readyTimeoutMs = 10_000;

/**
 * Page views and engagement with them, forms and links. The page starts it, for the options are the page's (spec S§4).
 */
export const web: Addon<WebOptions> = {
  name: 'web',
  autoInit: false,
  options: webOptions,
  run: (streams, options$, deps) =>
    merge(options$, resets(options$, deps)).pipe(
      connect((started$) =>
        merge(
          pageViews(started$, streams, deps),
          started$.pipe(switchMap((options) => formsAndLinks(options, streams))),
        ).pipe(
          withLatestFrom(started$),
          filter(([draft, options]) =>
            isWanted(options, draft, (cause) => deps.report('Invalid filterPermutiveEvent', cause)),
          ),
          map(([draft]) => draft),
        ),
      ),
    ),
};

/**
 * `permutive.addons.web.reset()`: the page view anew, with the options it had; before there are any, once there are.
 */
const resets = (options$: Observable<WebOptions>, { expose, report }: AddonDeps): Observable<WebOptions> =>
  new Observable<void>((subscriber) => {
    expose({ reset: () => subscriber.next() });
  }).pipe(
    switchMap(() =>
      options$.pipe(
        take(1),
        timeout({ first: readyTimeoutMs }),
        isolate('Error after waiting for event web:ready', report),
      ),
    ),
  );

const pageViews = (
  started$: Observable<WebOptions>,
  { transition$, pageExit$, activity$, listen }: AddonStreams,
  { isVisible, scrollDepth }: AddonDeps,
): Observable<EventDraft> =>
  merge<PageViewInput[]>(
    started$.pipe(map((options) => ({ type: 'open', options }))),
    // switchMap: another page view starts counting anew.
    started$.pipe(
      switchMap((options) =>
        merge<PageViewInput[]>(
          (options.dirty_events ? merge(...options.dirty_events.map(listen)) : activity$).pipe(
            engagedSeconds(isVisible),
            map((seconds) => ({ type: 'engaged', seconds, completion: completionOf(options, scrollDepth) })),
          ),
          pageExit$.pipe(
            filter(({ step, isUnloading }) => step === 'beforeFlush' && isUnloading),
            map(() => ({ type: 'leave', completion: completionOf(options, scrollDepth) })),
          ),
        ),
      ),
    ),
    transition$.pipe(map((transition) => ({ type: 'transition', transition }))),
  ).pipe(
    scan(pageViewStep, noPageView),
    mergeMap(({ drafts }) => drafts),
  );

const formsAndLinks = (
  { page, track_form_submission, track_link_click }: WebOptions,
  { formSubmission$, linkClick$ }: AddonStreams,
): Observable<EventDraft> =>
  merge(
    track_form_submission
      ? formSubmission$.pipe(map((form) => ({ name: 'FormSubmission', properties: { ...page, form }, beacon: true })))
      : EMPTY,
    track_link_click
      ? linkClick$.pipe(
          map(({ dest_url, leaves }) => ({ name: 'LinkClick', properties: { ...page, dest_url }, beacon: leaves })),
        )
      : EMPTY,
  );
