import { dequal } from 'dequal/lite';
import { distinctUntilChanged, map, type Observable, of, switchMap, tap } from 'rxjs';

import type { AddonDeps, AddonStreams } from '../addon';

/**
 * The cohort codes that an ad server gets. `isRealtime`: this page has evaluated them; otherwise the last page stored
 * them.
 */
export interface Codes {
  readonly codes: readonly string[];
  readonly isRealtime: boolean;
}

/** Where an ad server's codes come from, and where the next page, Prebid and the page's snippet find them. */
export interface CodeStore {
  readonly platform: string;
  /** Name in local storage, and of the cookie. */
  readonly key: string;
}

/** The codes of a platform, with each change: the last page's serve its first ad requests, then this page's own. */
export const adServerCodes = (
  { platform, key }: CodeStore,
  { cohorts$ }: AddonStreams,
  deps: AddonDeps,
): Observable<Codes> =>
  cohorts$.pipe(
    map((cohorts) => ({
      codes: cohorts.isRealtime ? deps.codesFor(platform, cohorts) : lastPageCodes(key, deps),
      isRealtime: cohorts.isRealtime,
    })),
    distinctUntilChanged<Codes>(dequal),
  );

/**
 * Stores the codes that this page has evaluated, in local storage and in a cookie, for the ad requests of the next
 * page.
 */
export const storeCodes = ({ key }: CodeStore, { writeKey, writeCookie }: AddonDeps) =>
  tap(({ codes, isRealtime }: Codes) => {
    if (!isRealtime) return;
    writeKey(key, codes);
    writeCookie(key, codes);
  });

/** The codes as an ad server gets them: `rts` says that they are of this very page (contract: what partners see). */
export const marked = ({ codes, isRealtime }: Codes): readonly string[] => (isRealtime ? [...codes, 'rts'] : codes);

const lastPageCodes = (key: string, { readKey }: AddonDeps): readonly string[] => {
  const stored = readKey(key);
  return Array.isArray(stored)
    ? stored.filter((code) => typeof code === 'string' || typeof code === 'number').map(String)
    : [];
};

/**
 * Where the page starts an ad server itself, another view starts it over, and what was stored goes first (spec S§4).
 */
export const startedOver = <A>(
  autoInit: boolean,
  { key }: CodeStore,
  { view$ }: AddonStreams,
  deps: AddonDeps,
  run: () => Observable<A>,
): Observable<A> =>
  (autoInit ? of('') : view$).pipe(
    switchMap((_, i) => {
      if (i > 0) deps.forget(key);
      return run();
    }),
  );
