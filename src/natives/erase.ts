import * as project from '@project/settings';

import { databases, localKeys, ownPrefix, partnerCookies, partnerKeys, tabPrefix } from '../model/storageKeys';

/** How long the refusal is kept in a cookie, in seconds: a year. */
const refusalSeconds = 31_536_000;

/** Whether a text begins with another one. */
const beginsWith = (text: string, start: string): boolean => {
  for (let i = 0; i < start.length; i += 1) if (text[i] !== start[i]) return false;
  return true;
};

/** Whether a list has an item. */
const includes = (list: readonly unknown[], item: unknown): boolean => {
  for (let i = 0; i < list.length; i += 1) if (list[i] === item) return true;
  return false;
};

/** The page's host and each domain above it; first the empty text, for a cookie of the host alone. */
const domainsOf = (host: string): readonly string[] => {
  const domains = ['', host];
  for (let dot = 0; dot < host.length; dot += 1) {
    if (host[dot] !== '.') continue;
    let domain = '';
    for (let i = dot + 1; i < host.length; i += 1) domain += host[i] ?? '';
    domains[domains.length] = domain;
  }
  return domains;
};

/** Removes what is ours in a storage. */
const eraseStorage = (open: () => Storage, isOurs: (key: string) => boolean): void => {
  try {
    const storage = open();
    for (let i = storage.length - 1; i >= 0; i -= 1) {
      const key = storage.key(i);
      if (key !== null && isOurs(key)) storage.removeItem(key);
    }
  } catch {
    // Nothing of ours is where storage is blocked.
  }
};

/** Whether a key of local storage is ours. A key of a partner is one by its whole text. */
const isOursIn =
  (stateKey: string) =>
  (key: string): boolean => {
    if (key === localKeys.consent) return false;
    for (const name in partnerKeys) if (partnerKeys[name as keyof typeof partnerKeys] === key) return true;
    return beginsWith(key, ownPrefix) || key === stateKey || includes(project.storageKeys, key);
  };

/**
 * Keeps the refusal and erases what is stored of the visitor, as the SDK does (spec C§4), on a page whose natives do
 * not work. Calls no native of the language. `config`: the page's settings.
 */
export const eraseVisitor = (window: Window, config: Readonly<Record<string, unknown>>): void => {
  const { document, location } = window;
  const textOr = (name: string, other: string): string => (config[name] as string | undefined) ?? other;
  eraseStorage(() => window.localStorage, isOursIn(textOr('stateNamespace', project.stateNamespace)));
  eraseStorage(
    () => window.sessionStorage,
    (key) => beginsWith(key, tabPrefix),
  );
  const domains = domainsOf(location.hostname);
  const write = (name: string, value: string, seconds: number, domain = ''): void => {
    const scope = domain === '' ? '' : `domain=${domain}; `;
    document.cookie = `${name}=${value}; max-age=${seconds}; ${scope}path=/; SameSite=none; secure`;
  };
  try {
    for (let k = 0; k < domains.length; k += 1) {
      write(textOr('cookieName', project.cookieName), '', 0, domains[k]);
      write(localKeys.userSince, '', 0, domains[k]);
      for (let i = 0; i < partnerCookies.length; i += 1) write(partnerCookies[i] as string, '', 0, domains[k]);
    }
    const before = document.cookie;
    // The widest of the site's domains on which the browser keeps it.
    for (let k = domains.length - 1; k >= 0 && document.cookie === before; k -= 1)
      write(localKeys.consent, '%7B%22opt_in%22%3Afalse%7D', refusalSeconds, domains[k]);
  } catch {
    // A sandboxed frame has no cookies.
  }
  try {
    window.localStorage.setItem(localKeys.consent, '{"opt_in":false}');
    window.indexedDB.deleteDatabase(databases.store);
    window.indexedDB.deleteDatabase(databases.journal);
  } catch {
    // The cookie says the refusal, and a browser without databases has none of ours.
  }
};
