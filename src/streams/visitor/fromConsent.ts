import { defer, distinctUntilChanged, filter, map, merge, type Observable, of, tap } from 'rxjs';

import { DecodeError, readAs, readOr } from '../../model/codecs';
import type { Settings } from '../../model/config';
import { ConsentCodec, consentKey, type ConsentRecord, consentRecord, isConsent } from '../../model/consent';
import { type Json, NoJson } from '../../model/json';
import type { Report } from '../../model/report';
import type { Listen, TextStorage } from '../../platform/platform';

export interface ConsentDeps {
  readonly local: TextStorage;
  readonly json: Json;
  readonly setting: Settings;
  /** For the `storage` event, by which other tabs of the site tell of their answers. */
  readonly listen: Listen;
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
}

/**
 * The visitor's consent (spec C§4). The first answer is what the page has said in its queue (`queued`), else the stored
 * one. Each later call of `permutive.consent`, here or in another tab of the site, replaces it. Each call is stored, a
 * refusal too. A call that does not decode is reported and is a refusal; a stored answer that does not decode counts
 * as revoked. The queued calls are taken when this function is called.
 */
export const fromConsent = (queued: readonly unknown[], call$: Observable<unknown>, deps: ConsentDeps): Consent => {
  const { local, json, setting, listen, report } = deps;
  /** `null`: no answer yet. */
  let answer: ConsentRecord | null | undefined = null;
  const take = (call: unknown): void => {
    let record = readAs(ConsentCodec, call);
    if (record instanceof DecodeError) {
      report('Invalid consent', record);
      // Consent that cannot be read is none.
      record = { opt_in: false };
    }
    answer = consentRecord(record);
    local.write(consentKey, json.stringify(answer));
  };
  const isGiven = (): boolean => isConsent(answer, setting('consentRequired'));

  for (const call of queued) take(call);
  answer ??= storedAnswer(deps);

  const elsewhere$ = listen('window', 'storage').pipe(
    // The key is null where the other tab has cleared everything.
    filter((event) => [consentKey, null].includes((event as StorageEvent).key)),
    tap(() => (answer = storedAnswer(deps))),
  );
  return {
    isGiven,
    given$: merge(
      defer(() => of(null)),
      call$.pipe(tap(take)),
      elsewhere$,
    ).pipe(map(isGiven), distinctUntilChanged()),
  };
};

/** The stored answer; `null` where there is none, `undefined` where it does not decode. */
const storedAnswer = ({ local, json, report }: ConsentDeps): ConsentRecord | null | undefined => {
  const text = local.read(consentKey);
  if (text === null) return null;
  const parsed = json.parse(text);
  return readOr(ConsentCodec, parsed === NoJson ? undefined : parsed, undefined, (fault) =>
    report('Invalid stored consent', fault),
  );
};
