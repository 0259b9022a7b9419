import { isRight } from 'fp-ts/Either';

import type { Settings } from '../../model/config';
import { cookieText, expiryDate } from '../../model/cookie';
import { registrableDomain } from '../../model/domain';
import type { PageProject } from '../../model/project';
import type { Report } from '../../model/report';
import { UserId } from '../../model/uuid';
import type { CookieJar, Page, TextStorage } from '../../platform/platform';

export interface CookieDeps {
  readonly cookies: CookieJar;
  readonly page: Pick<Page, 'host'>;
  readonly setting: Settings;
  readonly now: () => number;
  readonly report: Report;
}

export interface UserIdDeps extends CookieDeps {
  readonly local: TextStorage;
  readonly newId: () => string;
}

export interface User {
  readonly id: string;
  readonly isNewlyGenerated: boolean;
}

/** Local storage key of the bare id; the cookie's name is a setting. */
const userIdKey = 'permutive-id';

/** The visitor's id: from the cookie, else local storage, else new; written to both (spec C§4, C§5). */
export const establishUser = (deps: UserIdDeps): User => {
  const { cookies, local, setting, newId } = deps;
  const known = [cookies.read(setting('cookieName')), local.read(userIdKey)].find((id) => UserId.is(id));
  const id = known ?? newId();
  keepUser(id, deps);
  return { id, isNewlyGenerated: known === undefined };
};

/** Writes the visitor's id to cookie and local storage. */
export const keepUser = (id: string, deps: Omit<UserIdDeps, 'newId'>): void => {
  deps.local.write(userIdKey, id);
  writeCookie(deps.setting('cookieName'), id, deps);
};

/** Writes a cookie for the site's registrable domain, or for `cookieDomain`; warns where that is not possible. */
export const writeCookie = (name: string, value: string, { cookies, page, setting, now, report }: CookieDeps): void => {
  const domain = setting('cookieDomain') || registrableDomain(page.host());
  const cookie = cookieText({ name, value, domain, expires: expiryDate(setting('cookieExpiry'), now()) });
  if (isRight(cookie)) cookies.write(cookie.right);
  else report(cookie.left);
};

export interface EraseDeps extends Omit<UserIdDeps, 'newId' | 'report' | 'now'> {
  readonly session: TextStorage;
  readonly project: Pick<PageProject, 'storageKeys'>;
}

/** Takes everything of ours from this browser, except the visitor's answer about consent (spec C§4). */
export const eraseVisitor = ({ cookies, local, session, page, setting, project }: EraseDeps): void => {
  // Keys of the publisher's choice hold cohorts too.
  const chosen = project.storageKeys ?? [];
  for (const key of local.keys())
    if (key !== 'permutive-consent' && (isOurs(key) || key === setting('stateNamespace') || chosen.includes(key)))
      local.remove(key);
  for (const key of session.keys()) if (key.startsWith('__permutive')) session.remove(key);
  for (const name of [setting('cookieName'), '_pdfps', '_papns']) eraseCookie(name, { cookies, page, setting });
};

export const eraseCookie = (
  name: string,
  { cookies, page, setting }: Pick<CookieDeps, 'cookies' | 'page' | 'setting'>,
): void => {
  const domain = setting('cookieDomain') || registrableDomain(page.host());
  cookies.write(`${name}=; expires=Thu, 01 Jan 1970 00:00:00 GMT; domain=${domain}; path=/; SameSite=none; secure`);
};

const partnerKeys = [
  '_psegs',
  '_pdfps',
  '_papns',
  '_prubicons',
  '_pindexs',
  '_pnativo',
  '_pfws',
  '_ppam',
  '_pcrprs',
  '_pclmc',
  '_pssps',
];
const isOurs = (key: string): boolean => key.startsWith('permutive-') || partnerKeys.includes(key);
