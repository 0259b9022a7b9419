import * as project from '@project/settings';

import { localKeys, partnerKeys, sharedKeys } from '../model/storageKeys';

/** Settings of the page, as its tag has them. */
interface TagConfig {
  readonly consentRequired?: unknown;
  readonly cookieName?: string;
  readonly respectGpc?: boolean;
  /** Id of the first view, which the tag has made. */
  readonly viewId?: string;
  readonly workspaceId?: string;
}

/** The visitor as the last pages have stored them. A visitor who has not allowed it has neither id nor codes here. */
export interface StoredVisitor {
  /** The user id; undefined where this browser has none, and false where nobody has allowed it. */
  readonly userId: string | false | undefined;
  /** The codes that are stored under a key of local storage for an ad tag; empty where there are none. */
  readonly codes: (key: string) => readonly string[];
  readonly config: TagConfig;
}

/** The visitor's answer about consent, as this page or an earlier one has given it. */
interface Answer {
  readonly opt_in?: unknown;
  readonly token?: unknown;
}

/** The tag's global object, as far as the companion uses it. */
export interface TagObject {
  /** The stub, until the SDK replaces it. */
  consent: (answer?: Answer) => unknown;
  readonly config: TagConfig;
  /** The SDK's, once it has taken the tag. */
  readonly version?: string | undefined;
  readonly q: ({ readonly functionName: string; readonly arguments: ArrayLike<Answer> } | null)[];
  /** Whether this page has given an answer about consent that is stored, and no longer in the queue. */
  isAnswered?: boolean;
}

export const tagObject = (): TagObject =>
  (window as unknown as Record<string, unknown>)[project.windowKey] as TagObject;

/** Keys that bidders and partners read by themselves. An objection to sharing leaves the first two. */
const readByOthers = [partnerKeys.appnexus, partnerKeys.all, ...sharedKeys];

/**
 * The visitor of this moment: nobody where they have refused, or where consent is needed and nobody has given it (spec
 * C§4). An answer that the SDK could not read is a refusal here too. Codes of another user than the id cookie names are
 * left out, and so are codes that have ended. What bidders and partners read by themselves is removed where it is of
 * another user or of somebody who refuses, and where anything cannot be read. Where the visitor objects to sharing, the
 * publisher's own ad servers keep their codes. Throws where storage is blocked, and where the page is not as the tag
 * leaves it.
 */
export const storedVisitor = (): StoredVisitor => {
  let kept = 0;
  try {
    const { config, q } = tagObject();
    const {
      consentRequired = project.consentRequired,
      cookieName = project.cookieName,
      respectGpc = project.respectGpc,
    } = config;
    let queued: (typeof q)[number] | undefined;
    // No method of lists: a page may have replaced it, and then a refusal would not be heard.
    // oxlint-disable-next-line typescript/no-for-in-array -- what pages add to lists is no call
    for (const i in q) if (q[i]?.functionName === 'consent') queued = q[i];
    // The page's own answer counts first. A refusal on another host is a cookie. An empty text is no answer.
    const answer = queued ? queued.arguments[0] || 0 : (cookie(localKeys.consent) ?? stored(localKeys.consent));
    // As in the SDK, a call without a token has one, here the call itself. A stored answer without one does not count,
    // nor does an empty one.
    const { opt_in, token = queued } = answer as Answer;
    const isAllowed = answer === '' ? consentRequired === false : opt_in === true && (token as string) > '';
    const ends = stored(localKeys.codeEnds) as Readonly<Record<string, number>>;
    const owner = localStorage.getItem(localKeys.userId);
    // The SDK looks more closely at ids; here a wrong one costs the stored codes only.
    const userId = [cookie(cookieName), owner].find((id) => /^[\da-f-]{36}$/i.test(id as string));
    if (userId === owner && (isAllowed || answer === ''))
      kept = respectGpc && (navigator as { readonly globalPrivacyControl?: boolean }).globalPrivacyControl ? 2 : 99;
    return {
      userId: isAllowed && (userId as string | undefined),
      codes: (key) =>
        (((isAllowed && userId === owner && stored(key)) || []) as (string | number)[]).flatMap((code) =>
          (ends[code] as number) < Date.now() ? [] : `${code}`,
        ),
      config,
    };
  } finally {
    // oxlint-disable-next-line typescript/no-for-in-array -- as above: what pages add has no number
    for (const i in readByOthers) if (+i >= kept) localStorage.removeItem(readByOthers[i] as string);
  }
};

/** What is under a key of local storage; an empty text where there is nothing. Text that is no JSON throws. */
export const stored = (key: string): unknown => JSON.parse(localStorage.getItem(key) ?? '""');

/** The text of a cookie; undefined where there is no such cookie. */
export const cookie = (name: string): string | undefined =>
  `; ${document.cookie}`.split(`; ${name}=`)[1]?.split(';')[0];
