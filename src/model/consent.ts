import { AnyBoolean, AnyString, object, shape } from './codecs';
import { ownFields } from './ownFields';
import { localKeys } from './storageKeys';

/** The visitor's answer as it is stored. It counts only with `opt_in: true` and a token (spec C§3, C§4). */
export interface ConsentRecord {
  readonly opt_in: boolean;
  readonly token?: string | undefined;
}
export const ConsentCodec = object<ConsentRecord>('ConsentRecord', shape({ opt_in: AnyBoolean }, { token: AnyString }));

/** Local storage key of the visitor's answer (contract: storage). */
export const consentKey: string = localKeys.consent;
const defaultToken = 'permutive-consent';

/**
 * The record to store for a call `permutive.consent(…)`. A missing token gets the default (spec C§9), an empty one
 * stays empty and does not count. A refusal has no token.
 */
export const consentRecord = (given: ConsentRecord): ConsentRecord => {
  const { opt_in, token = defaultToken } = ownFields(given);
  return opt_in ? { opt_in, token } : { opt_in };
};

/**
 * Whether the record lets the SDK run (spec C§4, C§5). `null`: nothing is stored, which counts as consent unless it is
 * `required`. Anything stored that is no valid record counts as revoked.
 */
export const isConsent = (record: ConsentRecord | null | undefined, required: boolean): boolean =>
  record === null ? !required : record?.opt_in === true && !!ownFields(record).token;
