import { type Fields, isRecord } from '../codecs/codecs';
import { ownEntry } from '../hardening/ownFields';
import { localKeys } from '../model/storageKeys';
import { orNone } from '../primitives/orNone';
import { isConsentCall } from '../privacy/consentCall';

/** Where the visitor's answer about consent may be. */
export interface AnswerPlaces {
  /** The page's settings and its queue of calls, as they are now. */
  readonly tag: Readonly<Record<string, unknown>>;
  /** Whether the project's definition requires consent. A page may say otherwise. */
  readonly consentRequired: boolean;
  /** Reads a cookie as it is encoded. */
  readonly cookie: (name: string) => string | undefined;
  /** Opens local storage. Throws where the page has none. */
  readonly local: () => Pick<Storage, 'getItem'>;
}

/**
 * What the page script sees of consent before the main part has come:
 *
 * - `unasked`: consent is required, and there is no answer. Exactly where the main part finds so,
 *   unless a cookie cannot be decoded.
 * - `given`: there is consent, or none is required. Only where the main part finds so.
 * - `unclear`: everything else, such as a refusal or an answer that cannot be read here.
 */
export type ConsentSeen = 'unasked' | 'given' | 'unclear';

/**
 * Looks for an answer in the page's queue, in a cookie and in local storage (spec C§4).
 * `src/streams/visitor/fromConsent.ts` decides what the answer is, and reports what is wrong with it. A visitor who was
 * not asked is left alone by what is seen here; where consent is `given`, only files are loaded earlier.
 */
export const consentSeen = ({ tag, consentRequired, cookie, local }: AnswerPlaces): ConsentSeen => {
  try {
    const call = lastConsentCall(tag['q']);
    if (call) return isConsent(argumentOf(call), true) ? 'given' : 'unclear';
    // The cookie holds refusals alone.
    if (cookie(localKeys.consent) !== undefined) return 'unclear';
    // A page without local storage has stored no answer.
    const stored = orNone(() => local().getItem(localKeys.consent));
    if (stored != null) return isConsent(JSON.parse(stored), false) ? 'given' : 'unclear';
    return isRequired(tag['config'], consentRequired) ? 'unasked' : 'given';
  } catch {
    return 'unclear';
  }
};

/** The setting `consentRequired`, as `src/model/config.ts` reads it: a value that is no boolean counts as true. */
const isRequired = (config: unknown, byProject: boolean): boolean => {
  const given = isRecord(config) ? ownEntry(config, 'consentRequired') : undefined;
  return given === undefined ? byProject : given !== false;
};

const lastConsentCall = (queue: unknown): Fields | undefined =>
  (Array.isArray(queue) ? queue : []).filter(isConsentCall).pop();

/** The first argument of a call. Older tags queue their `arguments` object as it is. */
const argumentOf = ({ arguments: args }: Fields): unknown =>
  (Object(args) as ArrayLike<unknown>).length > 0 ? (args as ArrayLike<unknown>)[0] : undefined;

/** Whether an answer is consent. A call may leave the token out (`src/model/consent.ts`). */
const isConsent = (answer: unknown, isCall: boolean): boolean => {
  if (!isRecord(answer) || ownEntry(answer, 'opt_in') !== true) return false;
  const token = ownEntry(answer, 'token');
  return typeof token === 'string' ? token !== '' : token === undefined && isCall;
};
