import {
  filter,
  map,
  type MonoTypeOperatorFunction,
  type Observable,
  observeOn,
  pipe,
  queueScheduler,
  share,
  Subject,
  tap,
} from 'rxjs';

import type { TrackCall } from '../api/publicCalls';
import type { ContextualAnswer } from '../endpoints/contextualState';
import { ownFields } from '../hardening/ownFields';
import { isTransition } from '../model/cohort';
import type { AnyDraft, Counting, Event } from '../model/event';
import { shareState } from '../operators/shareState';
import { visitData } from './visitData';
import type { VisitPage } from './visitParts';
import type { VisitInput } from './visits';
import type { World } from './world';

/** Events of the visit that are kept for services, at most. The oldest events are left out. */
const maxLatest = 200;

/**
 * Where the drafts of a visit come from, and where events go that begin to wait, and what the contextual service says.
 */
export interface VisitSubjects {
  readonly call$: Observable<TrackCall>;
  readonly waiting$: Subject<Counting>;
  /** State without a value at first: what the contextual service says of the page; undefined: nothing yet. */
  readonly contextual$: Subject<ContextualAnswer | undefined>;
}

/** Makes events of the drafts of a visit, here and nowhere else, in their order. */
export const visitPage = (
  { call$, waiting$, contextual$ }: VisitSubjects,
  input: Pick<VisitInput, 'isFirst' | 'lastView' | 'pageExit$' | 'pageShown$' | 'nextNumber'>,
  userId: () => string,
  world: World,
  stop$: Observable<unknown>,
): VisitPage => {
  const data = visitData(contextual$, input, userId, world, stop$);
  const made$ = call$.pipe(
    observeOn(queueScheduler), // every reader sees a cause before its effects
    map(({ draft: given, accepted }) => {
      const draft: AnyDraft = ownFields(given);
      return { draft, event: data.make(draft), accepted };
    }),
    filter(({ draft }) => draft.isUnwanted !== true),
    share(),
  );
  const tracked$ = made$.pipe(
    data.enrich((waiting) => waiting$.next({ ...waiting, number: -input.nextNumber() })),
    // The engine counts transitions itself when it makes them. What a page tracks under their names tells of none.
    map((tracked) => {
      const isForeign = isTransition(tracked.event.name) && ownFields(tracked.draft).tellsTransition !== true;
      return { ...tracked, number: isForeign ? 0 : input.nextNumber() };
    }),
    tap(({ event, accepted }) => accepted(event)),
    share(),
  );
  const event$ = tracked$.pipe(map(({ event }) => event));
  return {
    moments: data.moments,
    context: data.context,
    addressOf: data.addressOf,
    filling$: data.filling$,
    idle$: data.idle$,
    contextual$,
    noteContextual: data.noteContextual,
    tracked$,
    waiting$,
    event$,
    // What follows a view does not wait for the data that its Pageview may wait for.
    viewed$: made$.pipe(
      map(({ event }) => event),
      latestPageview(stop$),
    ),
    pageview$: event$.pipe(latestPageview(stop$)),
    latest$: tracked$.pipe(shareState(stop$, maxLatest)),
    pageExit$: input.pageExit$,
  };
};

const latestPageview = (stop$: Observable<unknown>): MonoTypeOperatorFunction<Event> =>
  pipe(
    filter(({ name }) => name === 'Pageview'),
    shareState(stop$),
  );
