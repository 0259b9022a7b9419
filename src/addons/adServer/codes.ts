import { distinctUntilChanged, map, type Observable, of, switchMap, tap } from 'rxjs';

import { ownFields } from '../../hardening/ownFields';
import type { ExperimentGroup } from '../../model/cohort';
import { cloudCodesOf } from '../../model/cohorts';
import { localKeys } from '../../model/storageKeys';
import type { AddonDeps, AddonStreams } from '../addon';

/** The cohort codes that an ad server gets. */
export interface Codes {
  /** In the ad server's form: short codes without suffix. */
  readonly codes: readonly string[];
  /** Cohorts that advertisers have bought, in the same form. Codes of advertisers are not stored with the others. */
  readonly cloud: readonly string[];
  /** True: this page has evaluated them. False: the last page stored them. */
  readonly isRealtime: boolean;
  /** Id of the user whose codes these are. */
  readonly userId: string;
  /** The user's group, where the project has an experiment. */
  readonly group: ExperimentGroup | undefined;
}

/** Where an ad server's codes come from, and where they are stored for the next page, Prebid and the page's snippet. */
export interface CodeStore {
  /** Name of the platform in activations, such as `dfp`. */
  readonly platform: string;
  /** Key in local storage, and name of the cookie. */
  readonly key: string;
}

/**
 * The codes of a platform, at once and at each change. First come those that the last page stored, so that the first ad
 * requests carry cohorts; then those that this page has evaluated.
 */
export const adServerCodes = (
  { platform, key }: CodeStore,
  { cohorts$ }: AddonStreams,
  deps: AddonDeps,
): Observable<Codes> =>
  cohorts$.pipe(
    map((cohorts) => ({
      codes: cohorts.isRealtime ? deps.codesFor(platform, cohorts) : lastPageCodes(key, deps),
      cloud: cloudCodesOf(cohorts),
      isRealtime: cohorts.isRealtime,
      userId: deps.visitor().userId,
      // A user stays in one group.
      group: ownFields(cohorts).group,
    })),
    distinctUntilChanged(areEqual),
  );

const areEqual = (a: Codes, b: Codes): boolean =>
  a.isRealtime === b.isRealtime && a.userId === b.userId && hasSame(a.codes, b.codes) && hasSame(a.cloud, b.cloud);

const hasSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((code, i) => code === b[i]);

/**
 * Stores codes in local storage and in a cookie, for the ad requests of the next page. Only codes that this page has
 * evaluated are stored.
 */
export const storeCodes = ({ key }: CodeStore, { writeKey, writeCookie }: AddonDeps) => {
  let stored: readonly string[] | undefined;
  return tap(({ codes, isRealtime }: Codes) => {
    // Codes of the cloud may have changed alone.
    if (isRealtime && stored && hasSame(stored, codes)) return;
    // What was stored of another user has been removed, and this page's codes of the next user may be the same.
    stored = isRealtime ? codes : undefined;
    if (!isRealtime) return;
    writeKey(key, codes);
    writeCookie(key, codes);
  });
};

/**
 * All codes in the form that an ad server gets, each once. The additional code `rts` says that this page has evaluated
 * them (contract: what partners see).
 */
export const marked = ({ codes, cloud, isRealtime }: Codes): readonly string[] => [
  ...new Set([...codes, ...cloud, ...(isRealtime ? ['rts'] : [])]),
];

/**
 * The stored codes that have not ended since; an empty list where there are none, or where the page has put something
 * else there.
 */
const lastPageCodes = (key: string, { readKey, now }: AddonDeps): readonly string[] => {
  const stored = readKey(key);
  if (!Array.isArray(stored)) return [];
  const ends = Object(readKey(localKeys.codeEnds)) as Readonly<Record<string, unknown>>;
  return (
    stored
      .filter((code) => typeof code === 'string' || typeof code === 'number')
      .map(String)
      // Most codes have no end.
      .filter((code) => !(Number(ends[code]) < now()))
  );
};

/**
 * Runs an ad server's addon. Where the page starts the addon itself (`auto_init` false), each further view starts it
 * over and removes the codes that were stored (spec S§4).
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
