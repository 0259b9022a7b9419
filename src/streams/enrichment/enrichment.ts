import {
  BehaviorSubject,
  connect,
  defaultIfEmpty,
  defer,
  filter,
  finalize,
  ignoreElements,
  map,
  merge,
  mergeMap,
  type MonoTypeOperatorFunction,
  type Observable,
  of,
  pipe,
  race,
  startWith,
  take,
  timer,
  withLatestFrom,
} from 'rxjs';

import { clientOf } from '../../model/clientContext';
import type { Event, Properties, Tracked } from '../../model/event';
import { late } from '../../operators/creators/late';
import { keptFields, readKept } from './kept';
import { placeholdersIn, replaced } from './placeholders';
import type { Filling, RequestsDeps } from './requests';

/** How long a Pageview waits for fields that only queries read, in ms. */
const fieldsWaitMs = 1000;

export interface EnrichmentDeps extends Omit<RequestsDeps, 'isClassified'> {
  /** The fields of a Pageview that queries read, as placeholders (`model/project.ts`). */
  readonly pageviewFields: Properties;
  /** The page is hidden or unloads, so that no event may wait any longer. */
  readonly pageExit$: Observable<unknown>;
  /** The page, which was hidden, is shown again, so that events may wait. */
  readonly pageShown$: Observable<unknown>;
  /** Whether the project wants the visitor's IP address in Pageviews that name it. */
  readonly sendsAddress: boolean;
  /** Loads the code that asks for data. Cold; completes without a value where it could not be loaded. */
  readonly loadFilling$: Observable<(deps: RequestsDeps) => Filling>;
}

/** Data of the visitor's place and of the page's content, for events, queries and addons (spec C§3, S§3). */
export interface Enrichment {
  /**
   * Replaces the placeholders of an event by data. An event with placeholders waits for the data that it needs, no
   * longer than a request may take; the others pass at once and may overtake it. A Pageview gets the fields that
   * queries read in the same way, and waits 1000 ms for them at most. From `pageExit$` until the page is shown again,
   * events pass with the data that is there. `onWait` gets each event that begins to wait, in the form in which the
   * server can fill it, for a page that is killed meanwhile.
   */
  readonly enrich: <A extends Tracked>(onWait?: (waiting: A) => void) => MonoTypeOperatorFunction<A>;
  /** Completes as soon as no event waits for data, at once where none does. Never emits. */
  readonly idle$: Observable<never>;
  /**
   * What asks for data, once its code has loaded. Completes without a value where it could not be loaded. Cold.
   */
  readonly filling$: Observable<Filling>;
  /**
   * Another view has begun with this event, for which content is asked for anew. `isWanted`: whether the page wants it
   * classified; `undefined`: as the config says. Returns the event with the fields that are kept in the session; what
   * the page says itself wins.
   */
  readonly openView: (event: Event, isWanted: boolean | undefined) => Event;
  /** What has been answered so far of the visitor and of the page of the present view. */
  readonly known: Filling['known'];
}

/**
 * Makes the enrichment of one visit. Each event is searched for placeholders; one that has some waits for data, which
 * `Filling` of the deferred chunk asks for. Waiting events are counted, because the barrier must follow them
 * (docs/decisions/010-page-data.md).
 */
