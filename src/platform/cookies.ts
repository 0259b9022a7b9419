import type { Unclobbered } from '../hardening/unclobbered';
import { orNone } from '../primitives/orNone';
import { textOrEmpty } from '../primitives/textOrEmpty';
import type { CookieJar } from './platform';

/** The page's cookies. Sandboxed frames throw on access, and count as pages without cookies. */
export const documentCookies = (document: Unclobbered<Document>): CookieJar => ({
  read: cookieReader(document),
  // A failure is no error: local storage keeps the user id too.
  write: (cookie) => void orNone(() => (document.cookie = cookie)),
});

/** Reads a cookie of the page, as `documentCookies` does. */
export const cookieReader =
  (document: Unclobbered<Document>): CookieJar['read'] =>
  (name) => {
    const found = textOrEmpty(document.cookie)
      .split('; ')
      .find((pair) => pair.startsWith(`${name}=`));
    // What is not encoded as it should be counts for none.
    return found === undefined ? undefined : orNone(() => decodeURIComponent(found.slice(name.length + 1)));
  };
