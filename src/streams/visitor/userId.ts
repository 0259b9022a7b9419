import { filter, type Observable } from 'rxjs';

import { ownEntry } from '../../hardening/ownFields';
import type { PageProject } from '../../model/project';
import { localKeys, ownPrefix, partnerCookies, partnerKeys, tabPrefix } from '../../model/storageKeys';
import type { CookieJar, Listen, Page, Tools } from '../../platform/platform';
import { type Cookie, cookieLine, cookieText, expiryDate } from '../../primitives/cookie';
import { cookieDomains } from '../../primitives/domain';
import { isUserId } from '../../primitives/uuid';

export interface CookieDeps extends Pick<Tools, 'cookies' | 'setting' | 'now' | 'report'> {
  readonly page: Pick<Page, 'host'>;
}

export type UserIdDeps = CookieDeps & StoredDeps & Pick<Tools, 'json' | 'newId'>;
type KeepDeps = Omit<UserIdDeps, 'newId'>;

/** Local storage, and what names the keys of the SDK in it. */
interface StoredDeps extends Pick<Tools, 'local' | 'setting'> {
  /** Names the local storage keys of the publisher's choice, which hold cohorts. */
  readonly project: Pick<PageProject, 'storageKeys'>;
}

/** The visitor of this browser. */
export interface User {
  /** A UUID version 4. */
  readonly id: string;
  /** True where the browser held no valid id. */
  readonly isNewlyGenerated: boolean;
}

/**
 * Local storage key of the bare id; the cookie's name is a setting. The id there says whose everything of a visitor in
 * this storage is. The cookie may be of another user, because another origin of the site can have changed it.
 */
const userIdKey = localKeys.userId;
const sinceKey = localKeys.userSince;

/**
 * Finds the visitor's id: in the cookie, else in local storage, else a new one. An id that is no UUID version 4 is
 * passed over, and so is one that another has replaced. The result is written to both places, which renews the cookie
 * (spec C§4, C§5). What local storage has of another user is removed.
 */
export const establishUser = (deps: UserIdDeps): User => {
  const { newId } = deps;
  const known = knownUser(deps);
  const id = known?.id ?? newId();
  keepUser(id, deps);
  return { id, isNewlyGenerated: known === undefined };
};

/**
 * The later of the ids in the cookie and in local storage; undefined where there is no valid one. The cookie wins where
 * both count since the same time. One that another tab has just written may be seen late, and another host of the site
 * writes the cookie alone, so neither place is always right.
 */
export const knownUser = ({ cookies, local, setting }: Pick<KeepDeps, 'cookies' | 'local' | 'setting'>) =>
  [knownTo(cookies.read, setting('cookieName')), knownTo(local.read, userIdKey)]
    .filter(({ id }) => isUserId(id))
    .sort((a, b) => b.since - a.since)[0] as { readonly id: string; readonly since: number } | undefined;

/** The id that is stored in one place, and since when it counts, in ms since 1970; 0 where nobody has stored that. */
const knownTo = (read: (key: string) => string | null | undefined, key: string) => ({
  id: read(key),
  since: Number(read(sinceKey)) || 0,
});

/** Emits when another tab has stored the id of a user, this page's or another, or has removed it. Hot. */
export const fromUserChange = (listen: Listen): Observable<unknown> =>
  listen('window', 'storage').pipe(filter((event) => (event as StorageEvent).key === userIdKey));

/**
 * Writes the visitor's id to cookie and local storage. An id that is not the known one counts from now on, and later
 * than that one, whatever the clock says. Where local storage is another user's, or nobody's, everything of a visitor
 * is removed from it, but `kept`. The events that wait there for their upload stay, because each names its user, and so
 * do calls where the storage was nobody's. Other tabs find either id at any moment, and never none.
 */
export const keepUser = (id: string, deps: KeepDeps, kept: readonly string[] = []): void => {
  const { local, json, setting, now } = deps;
  const known = knownUser(deps);
  // The first id of a browser counts since ever, because there is none that it has replaced.
  const since = known === undefined ? 0 : known.id === id ? known.since : Math.max(now(), known.since + 1);
  // The cookie first: other tabs read it when they hear of the change in local storage.
  writeCookie(setting('cookieName'), id, deps);
  if (since > 0) writeCookie(sinceKey, `${since}`, deps);
  const before = local.read(userIdKey);
  const stateKey = setting('stateNamespace');
  const isLeft = (key: string): boolean =>
    kept.includes(key) ||
    isOfBrowser(key) ||
    key.startsWith(userIdKey) ||
    // A visitor without an id may have left a page before the SDK had come.
    (before === null && key === localKeys.leftCalls);
  const forget = (): void => {
    if (before === id) return;
    const state = Object(json.parse(local.read(stateKey) ?? 'null')) as Readonly<Record<string, unknown>>;
    const eventPublication = ownEntry(state, 'eventPublication');
    // A first visit here leaves the cookies alone: they are the user's of the origins that share them.
    erase(deps, before === null ? [] : partnerCookies, isLeft);
    if (eventPublication !== undefined) local.write(stateKey, json.stringify({ eventPublication }));
  };
  // Before the id is written, so that what a page leaves that ends in between is the user's of before. After it too,
  // because a tab of the user of before may have written meanwhile.
  forget();
  if (since > 0) local.write(sinceKey, `${since}`);
  local.write(userIdKey, id);
  if (before !== null) forget();
};

