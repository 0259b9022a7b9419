import {
  defer,
  distinctUntilChanged,
  filter,
  map,
  merge,
  type Observable,
  of,
  startWith,
  switchMap,
  takeUntil,
  tap,
} from 'rxjs';

import { DecodeError, readAs, readOr } from '../../codecs/codecs';
import { NoJson } from '../../hardening/json';
import { type Consent, consentAfter, consentKey, ConsentRecord, consentRecord } from '../../model/consent';
import type { Report } from '../../model/report';
import type { Tools } from '../../platform/platform';
import { cookieDomains } from '../../primitives/domain';
import { fromReturn } from '../dom/fromReturn';
import { fromSharedCookies, type SharedCookiesDeps } from './fromSharedCookies';
import { type CookieDeps, eraseCookie, writeCookie } from './userId';

/** By `listen` and `tabs` it hears of the answers in other tabs; the latter where local storage takes no answer. */
export interface ConsentDeps
  extends CookieDeps, SharedCookiesDeps, Pick<Tools, 'local' | 'json' | 'tabs' | 'endOfTask'> {
  readonly page: CookieDeps['page'] & SharedCookiesDeps['page'];
  /** Emits before the SDK does something for the page, which may have changed the setting `consentRequired`. */
  readonly recheck$: Observable<unknown>;
}

/**
 * The visitor's consent (spec C§4), made here for everybody who reads it. The first answer is what the page has said in
 * its queue (`queued`), else the stored one. An answer that was stored as the page gave it, before the SDK came, is no
 * longer in the queue, because another tab may have answered since. Each later call of `permutive.consent`, here or in
 * another tab of the site, replaces it. Each call is stored, a refusal too. A call that does not decode is reported and
 * is a refusal. A stored answer that does not decode counts as revoked. The queued calls are taken when this function
 * is called.
 *
 * A refusal is also a cookie of the site, until the visitor consents: the site's other hosts cannot read this host's
 * local storage. Pages there look at the cookie whenever {@link fromSharedCookies} emits. A refusal is stored and told
 * to other tabs at once. Consent is stored and told at the end of its task, so that no other tab begins a visit where
 * consent is withdrawn in the same task. Another tab takes consent only from storage. A page that returns from the
 * back-forward cache reads the stored answer before anything else, because it heard nothing meanwhile.
 * `consentRequired` is read again at each answer, and each time `recheck$` emits.
 */
export const fromConsent = (queued: readonly unknown[], call$: Observable<unknown>, deps: ConsentDeps) => {
  const { setting, listen, tabs, recheck$, endOfTask, report } = deps;
  /** `null`: no answer yet. */
  let answer: ConsentRecord | null | undefined = null;
  let isStored = true;
  const store = (record: ConsentRecord): void => void (isStored = storeAnswer(record, deps));
  const publish = (record: ConsentRecord): void => {
    store(record);
    tabs.post(record);
  };
  const publishConsent = (): void => {
    if (answer?.opt_in) publish(answer);
  };
  const take = (call: unknown): void => {
    answer = answerOf(call, report);
    if (!answer.opt_in) publish(answer);
  };
  let state: Consent | undefined;
  const current = (): Consent => (state = consentAfter(answer, setting('consentRequired'), state));

  for (const call of queued) take(call);
  publishConsent();
  answer ??= storedAnswer(deps);

  const return$ = fromReturn(listen);
  const elsewhere$ = merge(
    merge(
      // The key is null where the other tab has cleared everything.
      listen('window', 'storage').pipe(filter((event) => [consentKey, null].includes((event as StorageEvent).key))),
      return$,
    ).pipe(tap(() => (answer = storedAnswer(deps)))),
    merge(
      tabs.message$.pipe(
        map((message) => storedRecord(message, report)),
        // Consent that is not stored, or not any more, is none.
        map((heard) => (heard?.opt_in ? answer : heard)),
      ),
      fromSharedCookies(deps).pipe(map(() => answer)),
      // A page that was frozen may run code of its own before it hears that it is shown again.
      listen('window', 'pagehide').pipe(
        switchMap(() => recheck$.pipe(takeUntil(return$))),
        map(() => answer),
      ),
      // Two tabs may answer at the same moment. The answer that is stored is the later one.
    ).pipe(tap((heard) => (answer = storedAnswer(deps) ?? heard))),
  );
  return {
    /** The state at this moment. */
    current,
    /** State: emits at once and at each change. Subscribe once, because each subscription stores the calls again. */
    state$: merge(
      call$.pipe(
        tap(take),
        switchMap(() => endOfTask().pipe(tap(publishConsent), startWith(null))),
      ),
      elsewhere$,
      recheck$,
      // The first answer comes last: it starts a visit, which must hear of each event after this stream has.
      defer(() => of(null)),
    ).pipe(map(current), distinctUntilChanged()),
    /** Stores a refusal again that local storage had no room for. An erasure calls this function once there is room. */
    keepRefusal: (): void => {
      if (!isStored && answer) store(answer);
    },
  };
};

/** The answer that a call gives. Consent that cannot be read is none. */
const answerOf = (call: unknown, report: Report): ConsentRecord => {
  const record = readAs(ConsentRecord, call);
  if (record instanceof DecodeError) report('Invalid consent', record);
  return consentRecord(record instanceof DecodeError ? { opt_in: false } : record);
};

/** Stores an answer, a refusal as a cookie too. Answers whether local storage has taken it. */
const storeAnswer = (record: ConsentRecord, deps: ConsentDeps): boolean => {
  const { local, json, page, cookies } = deps;
  const text = json.stringify(record);
  const isStored = local.write(consentKey, text) === undefined;
  if (record.opt_in) eraseCookie(consentKey, deps);
  else
    // The widest of the site's domains on which the browser keeps it.
    cookieDomains(page.host()).some((domain) => {
      writeCookie(consentKey, text, deps, domain);
      return cookies.read(consentKey) !== undefined;
    });
  return isStored;
};

/** The stored answer; `null` where there is none, `undefined` where it does not decode. The cookie holds refusals. */
const storedAnswer = ({ local, json, cookies, report }: ConsentDeps): ConsentRecord | null | undefined => {
  if (cookies.read(consentKey) !== undefined) return { opt_in: false };
  const text = local.read(consentKey);
  if (text === null) return null;
  const parsed = json.parse(text);
  return storedRecord(parsed === NoJson ? undefined : parsed, report);
};

const storedRecord = (input: unknown, report: Report): ConsentRecord | undefined =>
  readOr(ConsentRecord, input, undefined, (fault) => report('Invalid stored consent', fault));
