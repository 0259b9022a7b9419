import {
  BehaviorSubject,
  connect,
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
  scan,
  skip,
  take,
} from 'rxjs';

import { urlOfEvent } from '../../model/clientContext';
import type { Data } from '../../model/engineCommands';
import type { Event, EventDraft } from '../../model/event';
import { type PageDataDeps, type PageDataRequests, pageDataRequests } from './pageDataRequests';
import { filled, flatPlace, noPageData, type PageData, placeholdersIn } from './placeholders';

export interface EnrichmentDeps extends PageDataDeps {
  /** The page is hidden or unloads, so that no event may wait any longer. */
  readonly pageExit$: Observable<unknown>;
  /** Whether the project wants the visitor's IP address in Pageviews that name it. */
  readonly sendsAddress: boolean;
}

/** Data of the visitor's place and of the page's content, for events, queries and addons (spec C§3, S§3). */
export interface Enrichment {
  /**
   * Replaces the placeholders of an event by data. An event with placeholders waits for the data that it needs, no
   * longer than a request may take; the others pass at once and may overtake it. At `pageExit$` a waiting event passes
   * with the data that is there.
   */
  readonly enrich: <A extends { readonly draft: EventDraft; readonly event: Event }>() => MonoTypeOperatorFunction<A>;
  /** Completes as soon as no event waits for data, at once where none does. Never emits. */
  readonly idle$: Observable<never>;
  /**
   * The data that a query looks up, in one value: `geo`, or else the `classification` of the page at `url`. Empty where
   * there is none.
   */
  readonly lookup: (name: string, url: string) => Observable<Data>;
  readonly openView: PageDataRequests['openView'];
  readonly known: PageDataRequests['known'];
}

/**
 * Makes the enrichment of one visit. Each event is searched for placeholders, which say which data it needs. Requests
 * are shared, so that many waiting events cost one request. Waiting events are counted, because the barrier must follow
 * them (docs/decisions/010-page-data.md).
 */
export const enrichment = (deps: EnrichmentDeps): Enrichment => {
  const requests = pageDataRequests(deps);
  const waitingCount$ = new BehaviorSubject(0);
  let waitingCount = 0;
  const count = (change: number): void => waitingCount$.next((waitingCount += change));
  // Only the publisher writes the properties of a draft that opens a view. Those of others may hold what visitors type.
  const sendsAddress = ({ view }: EventDraft): boolean => deps.sendsAddress && view !== undefined;

  /** The event with its placeholders replaced, once their data is known or the page exits. */
  const enriched = <A extends { readonly draft: EventDraft; readonly event: Event }>(
    tracked: A,
    wanted: readonly string[],
  ): Observable<A> =>
    defer(() => {
      count(1);
      return race(
        dataFor(wanted, tracked.event, sendsAddress(tracked.draft), requests),
        // Whatever has not been answered when the page goes counts as empty.
        deps.pageExit$.pipe(map(() => ({ ...noPageData, ...requests.known(urlOfEvent(tracked.event)) }))),
      );
    }).pipe(
      take(1),
      map((data) => ({
        ...tracked,
        draft: { ...tracked.draft, ...(isUnanswered(wanted, data) && { requiresEnrichment: true }) },
        event: {
          ...tracked.event,
          properties: filled(tracked.event.properties, sendsAddress(tracked.draft) ? data : withoutAddress(data)),
        },
      })),
      finalize(() => count(-1)),
    );

  return {
    enrich: <A extends { readonly draft: EventDraft; readonly event: Event }>() =>
      pipe(
        map((tracked: A) => ({ tracked, wanted: placeholdersIn(tracked.event.properties) })),
        // Apart, because hardly an event has a placeholder, and an inner stream for each would cost more than the rest.
        connect((searched$) =>
          merge(
            searched$.pipe(
              filter(({ wanted }) => wanted.length === 0),
              map(({ tracked }) => tracked),
            ),
            searched$.pipe(
              filter(({ wanted }) => wanted.length > 0),
              // mergeMap: events wait independently of each other.
              mergeMap(({ tracked, wanted }) => enriched(tracked, wanted)),
            ),
          ),
        ),
      ),
    idle$: waitingCount$.pipe(
      filter((events) => events === 0),
      take(1),
      ignoreElements(),
    ),
    lookup: (name, url) =>
      name === 'geo'
        ? requests.place().pipe(map((geo) => ({ geo: flatPlace(geo) })))
        : requests.classification(url).pipe(map((classification) => ({ classification }))),
    openView: requests.openView,
    known: requests.known,
  };
};

/** What is known but the address, which may be known because another event was allowed it. */
const withoutAddress = ({ geoip, watson }: PageData): PageData => ({ geoip: { ...geoip, ip_address: null }, watson });

/** Which data these placeholders stand for. */
const wantsOf = (wanted: readonly string[]) => ({
  wantsPlace: wanted.some((name) => name.startsWith('$ip')),
  wantsContent: wanted.some((name) => !name.startsWith('$ip')),
});

/** Whether data that these placeholders stand for has not been answered, so that the server has to fill them. */
const isUnanswered = (wanted: readonly string[], { geoip, watson }: PageData): boolean => {
  const { wantsPlace, wantsContent } = wantsOf(wanted);
  return (wantsPlace && geoip === noPageData.geoip) || (wantsContent && watson === noPageData.watson);
};

/** The data that these placeholders stand for, in one value. Only what they need is asked for; the rest stays empty. */
const dataFor = (
  wanted: readonly string[],
  event: Event,
  sendsAddress: boolean,
  { place, classification }: PageDataRequests,
): Observable<PageData> => {
  const { wantsPlace, wantsContent } = wantsOf(wanted);
  const geoip$ = wantsPlace ? place(sendsAddress && wanted.includes('$ip_address')) : of(noPageData.geoip);
  const watson$ = wantsContent ? classification(urlOfEvent(event)) : of(noPageData.watson);
  return merge(geoip$.pipe(map((geoip) => ({ geoip }))), watson$.pipe(map((watson) => ({ watson })))).pipe(
    scan((data, part) => ({ ...data, ...part }), noPageData),
    // The value in which both have answered.
    skip(1),
  );
};
