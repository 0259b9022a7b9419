import type { Unclobbered } from '../hardening/unclobbered';
import type { CookieJar } from './platform';

/** The page's cookies. Sandboxed frames throw on access, and count as pages without cookies. */
export const documentCookies = (document: Unclobbered<Document>): CookieJar => ({
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
      // Not an error: local storage keeps the user id too.
    }
  },
});

const all = (document: Unclobbered<Document>): string => {
  try {
    return document.cookie;
  } catch {
    return '';
  }
};

/** The decoded text; undefined where it is not a valid encoding. */
const unescaped = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
};
