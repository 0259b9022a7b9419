import type { CookieJar } from './platform';

/** The page's cookies. Sandboxed frames throw on access: they have none. */
export const documentCookies = (document: Document): CookieJar => ({
  read: (name) => {
    const found = all(document)
      .split('; ')
      .find((pair) => pair.startsWith(`${name}=`));
    return found === undefined ? undefined : unescaped(found.slice(name.length + 1));
  },
  write: (cookie) => {
    try {
      document.cookie = cookie;
    } catch {
      // Nothing is lost: local storage keeps the id too.
    }
  },
});

const all = (document: Document): string => {
  try {
    return document.cookie;
  } catch {
    return '';
  }
};

const unescaped = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};
