import { isRecord } from '../codecs/codecs';
import { ownEntry } from '../hardening/ownFields';
import { localKeys } from '../model/storageKeys';
import type { CookieJar } from '../platform/platform';

/** Where the visitor's answer about consent may be. */
export interface AnswerPlaces {
  /** The page's settings and its queue of calls, as they are now. */
  readonly tag: Readonly<Record<string, unknown>>;
  /** Whether the project's definition requires consent. A page may say otherwise. */
  readonly consentRequired: boolean;
  readonly cookies: Pick<CookieJar, 'read'>;
  /** Opens local storage. Throws where the page has none. */
  readonly local: () => Pick<Storage, 'getItem'>;
}

/**
 * False where it is certain that the state of consent is `unasked`: consent is required, and there is no answer in the
 * page's queue, in a cookie or in local storage (spec C§4). What an answer says is not looked at here:
 * `src/streams/visitor/fromConsent.ts` reads it. True too where the page's objects cannot be read.
 */
export const mayHaveAnswered = ({ tag, consentRequired, cookies, local }: AnswerPlaces): boolean => {
  try {
    return (
      !isRequired(tag['config'], consentRequired) ||
      hasConsentCall(tag['q']) ||
      cookies.read(localKeys.consent) !== undefined ||
      isInLocalStorage(local)
    );
  } catch {
    return true;
  }
};

/** The setting `consentRequired`, as `src/model/config.ts` reads it: a value that is no boolean counts as true. */
const isRequired = (config: unknown, byProject: boolean): boolean => {
  const given = isRecord(config) ? ownEntry(config, 'consentRequired') : undefined;
  return given === undefined ? byProject : given !== false;
};

const hasConsentCall = (queue: unknown): boolean =>
  Array.isArray(queue) && queue.some((call) => isRecord(call) && call['functionName'] === 'consent');

const isInLocalStorage = (local: AnswerPlaces['local']): boolean => {
  try {
    return local().getItem(localKeys.consent) !== null;
  } catch {
    return false;
  }
};
