import { defer, distinctUntilChanged, filter, map, merge, type Observable, of, tap } from 'rxjs';
import { isRight } from 'fp-ts/Either';
import type { Settings } from '../model/config';
import { consentKey, ConsentRecord, consentRecord, isConsent } from '../model/consent';
import { decode } from '../model/decode';
import { type Json, NoJson } from '../model/json';
import type { Report } from '../model/report';
import type { Listen, TextStorage } from '../platform/platform';

export interface ConsentDeps {
  readonly local: TextStorage;
  readonly json: Json;
  readonly setting: Settings;
  readonly listen: Listen;
  readonly report: Report;
}

/** Whether the stored answer allows us to run; what is stored and makes no sense counts as revoked (spec C§4). */
export const storedConsent = ({ local, json, setting, report }: Omit<ConsentDeps, 'listen'>): boolean => {
  const text = local.read(consentKey);
  if (text === null) return isConsent(null, setting('consentRequired'));
  const parsed = json.parse(text);
  const record = decode(ConsentRecord)(parsed === NoJson ? undefined : parsed);
  if (isRight(record)) return isConsent(record.right, setting('consentRequired'));
  report('Invalid stored consent', record.left);
  return false;
};

/** Stores what a call `permutive.consent(…)` says; a call that makes no sense is reported and changes nothing. */
export const recordConsent = (call: unknown, { local, json, report }: Pick<ConsentDeps, 'local' | 'json' | 'report'>): void => {
  const record = decode(ConsentRecord)(call);
  if (isRight(record)) local.write(consentKey, json.stringify(consentRecord(record.right)));
  else report('Invalid consent', record.left);
};

/**
 * Whether we have consent: as stored, then as `permutive.consent` says, here or in another tab of the site. Calls are stored,
 * for the answer itself may be kept. Emits at once, then on change.
 */
export const fromConsent = (call$: Observable<unknown>, deps: ConsentDeps): Observable<boolean> => {
  const stored = (): boolean => storedConsent(deps);
  const called$ = call$.pipe(
    tap((call) => recordConsent(call, deps)),
    map(stored),
  );
  const elsewhere$ = deps.listen('window', 'storage').pipe(
    // Null: everything was cleared.
    filter((event) => [consentKey, null].includes((event as StorageEvent).key)),
    map(stored),
  );
  return merge(
    defer(() => of(stored())),
    called$,
    elsewhere$,
  ).pipe(distinctUntilChanged());
};
