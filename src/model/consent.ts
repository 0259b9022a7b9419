import { AnyBoolean, AnyString, type Codec, object, shape, type TypeOf } from '../codecs/codecs';
import { ownFields } from '../hardening/ownFields';
import { localKeys } from './storageKeys';

/** A page may give the token as undefined. */
const Token: Codec<string | undefined> = AnyString;
/** The visitor's answer as it is stored. The answer counts only with `opt_in: true` and a token (spec C§3, C§4). */
export const ConsentRecord = object('ConsentRecord', shape({ opt_in: AnyBoolean }, { token: Token }));
export type ConsentRecord = TypeOf<typeof ConsentRecord>;

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
 * The state of the visitor's consent (contract: consent):
 *
 * - `unasked`: consent is required, and there is no answer. The SDK does nothing, and erases nothing either.
 * - `given`: the SDK may run.
 * - `refused`: the answer is no. What is stored is erased, and all calls of the page are answered with nothing.
 * - `withdrawn`: as `refused`, where consent was given on this page before.
 */
export type Consent = 'unasked' | 'given' | 'refused' | 'withdrawn';

/** Whether the visitor has said no, so that what is stored goes, and the page is answered with nothing. */
export const isRefusal = (consent: Consent): boolean => consent === 'refused' || consent === 'withdrawn';

/**
 * The state after an answer (spec C§4, C§5). `null`: there is none, which counts as consent unless it is `required`.
 * An answer that is no valid record (`undefined`) counts as a refusal. `before`: the state until then, if any.
 */
export const consentAfter = (
  answer: ConsentRecord | null | undefined,
  required: boolean,
  before: Consent | undefined,
): Consent => {
  if (answer === null) return required ? 'unasked' : 'given';
  if (answer?.opt_in === true && ownFields(answer).token) return 'given';
  return before === 'given' || before === 'withdrawn' ? 'withdrawn' : 'refused';
};
