import { delay, mergeMap, type Observable } from 'rxjs';

import type { ServiceStreams } from '../cohorts/service';
import type { VisitParts } from './visitParts';

/** What cohort services read of a visit. */
export const serviceStreams = ({ visitor, page, engine }: VisitParts, stop$: Observable<unknown>): ServiceStreams => ({
  event$: page.event$,
  viewed$: page.viewed$,
  pageview$: page.pageview$,
  latest$: page.latest$,
  pageExit$: page.pageExit$,
  contextual$: page.contextual$,
  lookup: (name, url) => page.filling$.pipe(mergeMap(({ lookup }) => lookup(name, url))),
  fill: (tracked) => page.filling$.pipe(mergeMap(({ fill }) => fill(tracked))),
  context: page.context,
  addressOf: page.addressOf,
  initialised$: engine.initialised$,
  transitionsSinceInit$: engine.transitionsSinceInit$,
  cohorts$: engine.cohorts$,
  usage$: engine.usage$,
  models$: engine.models$,
  ends$: engine.ends$,
  identities$: visitor.identities$,
  tcf$: visitor.tcf$,
  sharing$: visitor.sharing$,
  isNew: visitor.isNew,
  // delay: another user's engine begins in the task in which the user is adopted.
  adopted$: visitor.adopted$.pipe(delay(0)),
  isAdopted: visitor.isAdopted,
  stop$,
});
