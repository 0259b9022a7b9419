import { catchError, defer, type Observable, of, tap, throwIfEmpty } from 'rxjs';

import type { Settings } from '../../model/config';
import type { Report } from '../../model/report';
import { shareState } from '../../operators/shareState';
import { noPageData, type PageData } from './placeholders';

/** What the requests need. */
export interface PageDataDeps {
  readonly setting: Settings;
  /** Asks the server; empty where that is not possible. */
  readonly askGeoip: (include: readonly string[]) => Observable<PageData['geoip']>;
  /** Asks the classification service; empty where that is not possible. */
  readonly askWatson: (url: string) => Observable<PageData['watson']>;
  readonly report: Report;
  /** The visit ends. */
  readonly stop$: Observable<unknown>;
}

/** The visitor's place and the page's classification, each asked for at most once, when somebody first needs it. */
export interface PageDataRequests {
  /**
   * The place. `withAddress`: with the visitor's IP address, which is asked for only where a page names it (spec S§3).
   */
  readonly place: (withAddress?: boolean) => Observable<PageData['geoip']>;
  /** What the page at that address is about; empty where classification is switched off. */
  readonly classification: (url: string) => Observable<PageData['watson']>;
  /** Whether the page wants this view classified; `undefined`: as the config says. */
  readonly setClassified: (isWanted: boolean | undefined) => void;
  /** What has been answered by now. */
  readonly known: () => Partial<PageData>;
}

const geoipParts = ['geo', 'isp', 'ip_hash'];

/** Makes the requests of one visit. None is sent before somebody needs its answer. */
export const pageDataRequests = ({ setting, askGeoip, askWatson, report, stop$ }: PageDataDeps): PageDataRequests => {
  const asked = new Map<string, Observable<PageData[keyof PageData]>>();
  let known: Partial<PageData> = {};
  let isClassified: boolean | undefined;

  /** One request per key, however many subscribe; `{}` where it fails. */
  const askOnce = <Name extends keyof PageData>(
    name: Name,
    key: string,
    answer$: Observable<PageData[Name]>,
  ): Observable<PageData[Name]> => {
    const shared$ =
      (asked.get(key) as Observable<PageData[Name]> | undefined) ??
      answer$.pipe(
        throwIfEmpty(),
        catchError((cause: unknown) => {
          report(`Error fetching ${name}`, cause);
          return of({});
        }),
        tap((answer) => (known = { ...known, [name]: answer })),
        shareState(stop$),
      );
    asked.set(key, shared$);
    return shared$;
  };

  return {
    place: (withAddress = false) =>
      defer(() => {
        const include = withAddress ? [...geoipParts, 'ip'] : geoipParts;
        return askOnce('geoip', include.join(), askGeoip(include));
      }),
    classification: (url) =>
      defer(() =>
        (isClassified ?? setting('watson').enabled) && url !== ''
          ? askOnce('watson', url, askWatson(url))
          : of(noPageData.watson),
      ),
    setClassified: (isWanted) => (isClassified = isWanted),
    known: () => known,
  };
};
