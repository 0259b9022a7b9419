import { defer, distinctUntilChanged, map, type Observable, startWith } from 'rxjs';
import type { AddonStreams } from './addons/addon';
import type { Later } from './late';
import type { Event } from './model/event';
import { remember } from './operators/remember';
import type { World } from './runtime';
import { fromActivity } from './streams/fromActivity';
import { fromGoogletag } from './streams/fromGoogletag';
import type { Visitor } from './visitor';

/** What a visit has made itself, for its addons. */
export interface VisitStreams extends Pick<AddonStreams, 'event$' | 'transition$' | 'transitionsSinceInit$' | 'cohorts$' | 'leave$'>, Pick<Visitor, 'identities$' | 'tcf$'> {
  /** State: the latest page view. */
  readonly pageview$: Observable<Event>;
  readonly viewId: () => string;
}

/** The same, and what addons hear of the page. */
export const addonStreams = ({ pageview$, viewId, ...visit }: VisitStreams, world: World, later: Later, stop$: Observable<unknown>): AddonStreams => {
  const { platform: { listen, page }, calls } = world;
  return {
    ...visit,
    view$: defer(() => visit.event$.pipe(map(({ view_id }) => view_id), startWith(viewId()), distinctUntilChanged())),
    activity$: fromActivity(listen),
    listen: (type) => listen('document', type),
    formSubmission$: later(({ fromForms }) => fromForms(listen)),
    linkClick$: later(({ fromLinks }) => fromLinks(listen)),
    googletag$: fromGoogletag(page),
    apntag$: later(({ fromApntag }) => fromApntag(page)),
    prebid$: later(({ fromPrebid }) => fromPrebid(page)),
    contextual$: later(({ fromContextual }) => fromContextual(calls.addon('contextual'), pageview$, { ...world, ...world.platform })).pipe(remember(stop$)),
    message$: later(({ fromPageMessages }) => fromPageMessages(listen)),
    focusLoss$: later(({ fromFocusLoss }) => fromFocusLoss(listen, page)),
  };
};
