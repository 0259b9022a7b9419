import { BehaviorSubject, catchError, combineLatest, defer, filter, finalize, ignoreElements, map, mergeMap, type MonoTypeOperatorFunction, type Observable, of, race, take, tap, throwIfEmpty } from 'rxjs';
import type { Settings } from '../model/config';
import type { Event, EventDraft } from '../model/event';
import type { Report } from '../model/report';
import { remember } from '../operators/remember';
import { filled, noPageData, type PageData, placeholdersIn, placeOf } from './placeholders';

export interface EnrichmentDeps {
  readonly setting: Settings;
  /** Asks the server; may be empty where that is not possible. */
  readonly askGeoip: (include: readonly string[]) => Observable<PageData['geoip']>;
  readonly askWatson: (url: string) => Observable<PageData['watson']>;
  readonly report: Report;
  /** The page may go away: nothing waits any longer. */
  readonly leave$: Observable<unknown>;
  readonly stop$: Observable<unknown>;
}

export interface Enrichment {
  /**
   * Puts data where an event has placeholders for it. Such an event waits for the data it needs, no longer than a request may take;
   * the others pass at once. At `leave$` it goes out with what there is.
   */
  readonly enrich: <A extends { readonly draft: EventDraft; readonly event: Event }>() => MonoTypeOperatorFunction<A>;
  /** Completes once no event waits. */
  readonly idle$: Observable<never>;
  /** What a query's lookup is to be answered from: `geo`, or `classification` of the page at that address; empty where there is none. */
  readonly lookup: (name: string, url: string) => Observable<Readonly<Record<string, unknown>>>;
  /** What is known by now; undefined where it was never asked for. */
  readonly known: () => Partial<PageData>;
}

export const enrichment = (deps: EnrichmentDeps): Enrichment => {
  const { report, leave$, stop$, setting, askGeoip, askWatson } = deps;
  const asked = new Map<string, Observable<PageData[keyof PageData]>>();
  const waiting$ = new BehaviorSubject(0);
  let known: Partial<PageData> = {};
  let waiting = 0;
  /** What the page said of this view; else the config counts. */
  let classified: boolean | undefined;

  /** One request per key, however many ask; `{}` where it fails. */
  const once = <Name extends keyof PageData>(name: Name, key: string, answer$: Observable<PageData[Name]>): Observable<PageData[Name]> => {
    const known$ = (asked.get(key) as Observable<PageData[Name]> | undefined) ?? answer$.pipe(
      throwIfEmpty(),
      catchError((cause: unknown) => {
        report(`Error fetching ${name}`, cause);
        return of({});
      }),
      tap((answer) => (known = { ...known, [name]: answer })),
      remember(stop$),
    );
    asked.set(key, known$);
    return known$;
  };
  /** The address itself only where a page asks for it (spec S§3). */
  const place = (include: readonly string[]): Observable<PageData['geoip']> =>
    once('geoip', String(include.length), askGeoip(include));
  const geoip$ = defer(() => place(parts));
  const classify = (url: string): Observable<PageData['watson']> =>
    defer(() => ((classified ?? setting('watson').enabled) && url !== '' ? once('watson', url, askWatson(url)) : of(noPageData.watson)));

  const dataFor = (wanted: readonly string[], { client }: Event['properties']): Observable<PageData> =>
    combineLatest({
      geoip: wanted.includes('$ip_address') ? place([...parts, 'ip']) : wanted.some((name) => name.startsWith('$ip')) ? geoip$ : of(noPageData.geoip),
      watson: wanted.some((name) => !name.startsWith('$ip')) ? classify((client as { readonly url: string }).url) : of(noPageData.watson),
    });

  const count = (change: number): void => waiting$.next((waiting += change));

  return {
    enrich: () =>
      // mergeMap: nobody waits for another.
      mergeMap((tracked) => {
        const { draft: { view }, event } = tracked;
        if (view !== undefined) classified = view.watson;
        const wanted = placeholdersIn(event.properties);
        if (wanted.length === 0) return of(tracked);
        return defer(() => {
          count(1);
          return race(dataFor(wanted, event.properties), leave$.pipe(map(() => ({ ...noPageData, ...known }))));
        }).pipe(
          take(1),
          map((data) => ({ ...tracked, event: { ...event, properties: filled(event.properties, data) } })),
          finalize(() => count(-1)),
        );
      }),
    idle$: waiting$.pipe(
      filter((events) => events === 0),
      take(1),
      ignoreElements(),
    ),
    lookup: (name, url) => (name === 'geo' ? geoip$.pipe(map((geo) => ({ geo: placeOf(geo) }))) : classify(url).pipe(map((classification) => ({ classification })))),
    known: () => known,
  };
};

const parts = ['geo', 'isp', 'ip_hash'];
