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
import { ContextualAnswer, contextualState } from '../endpoints/contextualState';
import { withoutTrailingSlashes } from '../model/clientContext';
import { decodeOr } from '../model/decode';
import type { Event } from '../model/event';
import type { Report } from '../model/report';
import type { Page } from '../platform/platform';

export type ContextualDeps = CallDeps & { readonly page: Pick<Page, 'url'>; readonly report: Report };

/** A page of which nothing is known (spec S§8). */
const unknownPage: ContextualAnswer = { activations: {}, cohorts: [], requires_segmentation: false };

/**
 * What the page is about, as codes by platform: what the server knows of its address, then what it finds in the
 * properties of the page view where it has to look (spec S§7), and whatever answer the page itself hands over. Asks
 * when subscribed.
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
  const url = (): string => withoutTrailingSlashes(deps.page.url());
  const orNothing: MonoTypeOperatorFunction<ContextualAnswer> = catchError((cause: unknown) => {
    deps.report('Failed to GET contextual data', cause);
    return of(unknownPage);
  });
  const handed$ = given$.pipe(
    mergeMap((answer) => {
      const known = decodeOr(ContextualAnswer, answer, undefined, (cause) =>
        deps.report('Addon contextual has invalid options', cause),
      );
      return known === undefined ? [] : [known];
    }),
  );
  const asked$ = defer(() => call(contextualState, { query: [['url', url()]] }, deps)).pipe(
    orNothing,
    connect((state$) =>
      merge(
        state$,
        // The page view may come before the answer or after it.
        combineLatest([state$, pageview$.pipe(take(1))]).pipe(
          filter(([state]) => state.requires_segmentation === true),
          concatMap(([, pageview]) => call(contextualSegment, { body: body(pageview) }, deps).pipe(orNothing)),
        ),
      ),
    ),
  );
  return handed$.pipe(
    startWith(undefined),
    // switchMap: an answer of the page's own makes ours superfluous.
    switchMap((handed) => (handed === undefined ? asked$ : of(handed))),
    map(({ activations }) => activations),
  );
};
