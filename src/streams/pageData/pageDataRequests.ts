import { catchError, defer, type Observable, of, tap, throwIfEmpty } from 'rxjs';

import type { Settings } from '../../model/config';
import type { Report } from '../../model/report';
import { shareState } from '../../operators/shareState';
import { noPageData, type PageData } from './pageFields';

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
 * The visitor's place and the page's classification. Each is asked for when somebody first subscribes, content in each
 * view, and each answer is shared.
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
  /**
   * Another view has begun, for which content is asked for anew. `isClassified`: whether the page wants it classified;
   * `undefined`: as the config says.
   */
  readonly openView: (url: string, isClassified: boolean | undefined) => void;
  /** What has been answered so far of the visitor and of the page at that address. */
  readonly known: (url: string) => Partial<PageData>;
}

type Asked<Answer> = Map<string, Observable<Answer>>;

/** Parts of the place that are always asked for. The IP address is not among them. */
const geoipParts = ['geo', 'isp', 'ip_hash'];

/** Makes the requests of one visit. None is sent before somebody subscribes to its answer. */
export const pageDataRequests = ({ setting, askGeoip, askWatson, report, stop$ }: PageDataDeps): PageDataRequests => {
  // By what was asked: the shared answer, which may still be under way. Content is asked for anew in each view.
  const places: Asked<PageData['geoip']> = new Map();
  const contents: Asked<PageData['watson']> = new Map();
  let geoip: PageData['geoip'] | undefined;
  // By address, because a late answer may be of a page that was left.
  const watson = new Map<string, PageData['watson']>();
  let isClassified: boolean | undefined;

  /** One request per key, however many subscribe. A request that fails is reported and answers empty data. */
  const askOnce = <Name extends keyof PageData>(
    name: Name,
    asked: Asked<PageData[Name]>,
    key: string,
    answer$: Observable<PageData[Name]>,
    note: (answer: PageData[Name]) => unknown,
  ): Observable<PageData[Name]> => {
    const shared$ =
      asked.get(key) ??
      answer$.pipe(
        // An answer without a value means that the code for the request could not be loaded, which is a failure too.
        throwIfEmpty(),
        catchError((cause: unknown) => {
          report(`Error fetching ${name}`, cause);
          return of(noPageData[name]);
        }),
        tap(note),
        shareState(stop$),
      );
    asked.set(key, shared$);
    return shared$;
  };

  return {
    place: (withAddress = false) =>
      defer(() => {
        const include = withAddress ? [...geoipParts, 'ip'] : geoipParts;
        return askOnce('geoip', places, include.join(), askGeoip(include), (answer) => (geoip = answer));
      }),
    classification: (url) =>
      defer(() =>
        (isClassified ?? setting('watson').enabled) && url !== ''
          ? askOnce('watson', contents, url, askWatson(url), (answer) => watson.set(url, answer))
          : of({}),
      ),
    openView: (url, isWanted) => {
      isClassified = isWanted;
      contents.clear();
      // A place that was asked for in vain is asked for again.
      if (geoip === noPageData.geoip) places.clear();
      for (const known of [...watson.keys()]) if (known !== url) watson.delete(known);
    },
    known: (url) => {
      const about = watson.get(url);
      return { ...(geoip && { geoip }), ...(about && { watson: about }) };
    },
  };
};
