import { consentRequired, cookieName, respectGpc, windowKey } from '@project/settings';

import { localKeys, partnerKeys } from '../model/storageKeys';

/** The visitor as the last pages have stored them. A visitor who has not allowed it has neither id nor codes here. */
export interface StoredVisitor {
  /** The user id; undefined where this browser has none. */
  readonly userId: string | undefined;
  /** The codes that are stored under a key of local storage for an ad tag; empty where there are none. */
  readonly codes: (key: string) => readonly string[];
  /** Id of the first view, which the tag has made. */
  readonly viewId: string | undefined;
}

/** The visitor's answer about consent, as it was queued or stored. */
interface Answer {
  readonly opt_in?: boolean;
  readonly token?: string;
}

/** The tag's global object, as far as the companion uses it. */
interface TagObject {
  /** The stub, until the SDK replaces it. */
  consent: (answer?: Answer) => unknown;
  readonly config: {
    readonly consentRequired?: boolean;
    readonly cookieName?: string;
    readonly respectGpc?: boolean;
    readonly viewId?: string;
  };
  readonly q: readonly { readonly functionName: string; readonly arguments: ArrayLike<Answer> }[];
}

const tagObject = (): TagObject => (window as unknown as Record<string, unknown>)[windowKey] as TagObject;

/** Keys that Prebid's modules read by themselves. */
const prebidKeys = [
  partnerKeys.all,
  partnerKeys.appnexus,
  partnerKeys.rubicon,
  partnerKeys.index,
  partnerKeys.advertisers,
  partnerKeys.cleanRooms,
  partnerKeys.ssps,
  localKeys.prebidConfig,
  localKeys.prebidId,
];

/**
 * Hands on the visitor of this moment: nobody where they have refused, or where consent is needed and nobody has given
 * it (spec C§4). Codes of another user than the id cookie names are not handed on. What Prebid reads is removed where
 * it is of another user, or of somebody who refuses or objects to sharing. Never throws: where storage is blocked, or
 * anything is not as the tag and the SDK leave it, nothing is handed on.
 */
export const withVisitor = (tell: (visitor: StoredVisitor) => void): void => {
  try {
    const { config, q } = tagObject();
    const queued = q.filter(({ functionName }) => functionName === 'consent').pop();
    // The page's own answer counts first. A refusal on another host of the site is a cookie.
    const answer = queued
      ? queued.arguments[0]
      : cookie(localKeys.consent)
        ? {}
        : (stored(localKeys.consent) as Answer | null);
    const known = cookie(config.cookieName ?? cookieName);
    const owner = localStorage.getItem(localKeys.userId);
    const isOwn = owner !== null && (known === owner || !isId(known));
    const isRefused = answer !== null && (!answer?.opt_in || answer.token === '');
    if (isRefused || !isOwn || isObjecting(config.respectGpc ?? respectGpc))
      for (const key of prebidKeys) localStorage.removeItem(key);
    const isAllowed = !isRefused && (answer !== null || !(config.consentRequired ?? consentRequired));
    tell({
      userId: isAllowed ? (isOwn ? owner : known) : undefined,
      codes: (key) => (isAllowed && isOwn ? ((stored(key) as unknown[] | null) ?? []).map(String) : []),
      viewId: config.viewId,
    });
  } catch {
    // The page and its ad tags go on without stored codes.
  }
};

/** Calls `react` after each answer about consent that the page gives before the SDK has come. */
export const afterConsent = (react: () => void): void => {
  const tag = tagObject();
  const { consent } = tag;
  tag.consent = (answer) => {
    consent(answer);
    react();
  };
};

/** The JSON under a key of local storage; null where there is none. */
const stored = (key: string): unknown => JSON.parse(localStorage.getItem(key) ?? 'null');

/** The text of a cookie; undefined where there is no such cookie. */
const cookie = (name: string): string | undefined => `; ${document.cookie}`.split(`; ${name}=`)[1]?.split(';')[0];

/** Whether a text may be a user id. The SDK looks more closely; here a wrong id costs the stored codes only. */
const isId = (text: string | undefined): boolean => /^[\da-f-]{36}$/i.test(text ?? '');

/** Whether the browser sends Global Privacy Control, and the project heeds it. */
const isObjecting = (isHeeded: boolean): unknown =>
  isHeeded && (navigator as { readonly globalPrivacyControl?: boolean }).globalPrivacyControl;
