import { map, mergeMap, type Observable, tap } from 'rxjs';

import type { AddonStreams } from '../addons/addon';
import { viewIds } from '../cohorts/viewIds';
import type { Event } from '../model/event';
import { shareState } from '../operators/shareState';
import { fromActivity } from '../streams/dom/fromActivity';
import { tagFinder } from '../streams/dom/fromTag';
import type { SessionAndView } from '../streams/visitor/sessionAndView';
import type { World } from '../world';
import type { DeferredParts } from '../world';
import type { VisitData } from './visitData';

/** Streams of the visit that addons read. */
export interface VisitForAddons extends Pick<
  AddonStreams,
  'event$' | 'transition$' | 'transitionsSinceInit$' | 'cohorts$' | 'pageExit$' | 'identities$' | 'tcf$' | 'sharing$'
> {
  /** Session and view of this moment. */
  readonly moments: SessionAndView;
  /** State: the latest Pageview as it was made, and with all its data. */
  readonly viewed$: Observable<Event>;
  readonly pageview$: Observable<Event>;
  /** Keeps what is known of the page for `permutive.context`. */
  readonly noteContextual: VisitData['noteContextual'];
}

/**
 * Adds to the visit's streams the sources on the page that addons may read. Streams from the deferred chunk stay silent
 * until it has loaded.
 */
export const addonStreams = (visit: VisitForAddons, world: World, stop$: Observable<unknown>): AddonStreams => {
  const { listen, page, calls } = world;
  const { event$, transition$, transitionsSinceInit$, cohorts$, pageExit$, identities$, tcf$, sharing$ } = visit;
  const { moments } = visit;
  /** A stream whose code is in the deferred chunk. */
  const deferred = <A>(use: (parts: DeferredParts) => Observable<A>): Observable<A> =>
    world.deferredParts$.pipe(mergeMap(use));
  return {
    event$,
    transition$,
    transitionsSinceInit$,
    cohorts$,
    pageExit$,
    identities$,
    tcf$,
    sharing$,
    view$: viewIds(event$, () => moments.current().view.id),
    activity$: fromActivity(listen),
    listen: (type) => listen('document', type),
    fromTag: tagFinder(page),
    formSubmission$: deferred(({ fromForms }) => fromForms(listen)),
    linkClick$: deferred(({ fromLinks }) => fromLinks(listen, () => world.setting('redactedParameters'))),
    // Shared, so that several addons cause one request.
    contextual$: deferred(({ fromContextual }) =>
      fromContextual({ ...visit, given$: calls.addon('contextual') }, world),
    ).pipe(
      tap(visit.noteContextual),
      map((answer) => answer?.activations ?? {}),
      shareState(stop$),
    ),
    message$: deferred(({ fromPageMessages }) => fromPageMessages(listen)),
    focusLoss$: deferred(({ fromFocusLoss }) => fromFocusLoss(listen, page)),
  };
};
