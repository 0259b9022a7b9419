import {
  catchError,
  combineLatest,
  concatMap,
  connect,
  defer,
  distinctUntilChanged,
  filter,
  map,
  merge,
  mergeMap,
  type MonoTypeOperatorFunction,
  type Observable,
  of,
  scan,
  startWith,
  switchMap,
  take,
  timer,
} from 'rxjs';

import { DecodeError } from '../codecs/codecs';
import { type Addresses, type ContentUrlDeps, contentUrls } from '../contracts/contentUrl';
import type { PageviewStreams } from '../contracts/visitStreams';
import { call, type CallDeps } from '../endpoints/call';
import { contextualSegment } from '../endpoints/contextualSegment';
import { type ContextualAnswer, contextualState } from '../endpoints/contextualState';
import type { Tools } from '../platform/platform';
import { boundedCodes, maxGiven } from './boundedCodes';
import { pagePropertiesOf } from './pagePropertiesOf';

/** What the server calls are made with, and where failures are reported. */
export type ContextualDeps = CallDeps & ContentUrlDeps & Pick<Tools, 'report'>;

/** What happens on the page. */
export interface ContextualStreams extends PageviewStreams, Addresses {
  /** Answers that the page itself hands over, undecoded. */
  readonly given$: Observable<unknown>;
}

/** The answer for a page of which nothing is known (spec S§8). */
const unknownPage: ContextualAnswer = { activations: {}, cohorts: [], requires_segmentation: false };

/** The view that is described, and where its description comes from. */
interface Described {
  /** Undefined before the first Pageview. */
  readonly viewId: string | undefined;
  readonly url: string;
  /** The answer that the page has handed over for this view. */
  readonly handed: ContextualAnswer | undefined;
  /** Counts the descriptions. The same number means that the one before still counts. */
  readonly count: number;
  /** The description before is of another address. */
  readonly isElsewhere: boolean;
}

/**
 * What the server says of the page (spec S§7), which is the same for every visitor. The server is asked for each view
 * and each address. Where it has to see the page, it is asked again with the properties of the view's Pageview, so
 * there may be two values for a view. An answer that the page itself hands over replaces the server's for the view of
 * that moment. A view of another address begins with undefined, so that nothing describes the page that was left. A
 * failed request is reported and counts as an unknown page; an answer of the page that does not decode is reported and
 * ignored. Cold: asks at each subscription.
 */
export const fromContextual = (
  streams: ContextualStreams,
  deps: ContextualDeps,
): Observable<ContextualAnswer | undefined> => {
  const { given$, viewed$ } = streams;
  const contentUrl = contentUrls(streams, deps);
  const viewedSteps$ = viewed$.pipe(
    map((viewed) => (last: Described) => viewedNow(last, viewed.view_id, contentUrl(viewed))),
  );
  const handedSteps$ = given$.pipe(
    mergeMap((given) => contextualAnswers(given, deps)),
    map((handed) => (last: Described) => ({ ...last, handed, count: last.count + 1, isElsewhere: false })),
  );
  return defer(() => {
    const first: Described = { viewId: undefined, url: contentUrl(), handed: undefined, count: 0, isElsewhere: false };
    return merge(viewedSteps$, handedSteps$).pipe(
      scan((last, step) => step(last), first),
      startWith(first),
      distinctUntilChanged((a, b) => a.count === b.count),
      // switchMap: another view and an answer of the page cancel the requests that are under way.
      switchMap((described) => {
        const answer$ =
          described.handed === undefined ? askContextualServer(described, streams, deps) : of(described.handed);
        return (described.isElsewhere ? answer$.pipe(startWith(undefined)) : answer$).pipe(map(bounded));
      }),
    );
  });
};

/** The answer with so many codes for each platform as a service may give: they stand in requests to ad servers. */
const bounded = (answer: ContextualAnswer | undefined): ContextualAnswer | undefined =>
  answer && {
    ...answer,
    activations: Object.fromEntries(
      Object.entries(answer.activations).map(([platform, codes]) => [
        platform,
        boundedCodes(codes, (code) => code).slice(0, maxGiven),
      ]),
    ),
  };

/** The description that counts from a Pageview on: the one before, where view and address are the same. */
const viewedNow = (last: Described, viewId: string, url: string): Described => {
  const isElsewhere = url !== last.url;
  // What was asked or handed over before the first Pageview is about the view that it opens.
  const isFirst = last.viewId === undefined;
  const goesOn = isElsewhere ? isFirst && last.handed !== undefined : isFirst || last.viewId === viewId;
  return goesOn ? { ...last, viewId, url } : { viewId, url, handed: undefined, count: last.count + 1, isElsewhere };
};

/** The answer that the page hands over, in a list; an empty list where it does not decode, which is reported. */
const contextualAnswers = (given: unknown, { report }: ContextualDeps): readonly ContextualAnswer[] => {
  const known = contextualState.answer(given);
  if (!(known instanceof DecodeError)) return [known];
  report('Addon contextual has invalid options', known);
  return [];
};

/** Asks the server about an address, and again with the properties of its Pageview where the server wants them. */
const askContextualServer = (
  { url, viewId }: Described,
  streams: ContextualStreams,
  deps: ContextualDeps,
): Observable<ContextualAnswer> => {
  const contentUrl = contentUrls(streams, deps);
  const orNothing: MonoTypeOperatorFunction<ContextualAnswer> = catchError((cause: unknown) => {
    deps.report('Failed to GET contextual data', cause);
    return of(unknownPage);
  });
  const ofThisView$ = streams.pageview$.pipe(
    filter((pageview) => contentUrl(pageview) === url && (viewId === undefined || pageview.view_id === viewId)),
    take(1),
  );
  // Before the first Pageview a task later, because that may come at once, and be of another address.
  return (viewId === undefined ? timer(0) : of(0)).pipe(
    switchMap(() => call(contextualState, { query: [['url', url]] }, deps)),
    orNothing,
    // connect: the one answer is emitted and also decides whether to ask again.
    connect((state$) =>
      merge(
        state$,
        // The Pageview may come before the answer or after it.
        combineLatest([state$, ofThisView$]).pipe(
          filter(([state]) => state.requires_segmentation === true),
          concatMap(([, pageview]) =>
            call(contextualSegment, { body: { url, page_properties: pagePropertiesOf(pageview) } }, deps).pipe(
              orNothing,
            ),
          ),
        ),
      ),
    ),
  );
};
