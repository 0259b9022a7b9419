import {
  connect,
  EMPTY,
  filter,
  map,
  merge,
  mergeMap,
  Observable,
  scan,
  startWith,
  switchMap,
  take,
  withLatestFrom,
} from 'rxjs';

import type { EventDraft } from '../../model/event';
import { firstWithin } from '../../operators/firstWithin';
import { isolate } from '../../operators/isolate';
import type { Addon, AddonDeps, AddonStreams } from '../addon';
import { type Call, viewCalls } from './calls';
import { engagedSeconds } from './engagedSeconds';
import { completionOf, isWanted, type WebOptions, webOptions } from './options';
import { noPageView, type PageViewInput, pageViewStep } from './pageView';

/** How long a reset waits for the page to start the addon (spec S§4). */
const readyTimeoutMs = 10_000;

/**
 * Tracks page views, engagement with them, forms and links (spec S§3, S§4). The addon does not start by itself, because
 * its options describe the page.
 */
export const web: Addon<WebOptions> = {
  name: 'web',
  autoInit: false,
  options: webOptions,
  run: (streams, options$, deps) =>
    viewCalls(options$, resets(options$, deps), deps).pipe(
      // connect: one subscription to the calls feeds all readers below. `withLatestFrom` subscribes to them first, so
      // the options of a call are known before its Pageview is filtered.
      connect((call$) =>
        merge(
          pageViews(call$, streams, deps),
          call$.pipe(switchMap(({ options }) => formsAndLinks(options, streams))),
        ).pipe(
          withLatestFrom(call$),
          map(([draft, { options }]) =>
            isWanted(options, draft, (cause) => deps.report('Invalid filterPermutiveEvent', cause))
              ? draft
              : draft.view && { ...draft, isUnwanted: true },
          ),
          // A Pageview that the page does not want opens its view all the same.
          filter((draft) => draft !== undefined),
        ),
      ),
    ),
};

/**
 * Serves `permutive.addons.web.reset()`, which opens another page view with the options of the last start. A reset that
 * comes before the page has started the addon waits for that start. If it has not come after 10 s, that is reported and
 * the reset is dropped.
 */
const resets = (options$: Observable<WebOptions>, { expose, report }: AddonDeps): Observable<WebOptions> =>
  new Observable<void>((subscriber) => {
    expose({ reset: () => subscriber.next() });
  }).pipe(
    switchMap(() =>
      options$.pipe(take(1), firstWithin(readyTimeoutMs), isolate('Error after waiting for event web:ready', report)),
    ),
  );

/**
 * Page views and the engagement with them. All inputs go through one `scan`, so that each step sees the state that the
 * step before it has left.
 */
const pageViews = (
  call$: Observable<Call>,
  { evaluatedTransition$, pageExit$, activity$, listen }: AddonStreams,
  { isVisible, scrollDepth }: AddonDeps,
): Observable<EventDraft> =>
  merge<PageViewInput[]>(
    call$.pipe(map(({ begins, options }) => ({ type: begins ? 'open' : 'goOn', options }))),
    call$.pipe(
      filter(({ begins }) => begins),
      // switchMap: another page view starts counting anew.
      switchMap((first) =>
        merge(
          call$.pipe(
            startWith(first),
            switchMap(({ options: { dirty_events } }) =>
              dirty_events ? merge(...dirty_events.map(listen)) : activity$,
            ),
            engagedSeconds(isVisible),
            map((seconds) => ({ type: 'engaged', seconds }) as const),
          ),
          pageExit$.pipe(
            filter(({ step }) => step === 'beforeFlush'),
            map(({ isUnloading }) => ({ type: isUnloading ? 'leave' : 'hide' }) as const),
          ),
        ),
      ),
      withLatestFrom(call$),
      map(([input, { options }]) => ({ ...input, completion: completionOf(options, scrollDepth) })),
    ),
    evaluatedTransition$.pipe(map((transition) => ({ type: 'transition', transition }))),
  ).pipe(
    scan(pageViewStep, noPageView),
    mergeMap(({ drafts }) => drafts),
  );

/**
 * FormSubmission and LinkClick events, as far as the options want them. A link that leaves the page is sent as a
 * beacon, because an ordinary request would end with the page.
 */
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