export const enrichment = (deps: EnrichmentDeps): Enrichment => {
  // What the page says of the present view; undefined: as the config says.
  let isViewWanted: boolean | undefined;
  const viewDeps = { ...deps, isClassified: () => isViewWanted ?? deps.setting('watson').enabled };
  const filling = late(deps.loadFilling$.pipe(map((make) => () => make(viewDeps))));
  const waitingCount$ = new BehaviorSubject(0);
  let waitingCount = 0;
  const count = (change: number): void => waitingCount$.next((waitingCount += change));

  /** The event with its placeholders replaced, once their data is known, or in time, or as the page exits. */
  const enriched = <A extends Tracked>(
    { tracked, waitMs }: Searched<A>,
    isExiting: boolean,
    onWait: (waiting: A) => void,
  ): Observable<A> =>
    defer(() => {
      count(1);
      onWait(forServer(tracked));
      return race(
        filling.value$.pipe(
          mergeMap((made) => made.fill(tracked)),
          defaultIfEmpty(emptied(tracked)),
        ),
        // What has not been answered when the page goes, or in time, counts as empty. The code may be slow too.
        merge(deps.pageExit$, isExiting ? of(null) : timer(waitMs)).pipe(
          map(() => filling.current()?.fillNow(tracked) ?? emptied(tracked)),
        ),
      ).pipe(take(1));
    }).pipe(finalize(() => count(-1)));

  return {
    enrich: <A extends Tracked>(onWait: (waiting: A) => void = () => undefined) =>
      pipe(
        map((tracked: A) => searched(tracked, viewDeps)),
        // Apart, because hardly an event has a placeholder, and an inner stream for each would cost more than the rest.
        connect((searched$) =>
          merge(
            searched$.pipe(
              filter(({ waitMs }) => waitMs === 0),
              map(({ tracked }) => tracked),
            ),
            searched$.pipe(
              filter(({ waitMs }) => waitMs > 0),
              withLatestFrom(exiting(deps)),
              // mergeMap: events wait independently of each other.
              mergeMap(([found, isExiting]) => enriched(found, isExiting, onWait)),
            ),
          ),
        ),
      ),
    idle$: waitingCount$.pipe(
      filter((events) => events === 0),
      take(1),
      ignoreElements(),
    ),
    filling$: filling.value$,
    openView: (event, isWanted) => {
      isViewWanted = isWanted;
      filling.current()?.openView(event);
      const kept = keptFields(readKept(event.session_id, deps), clientOf(event).url);
      return { ...event, properties: { ...kept, ...event.properties } };
    },
    known: () => filling.current()?.known() ?? {},
  };
};

/** State: whether the page exits, which it does until it is shown again. */
const exiting = ({ pageExit$, pageShown$ }: EnrichmentDeps): Observable<boolean> =>
  merge(pageExit$.pipe(map(() => true)), pageShown$.pipe(map(() => false))).pipe(startWith(false));

/** An event, and how long it may wait for data, in ms; 0: it needs none. */
interface Searched<A extends Tracked> {
  readonly tracked: A;
  readonly waitMs: number;
}

/**
 * Looks for an event's placeholders. One for the visitor's IP address is emptied at once where the event may not have
 * it, so that no server fills it in. Only the publisher writes the properties of a draft that opens a view; those of
 * others may hold what visitors type. A Pageview also waits for the fields that queries read, but not for long, because
 * the page does not know of that.
 */
const searched = <A extends Tracked>(given: A, deps: EnrichmentDeps & RequestsDeps): Searched<A> => {
  const wanted = placeholdersIn(given.event.properties);
  const mayHaveAddress = deps.sendsAddress && given.draft.view !== undefined;
  const isRefused = (name: string): boolean => name === '$ip_address' && !mayHaveAddress;
  const own = wanted.some(isRefused) ? withReplaced(given, (name) => (isRefused(name) ? null : name)) : given;
  const fields = missingFields(given, deps);
  const tracked =
    Object.keys(fields).length > 0
      ? { ...own, event: { ...own.event, properties: { ...fields, ...own.event.properties } } }
      : own;
  if (!wanted.every(isRefused)) return { tracked, waitMs: deps.setting('requestTimeout') };
  return { tracked, waitMs: tracked === own ? 0 : fieldsWaitMs };
};

/**
 * The fields of a Pageview that queries read and that are not known yet, as placeholders. A view that is not classified
 * gets none of its content.
 */
const missingFields = (
  { draft, event }: Tracked,
  { pageviewFields, isClassified }: EnrichmentDeps & RequestsDeps,
): Properties =>
  draft.view === undefined
    ? {}
    : Object.fromEntries(
        Object.entries(pageviewFields).filter(
          ([name]) => !Object.hasOwn(event.properties, name) && (name !== 'classifications' || isClassified()),
        ),
      );

/** The event with its placeholders replaced. The client context has none: it says what the page says of itself. */
const withReplaced = <A extends Tracked>(tracked: A, replace: (name: string) => unknown): A => {
  const { client, ...others } = tracked.event.properties;
  return { ...tracked, event: { ...tracked.event, properties: { ...replaced(others, replace), client } } };
};

/** The event for the server to fill. */
const forServer = <A extends Tracked>(tracked: A): A => ({
  ...tracked,
  draft: { ...tracked.draft, requiresEnrichment: true, unfilled: tracked.event.properties },
});

/** The event where the code for its data has not come. */
const emptied = <A extends Tracked>(tracked: A): A => withReplaced(forServer(tracked), () => null);
