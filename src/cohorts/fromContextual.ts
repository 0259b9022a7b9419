import {
  catchError,
  combineLatest,
  concatMap,
  connect,
  defer,
  filter,
  map,
  merge,
  mergeMap,
  type MonoTypeOperatorFunction,
  type Observable,
  of,
  startWith,
  switchMap,
  take,
} from 'rxjs';

import { call, type CallDeps } from '../endpoints/call';
import { contextualSegment } from '../endpoints/contextualSegment';
import { type ContextualAnswer, contextualState } from '../endpoints/contextualState';
import { withoutTrailingSlashes } from '../model/clientContext';
import { DecodeError } from '../model/codecs';
import type { Event } from '../model/event';
import { redactedUrl } from '../model/redactedUrl';
import type { Report } from '../model/report';
import type { Page } from '../platform/platform';

/** What the server calls are made with, the page's address, and where failures are reported. */
export type ContextualDeps = CallDeps & { readonly page: Pick<Page, 'url'>; readonly report: Report };

/** The answer for a page of which nothing is known (spec S§8). */
const unknownPage: ContextualAnswer = { activations: {}, cohorts: [], requires_segmentation: false };

/**
 * Codes that describe the page, by platform (spec S§7). The server is asked what it knows of the page's address. Where
 * it has to see the page, it is asked again with the properties of the first Pageview, so there may be two values. An
 * answer that the page itself hands over (`given$`) replaces the server's. A failed request is reported and counts as
 * an unknown page; an answer of the page that does not decode is reported and ignored. Cold: asks at each subscription.
 */
export const fromContextual = (
  given$: Observable<unknown>,
  pageview$: Observable<Event>,
  deps: ContextualDeps,
): Observable<ContextualAnswer['activations']> => {
  const body = ({ properties }: Event): { readonly url: string; readonly page_properties: Event['properties'] } => ({
    url: url(),
    page_properties: properties,
  });
  const url = (): string => withoutTrailingSlashes(redactedUrl(deps.page.url(), deps.setting('redactedParameters')));
  const orNothing: MonoTypeOperatorFunction<ContextualAnswer> = catchError((cause: unknown) => {
    deps.report('Failed to GET contextual data', cause);
    return of(unknownPage);
  });
  const handed$ = given$.pipe(
    mergeMap((answer) => {
      const known = contextualState.answer(answer);
      if (!(known instanceof DecodeError)) return [known];
      deps.report('Addon contextual has invalid options', known);
      return [];
    }),
  );
  const asked$ = defer(() => call(contextualState, { query: [['url', url()]] }, deps)).pipe(
    orNothing,
    // connect: the one answer is emitted and also decides whether to ask again.
    connect((state$) =>
      merge(
        state$,
        // The Pageview may come before the answer or after it.
        combineLatest([state$, pageview$.pipe(take(1))]).pipe(
          filter(([state]) => state.requires_segmentation === true),
          concatMap(([, pageview]) => call(contextualSegment, { body: body(pageview) }, deps).pipe(orNothing)),
        ),
      ),
    ),
  );
  return handed$.pipe(
    startWith(undefined),
    // switchMap: an answer of the page cancels the requests that are under way.
    switchMap((handed) => (handed === undefined ? asked$ : of(handed))),
    map(({ activations }) => activations),
  );
};