/** The domain of the cookies of each jar, as it was found. */
const foundDomains = new WeakMap<CookieJar, string>();

/**
 * The widest of the page's domains on which the browser keeps a cookie, found by one that is removed at once; the
 * registrable domain by its name where there is no choice, or none is kept on any. Only for use with consent.
 */
const widestDomain = ({ cookies, page }: Pick<CookieDeps, 'cookies' | 'page'>): string => {
  const [registrable = '', ...narrower] = cookieDomains(page.host());
  if (narrower.length === 0) return registrable;
  const keepsCookie = (domain: string): boolean => {
    // The end of the cookie is far, because the device's clock may be wrong.
    writeEmpty(cookies, probeCookie, domain, 4e12);
    const isKept = cookies.read(probeCookie) !== undefined;
    writeEmpty(cookies, probeCookie, domain, 0);
    return isKept;
  };
  const found = foundDomains.get(cookies) ?? [registrable, ...narrower].find(keepsCookie) ?? registrable;
  foundDomains.set(cookies, found);
  return found;
};

const probeCookie = 'permutive-probe';
/** Writes a cookie that says nothing, until `end`, in ms since 1970; 0 removes the cookie. */
const writeEmpty = (cookies: CookieJar, name: string, domain: string, end: number): void =>
  cookies.write(cookieLine({ name, value: '', domain, expires: new Date(end) }));

/**
 * Writes a cookie for `cookieDomain` or, without that setting, for the widest domain of the site on which the browser
 * keeps it. Without consent, the domain must be given. A cookie that is incomplete or too large is not written; that is
 * reported. Answers whether it was written.
 */
export const writeCookie = (
  name: string,
  value: Cookie['value'],
  { cookies, page, setting, now, report }: CookieDeps,
  domain = setting('cookieDomain') || widestDomain({ cookies, page }),
): boolean => {
  const cookie = cookieText({ name, value, domain, expires: expiryDate(setting('cookieExpiry'), now()) });
  const isWhole = !(cookie instanceof Error);
  if (isWhole) cookies.write(cookie);
  else report(cookie.message);
  return isWhole;
};

export type EraseDeps = StoredDeps & Pick<CookieDeps, 'cookies' | 'page'> & Pick<Tools, 'session'>;

/**
 * Removes everything that the SDK has stored in local storage, session storage and cookies, except the visitor's answer
 * about consent (spec C§4). IndexedDB is erased elsewhere.
 */
export const eraseVisitor = (deps: EraseDeps): void => {
  erase(deps, [deps.setting('cookieName'), sinceKey, ...partnerCookies], isKept);
  eraseTab(deps);
};

/** Removes what the SDK has stored in session storage. */
export const eraseTab = ({ session }: Pick<EraseDeps, 'session'>): void => {
  for (const key of session.keys()) if (key.startsWith(tabPrefix)) session.remove(key);
};

/** Removes cookies, and the keys of the SDK from local storage. */
const erase = (
  deps: StoredDeps & Parameters<typeof eraseCookie>[1],
  names: readonly string[],
  isLeft: (key: string) => boolean,
): void => {
  const { local, setting, project } = deps;
  for (const name of names) eraseCookie(name, deps);
  // Keys of the publisher's choice are removed too, because they hold cohorts.
  const chosen = project.storageKeys ?? [];
  for (const key of local.keys())
    if (!isLeft(key) && (isOurs(key) || key === setting('stateNamespace') || chosen.includes(key))) local.remove(key);
};

/**
 * Removes a cookie from the page's host, with and without a domain, and from each of its parent domains: `cookieDomain`
 * may have been another when the cookie was written. Browsers ignore a domain that no cookie can have.
 */
export const eraseCookie = (name: string, { cookies, page }: Pick<CookieDeps, 'cookies' | 'page'>): void => {
  const labels = page.host().split('.');
  for (const domain of ['', ...labels.map((_, i) => labels.slice(i).join('.'))]) writeEmpty(cookies, name, domain, 0);
};

const partners: readonly string[] = Object.values(partnerKeys);
/** The answer about consent stays, and so do accepted events: those go with the journal. */
const isKept = (key: string): boolean => key === localKeys.consent || key.startsWith(`${localKeys.localJournal}/`);
/** Also what is of the browser and its pages, whoever the visitor is. */
const isOfBrowser = (key: string): boolean => isKept(key) || key === localKeys.leases || key === localKeys.prebidConfig;
const isOurs = (key: string): boolean => key.startsWith(ownPrefix) || partners.includes(key);
