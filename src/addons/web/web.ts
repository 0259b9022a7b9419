import { connect, filter, map, merge, mergeMap, scan, switchMap } from 'rxjs';
import { engagedSeconds } from '../../operators/engagedSeconds';
import type { Addon } from '../addon';
import { type WebOptions, webOptions } from './options';
import { noPageView, type PageViewInput, pageViewStep } from './pageView';

/** Page views and engagement with them. The page starts it, for the options are the page's (spec S§4). */
export const web: Addon<WebOptions> = {
  name: 'web',
  autoInit: false,
  options: webOptions,
  run: ({ transition$, leave$, activity$ }, options$, { isVisible, scrollDepth }) =>
    options$.pipe(
      connect((started$) =>
        merge<PageViewInput[]>(
          started$.pipe(map((options) => ({ type: 'open', options }))),
          // switchMap: another page view starts counting anew.
          started$.pipe(
            switchMap(() => activity$.pipe(engagedSeconds(isVisible))),
            map((seconds) => ({ type: 'engaged', seconds, completion: scrollDepth() })),
          ),
          transition$.pipe(map((transition) => ({ type: 'transition', transition }))),
          leave$.pipe(
            filter(({ step, gone }) => step === 'last words' && gone),
            map(() => ({ type: 'leave', completion: scrollDepth() })),
          ),
        ),
      ),
      scan(pageViewStep, noPageView),
      mergeMap(({ drafts }) => drafts),
    ),
};
