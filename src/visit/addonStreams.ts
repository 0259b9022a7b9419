import { map, mergeMap, type Observable, tap } from 'rxjs';

import type { AddonStreams } from '../addons/addon';
import { viewIds } from '../cohorts/viewIds';
import { shareState } from '../operators/shareState';
import { fromActivity } from '../streams/dom/fromActivity';
import { tagFinder } from '../streams/dom/fromTag';
import type { VisitParts } from './visitParts';
import type { DeferredParts, World } from './world';

/**
 * What addons may read: of the visitor, the page and the engine, and sources on the page. Streams from the deferred
 * chunk stay silent until it has loaded.
 */
export const addonStreams = (
  { visitor, page, engine }: VisitParts,
  world: World,
  stop$: Observable<unknown>,
): AddonStreams => {
  const { listen, calls } = world;
  /** A stream whose code is in the deferred chunk. */
  const deferred = <A>(use: (parts: DeferredParts) => Observable<A>): Observable<A> =>
    world.deferredParts$.pipe(mergeMap(use));
  const { event$, pageExit$, context } = page;
  const { cohorts$, transition$, transitionsSinceInit$ } = engine;
  return {
    ...world.experiment.told({ event$, cohorts$, transition$, transitionsSinceInit$ }, context),
    pageExit$,
    evaluatedTransition$: transition$,
    identities$: visitor.identities$,
    tcf$: visitor.tcf$,
    sharing$: visitor.sharing$,
    view$: viewIds(event$, () => page.moments.current().view.id),
    activity$: fromActivity(listen),
    listen: (type) => listen('document', type),
    fromTag: tagFinder(world),
    formSubmission$: deferred(({ fromForms }) => fromForms(listen)),
    linkClick$: deferred(({ fromLinks }) => fromLinks(listen, () => world.setting('redactedParameters'))),
    // Shared, so that several addons cause one request.
    contextual$: deferred(({ fromContextual }) =>
      fromContextual({ ...page, given$: calls.addon('contextual') }, world),
    ).pipe(
      tap(page.noteContextual),
      map((answer) => answer?.activations),
      shareState(stop$),
    ),
    message$: deferred(({ fromPageMessages }) => fromPageMessages(listen)),
    focusLoss$: deferred(({ fromFocusLoss }) => fromFocusLoss(listen, world.page)),
  };
};
