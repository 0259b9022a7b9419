import { defer, distinctUntilChanged, filter, map, merge, type Observable, of, switchMap, takeUntil, tap } from 'rxjs';

import { DecodeError, readAs, readOr } from '../../codecs/codecs';
import { NoJson } from '../../hardening/json';
import { type Consent, consentAfter, consentKey, ConsentRecord, consentRecord } from '../../model/consent';
import type { Report } from '../../model/report';
import type { Tools } from '../../platform/platform';
import { cookieDomains } from '../../primitives/domain';
import { fromReturn } from '../dom/fromReturn';
import { type CookieDeps, eraseCookie, writeCookie } from './userId';

/** By `listen` and `tabs` it hears of the answers in other tabs; the latter where local storage takes no answer. */
export interface ConsentDeps extends CookieDeps, Pick<Tools, 'local' | 'json' | 'listen' | 'tabs'> {
  /** Emits before the SDK does something for the page, which may have changed the setting `consentRequired`. */
  readonly recheck$: Observable<unknown>;
}

/**
 * The visitor's consent (spec C§4), made here for everybody who reads it. The first answer is what the page has said in
 * its queue (`queued`), else the stored one. Each later call of `permutive.consent`, here or in another tab of the
 * site, replaces it. Each call is stored, a refusal too. A call that does not decode is reported and is a refusal; a
 * stored answer that does not decode counts as revoked. The queued calls are taken when this function is called.
 *
 * A refusal is also a cookie of the site, until the visitor consents: the site's other hosts cannot read this host's
 * local storage. Other tabs hear each answer at once. A page that returns from the back-forward cache reads the stored
 * answer before anything else, because it heard nothing meanwhile. `consentRequired` is read again at each answer, and
 * each time `recheck$` emits.
 */
export const fromConsent = (queued: readonly unknown[], call$: Observable<unknown>, deps: ConsentDeps) => {
  const { local, json, setting, listen, tabs, recheck$, report } = deps;
  /** `null`: no answer yet. */
  let answer: ConsentRecord | null | undefined = null;
  let isStored = true;
  const store = (record: ConsentRecord): void => {
    const text = json.stringify(record);
    isStored = local.write(consentKey, text) === undefined;
    if (record.opt_in) eraseCookie(consentKey, deps);
    else
      // The widest of the site's domains on which the browser keeps it.
      cookieDomains(deps.page.host()).some((domain) => {
        writeCookie(consentKey, text, deps, domain);
        return deps.cookies.read(consentKey) !== undefined;
      });
  };
  const take = (call: unknown): void => {
    let record = readAs(ConsentRecord, call);
    if (record instanceof DecodeError) {
      report('Invalid consent', record);
      // Consent that cannot be read is none.
      record = { opt_in: false };
    }
    answer = consentRecord(record);
    store(answer);
    tabs.post(answer);
  };
  let state: Consent | undefined;
  const current = (): Consent => (state = consentAfter(answer, setting('consentRequired'), state));

  for (const call of queued) take(call);
  answer ??= storedAnswer(deps);

  const return$ = fromReturn(listen);
  const elsewhere$ = merge(
    merge(
      // The key is null where the other tab has cleared everything.
      listen('window', 'storage').pipe(filter((event) => [consentKey, null].includes((event as StorageEvent).key))),
      return$,
    ).pipe(tap(() => (answer = storedAnswer(deps)))),
    merge(
      tabs.message$.pipe(map((message) => storedRecord(message, report))),
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
      call$.pipe(tap(take)),
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
