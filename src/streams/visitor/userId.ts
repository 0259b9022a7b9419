import { filter, type Observable } from 'rxjs';

import type { Settings } from '../../model/config';
import { cookieText, expiryDate } from '../../model/cookie';
import { cookieDomains } from '../../model/domain';
import type { PageProject } from '../../model/project';
import type { Report } from '../../model/report';
import { localKeys, ownPrefix, partnerCookies, partnerKeys } from '../../model/storageKeys';
import { isUserId } from '../../model/uuid';
import type { CookieJar, Listen, Page, TextStorage } from '../../platform/platform';

export interface CookieDeps {
  readonly cookies: CookieJar;
  readonly page: Pick<Page, 'host'>;
  readonly setting: Settings;
  /** Ms since 1970; the cookie's expiry counts from it. */
  readonly now: () => number;
  readonly report: Report;
}

export interface UserIdDeps extends CookieDeps {
  readonly local: TextStorage;
  readonly newId: () => string;
}

/** The visitor of this browser. */
export interface User {
  /** A UUID version 4. */
  readonly id: string;
  /** True where the browser held no valid id. */
  readonly isNewlyGenerated: boolean;
}

/** Local storage key of the bare id; the cookie's name is a setting. */
const userIdKey = localKeys.userId;

/**
 * Finds the visitor's id: in the cookie, else in local storage, else a new one. An id that is no UUID version 4 is
 * passed over. The result is written to both places, which renews the cookie (spec C§4, C§5).
 */
export const establishUser = (deps: UserIdDeps): User => {
  const { newId } = deps;
  const known = knownUser(deps);
  const id = known ?? newId();
  keepUser(id, deps);
  return { id, isNewlyGenerated: known === undefined };
};

/** The id in the cookie, else in local storage; undefined where there is no valid one. */
const knownUser = ({ cookies, local, setting }: Omit<UserIdDeps, 'newId'>): string | undefined =>
  [cookies.read(setting('cookieName')), local.read(userIdKey)].find(isUserId);

/**
 * Whether another tab has given this browser another user. What is stored at this moment counts, so several tabs that
 * change the user at once agree on the last change. The cookie is read only where local storage has no id, because
 * browsers fetch cookies from another process and this is asked often.
 */
export const isReplaced = (userId: string, deps: Omit<UserIdDeps, 'newId'>): boolean => {
  const stored = deps.local.read(userIdKey);
  const known = isUserId(stored) ? stored : knownUser(deps);
  return known !== undefined && known !== userId;
};

/** Emits when another tab has stored the id of a user, this page's or another. Hot. */
export const fromUserChange = (listen: Listen): Observable<unknown> =>
  listen('window', 'storage').pipe(filter((event) => (event as StorageEvent).key === userIdKey));

/** Writes the visitor's id to cookie and local storage. */
export const keepUser = (id: string, deps: Omit<UserIdDeps, 'newId'>): void => {
  // The cookie first: other tabs read it when they hear of the change in local storage.
  writeCookie(deps.setting('cookieName'), id, deps);
  deps.local.write(userIdKey, id);
};

/** The domains on which the cookies of this page may be. */
export const possibleDomains = ({ page, setting }: Pick<CookieDeps, 'page' | 'setting'>): readonly string[] => {
  const chosen = setting('cookieDomain');
  return chosen === '' ? cookieDomains(page.host()) : [chosen];
};

/** The domain of the cookies of each jar, as it was found. */
const foundDomains = new WeakMap<CookieJar, string>();

/**
 * The widest of the page's domains on which the browser keeps a cookie, found by one that is removed at once; the
 * registrable domain by its name where there is no choice, or none is kept on any. Only for use with consent.
 */
const widestDomain = ({ cookies, ...deps }: Pick<CookieDeps, 'cookies' | 'page' | 'setting'>): string => {
  const [registrable = '', ...narrower] = possibleDomains(deps);
  if (narrower.length === 0) return registrable;
  const keepsCookie = (domain: string): boolean => {
    // Its end is far, because the device's clock may be wrong.
    cookies.write(textOf(probe, domain, 4e12));
    const isKept = cookies.read(probe) !== undefined;
    cookies.write(textOf(probe, domain, 0));
    return isKept;
  };
  const found = foundDomains.get(cookies) ?? [registrable, ...narrower].find(keepsCookie) ?? registrable;
  foundDomains.set(cookies, found);
  return found;
};

const probe = 'permutive-probe';
/** The text of a cookie that says nothing, until `end`, in ms since 1970; 0 removes the cookie. */
const textOf = (name: string, domain: string, end: number): string =>
  String(cookieText({ name, value: '-', domain, expires: new Date(end) }));

/**
 * Writes a cookie for `cookieDomain` or, without that setting, for the widest domain of the site on which the browser
 * keeps it. Without consent, the domain must be given. A cookie that is incomplete or too large is not written; that is
 * reported.
 */
export const writeCookie = (
  name: string,
  value: string,
  { cookies, page, setting, now, report }: CookieDeps,
  domain = widestDomain({ cookies, page, setting }),
): void => {
  const cookie = cookieText({ name, value, domain, expires: expiryDate(setting('cookieExpiry'), now()) });
  if (cookie instanceof Error) report(cookie.message);
  else cookies.write(cookie);
};

export interface EraseDeps extends Omit<UserIdDeps, 'newId' | 'report' | 'now'> {
  readonly session: TextStorage;
  /** Names the local storage keys of the publisher's choice, which hold cohorts. */
  readonly project: Pick<PageProject, 'storageKeys'>;
}

/**
 * Removes everything that the SDK has stored in local storage, session storage and cookies, except the visitor's answer
 * about consent (spec C§4). IndexedDB is erased elsewhere.
 */
export const eraseVisitor = ({ cookies, local, session, page, setting, project }: EraseDeps): void => {
  // Keys of the publisher's choice are removed too, because they hold cohorts.
  const chosen = project.storageKeys ?? [];
  for (const key of local.keys())
    if (!isKept(key) && (isOurs(key) || key === setting('stateNamespace') || chosen.includes(key))) local.remove(key);
  for (const key of session.keys()) if (key.startsWith('__permutive')) session.remove(key);
  for (const name of [setting('cookieName'), ...partnerCookies]) eraseCookie(name, { cookies, page, setting });
};

/** Removes a cookie from all domains that `writeCookie` may have written it to. Sets none to find out. */
export const eraseCookie = (
  name: string,
  { cookies, page, setting }: Pick<CookieDeps, 'cookies' | 'page' | 'setting'>,
): void => {
  for (const domain of possibleDomains({ page, setting })) cookies.write(textOf(name, domain, 0));
};

const partners: readonly string[] = Object.values(partnerKeys);
/** The answer about consent stays, and so do accepted events: those go with the journal. */
const isKept = (key: string): boolean => key === localKeys.consent || key.startsWith(`${localKeys.localJournal}/`);
const isOurs = (key: string): boolean => key.startsWith(ownPrefix) || partners.includes(key);
