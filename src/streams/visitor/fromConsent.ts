import { defer, distinctUntilChanged, filter, map, merge, type Observable, of, tap } from 'rxjs';

import { DecodeError, readAs, readOr } from '../../model/codecs';
import { ConsentCodec, consentKey, type ConsentRecord, consentRecord, isConsent } from '../../model/consent';
import { type Json, NoJson } from '../../model/json';
import type { Report } from '../../model/report';
import type { Listen, TabChannel, TextStorage } from '../../platform/platform';
import { type CookieDeps, eraseCookie, possibleDomains, writeCookie } from './userId';

export interface ConsentDeps extends CookieDeps {
  readonly local: TextStorage;
  readonly json: Json;
  /** For the `storage` event, by which other tabs of the site tell of their answers, and for `pageshow`. */
  readonly listen: Listen;
  /** Reaches other tabs of the site where local storage takes no answer. */
  readonly tabs: TabChannel;
  readonly report: Report;
}

/** The visitor's consent at this moment and as a stream. */
export interface Consent {
  /** Whether the SDK may run at this moment. */
  readonly isGiven: () => boolean;
  /**
   * State: whether the SDK may run. Emits at once and at each change; subscribe once, because each subscription stores
   * the calls again.
   */
  readonly given$: Observable<boolean>;
  /** Stores a refusal again that local storage had no room for. Called when an erasure has made room. */
  readonly keepRefusal: () => void;
}

/**
 * The visitor's consent (spec C§4). The first answer is what the page has said in its queue (`queued`), else the stored
 * one. Each later call of `permutive.consent`, here or in another tab of the site, replaces it. Each call is stored, a
 * refusal too. A call that does not decode is reported and is a refusal; a stored answer that does not decode counts
 * as revoked. The queued calls are taken when this function is called.
 *
 * A refusal that local storage does not take is kept in a cookie, until the visitor consents. Other tabs hear each
 * answer at once. A page that returns from the back-forward cache reads the stored answer before anything else, because
 * it heard nothing meanwhile.
 */
export const fromConsent = (queued: readonly unknown[], call$: Observable<unknown>, deps: ConsentDeps): Consent => {
  const { local, json, setting, listen, tabs, report } = deps;
  /** `null`: no answer yet. */
  let answer: ConsentRecord | null | undefined = null;
  let isStored = true;
  const store = (record: ConsentRecord): void => {
    const text = json.stringify(record);
    isStored = local.write(consentKey, text) === undefined;
    if (record.opt_in) eraseCookie(consentKey, deps);
    // Nothing is asked of the browser without consent, so the refusal goes to all domains on which it may stay.
    else if (!isStored) for (const domain of possibleDomains(deps)) writeCookie(consentKey, text, deps, domain);
  };
  const take = (call: unknown): void => {
    let record = readAs(ConsentCodec, call);
    if (record instanceof DecodeError) {
      report('Invalid consent', record);
      // Consent that cannot be read is none.
      record = { opt_in: false };
    }
    answer = consentRecord(record);
    store(answer);
    tabs.post(answer);
  };
  const isGiven = (): boolean => isConsent(answer, setting('consentRequired'));

  for (const call of queued) take(call);
  answer ??= storedAnswer(deps);

  const return$ = listen('window', 'pageshow').pipe(filter((event) => (event as PageTransitionEvent).persisted));
  const elsewhere$ = merge(
    merge(
      // The key is null where the other tab has cleared everything.
      listen('window', 'storage').pipe(filter((event) => [consentKey, null].includes((event as StorageEvent).key))),
      return$,
    ).pipe(tap(() => (answer = storedAnswer(deps)))),
    tabs.message$.pipe(tap((message) => (answer = decoded(message, report)))),
  );
  return {
    isGiven,
    given$: merge(
      call$.pipe(tap(take)),
      elsewhere$,
      // The first answer comes last: it starts a visit, which must hear of each event after this stream has.
      defer(() => of(null)),
    ).pipe(map(isGiven), distinctUntilChanged()),
    keepRefusal: () => {
      if (!isStored && answer) store(answer);
    },
  };
};

/** The stored answer; `null` where there is none, `undefined` where it does not decode. The cookie holds refusals. */
const storedAnswer = ({ local, json, cookies, report }: ConsentDeps): ConsentRecord | null | undefined => {
  if (cookies.read(consentKey) !== undefined) return { opt_in: false };
  const text = local.read(consentKey);
  if (text === null) return null;
  const parsed = json.parse(text);
  return decoded(parsed === NoJson ? undefined : parsed, report);
};

const decoded = (input: unknown, report: Report): ConsentRecord | undefined =>
  readOr(ConsentCodec, input, undefined, (fault) => report('Invalid stored consent', fault));
