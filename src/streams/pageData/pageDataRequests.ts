import { catchError, defer, type Observable, of, tap, throwIfEmpty } from 'rxjs';

import type { Settings } from '../../model/config';
import type { Report } from '../../model/report';
import { shareState } from '../../operators/shareState';
import { noPageData, type PageData } from './placeholders';

/** How the data is asked for, and how long it is kept. */
export interface PageDataDeps {
  readonly setting: Settings;
  /**
   * Asks the server for these parts of the place. Cold; completes without a value where the code for it could not be
   * loaded.
   */
  readonly askGeoip: (include: readonly string[]) => Observable<PageData['geoip']>;
  /**
   * Asks the classification service about the page at that address. Cold; completes without a value where the code for
   * it could not be loaded.
   */
  readonly askWatson: (url: string) => Observable<PageData['watson']>;
  readonly report: Report;
  /** Emits when the visit ends; requests that are under way are then aborted. */
  readonly stop$: Observable<unknown>;
}

/**
 * The visitor's place and the page's classification. Each is asked for when somebody first subscribes, and each answer
 * is shared.
 */
export interface PageDataRequests {
  /**
   * The place, in one value. With `withAddress` it has the visitor's IP address too, which is asked for only where a
   * page names it (spec S§3).
   */
  readonly place: (withAddress?: boolean) => Observable<PageData['geoip']>;
  /**
   * What the page at that address is about, in one value; empty where classification is switched off or there is no
   * address.
   */
  readonly classification: (url: string) => Observable<PageData['watson']>;
  /** Whether the page wants this view classified; `undefined`: as the config says. */
  readonly setClassified: (isWanted: boolean | undefined) => void;
  /** What has been answered so far. */
  readonly known: () => Partial<PageData>;
}

/** Answers of each kind that are kept, the latest: a document may show many addresses. */
const maxAnswers = 20;
/** Parts of the place that are always asked for. The IP address is not among them. */
const geoipParts = ['geo', 'isp', 'ip_hash'];

/** Makes the requests of one visit. None is sent before somebody subscribes to its answer. */
export const pageDataRequests = ({ setting, askGeoip, askWatson, report, stop$ }: PageDataDeps): PageDataRequests => {
  // By what was asked: the shared answer, which may still be under way.
  const asked = { geoip: new Map<string, Observable<unknown>>(), watson: new Map<string, Observable<unknown>>() };
  let known: Partial<PageData> = {};
  let isClassified: boolean | undefined;

  /** One request per key, however many subscribe. A request that fails is reported and answers empty data. */
  const askOnce = <Name extends keyof PageData>(
    name: Name,
    key: string,
    answer$: Observable<PageData[Name]>,
  ): Observable<PageData[Name]> => {
    const answers = asked[name];
    const shared$ =
      (answers.get(key) as Observable<PageData[Name]> | undefined) ??
      answer$.pipe(
        // An answer without a value means that the code for the request could not be loaded, which is a failure too.
        throwIfEmpty(),
        catchError((cause: unknown) => {
          report(`Error fetching ${name}`, cause);
          return of({});
        }),
        tap((answer) => (known = { ...known, [name]: answer })),
        shareState(stop$),
      );
    answers.set(key, shared$);
    // Who waits for the oldest answer still gets it.
    for (const oldest of answers.keys()) if (answers.size > maxAnswers) answers.delete(oldest);
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
