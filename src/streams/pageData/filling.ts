import { map, merge, type Observable, of, scan, skip } from 'rxjs';

import { urlOfEvent } from '../../model/clientContext';
import type { Data, PageDataName } from '../../model/engineCommands';
import type { ClientContext, Event, Properties, Tracked } from '../../model/event';
import type { PageContext } from '../../model/pageContext';
import type { Report } from '../../model/report';
import { boundedProperties } from '../boundedProperties';
import { type AskDeps, pageData } from './pageData';
import { type PageDataRequests, pageDataRequests } from './pageDataRequests';
import { contextOf, filled, flatPlace, noPageData, type PageData } from './pageFields';
import { placeholdersIn } from './placeholders';

/** What fills events is made with. */
export interface FillingDeps extends AskDeps {
  /** Emits when the visit ends; requests that are under way are then aborted. */
  readonly stop$: Observable<unknown>;
}

/** Fills events and lookups with the data of one visit. Requests are shared, so that many waiting events cost one. */
export interface Filling {
  /** The event with its placeholders replaced, once their data is there. Emits once. */
  readonly fill: <A extends Tracked>(tracked: A) => Observable<A>;
  /** The event with its placeholders replaced by what is known now. */
  readonly fillNow: <A extends Tracked>(tracked: A) => A;
  readonly lookup: (name: PageDataName, url: string) => Observable<Data>;
  readonly openView: PageDataRequests['openView'];
  readonly known: (url: string) => Pick<PageContext, 'geoip' | 'watson'>;
}

/** Makes the filling of one visit. The filling is part of the deferred chunk. */
export const pageFilling = (deps: FillingDeps): Filling => {
  const requests = pageDataRequests({
    ...deps,
    askGeoip: (include) => pageData.geoip(include, deps),
    askWatson: (url) => pageData.watson(url, deps),
  });
  return {
    fill: (tracked) => {
      const wanted = placeholdersIn(tracked.event.properties);
      return dataFor(wanted, tracked.event, requests).pipe(
        map((data) => filledWith(tracked, wanted, data, deps.report)),
      );
    },
    fillNow: (tracked) => {
      const known = { ...noPageData, ...requests.known(urlOfEvent(tracked.event)) };
      return filledWith(tracked, placeholdersIn(tracked.event.properties), known, deps.report);
    },
    lookup: (name, url) =>
      name === 'geo'
        ? requests.place().pipe(map((geo) => ({ geo: flatPlace(geo) })))
        : requests.classification(url).pipe(map((classification) => ({ classification }))),
    openView: requests.openView,
    known: (url) => contextOf(requests.known(url)),
  };
};

/**
 * The event with its placeholders replaced. Data that has no room in an event is dropped. The client context has no
 * placeholders: it says what the page says of itself. Placeholders whose data has not been answered go to the server.
 */
const filledWith = <A extends Tracked>(tracked: A, wanted: readonly string[], data: PageData, report: Report): A => {
  const { draft, event } = tracked;
  const { client, ...others } = event.properties;
  const isUnanswered = (name: string): boolean =>
    isOfPlace(name) ? data.geoip === noPageData.geoip : data.watson === noPageData.watson;
  const propertiesWith = (isLeft?: (name: string) => boolean): Properties =>
    boundedProperties(event.name, filled(others, data, isLeft), client as ClientContext, report);
  return {
    ...tracked,
    draft: wanted.some(isUnanswered)
      ? { ...draft, requiresEnrichment: true, unfilled: propertiesWith(isUnanswered) }
      : draft,
    event: { ...event, properties: propertiesWith() },
  };
};

/** Whether a placeholder stands for the visitor's place, and not for the page's content. */
const isOfPlace = (name: string): boolean => name.startsWith('$ip');

/** Which data these placeholders stand for. */
const wantsOf = (wanted: readonly string[]) => ({
  wantsPlace: wanted.some(isOfPlace),
  wantsContent: !wanted.every(isOfPlace),
});

/** The data that these placeholders stand for, in one value. Only what they need is asked for; the rest stays empty. */
const dataFor = (
  wanted: readonly string[],
  event: Event,
  { place, classification }: PageDataRequests,
): Observable<PageData> => {
  const { wantsPlace, wantsContent } = wantsOf(wanted);
  const geoip$ = wantsPlace ? place(wanted.includes('$ip_address')) : of(noPageData.geoip);
  const watson$ = wantsContent ? classification(urlOfEvent(event)) : of(noPageData.watson);
  return merge(geoip$.pipe(map((geoip) => ({ geoip }))), watson$.pipe(map((watson) => ({ watson })))).pipe(
    scan((data, part) => ({ ...data, ...part }), noPageData),
    // The value in which both have answered.
    skip(1),
  );
};
