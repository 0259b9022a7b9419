import type { Unclobbered } from '../hardening/unclobbered';
import { orNone } from '../primitives/orNone';
import type { CookieJar } from './platform';

/** The value of a cookie as it is encoded; undefined where the page has none of that name. */
export const rawCookie = (name: string, { cookie }: Pick<Unclobbered<Document>, 'cookie'>): string | undefined =>
  `; ${cookie}`.split(`; ${name}=`)[1]?.split(';')[0];

/** The page's cookies. Sandboxed frames throw on access, and count as pages without cookies. */
export const documentCookies = (document: Unclobbered<Document>): CookieJar => ({
  // What is not encoded as it should be counts for none.
  read: (name) =>
    orNone(() => {
      const found = rawCookie(name, document);
      return found === undefined ? undefined : decodeURIComponent(found);
    }),
  // A failure is no error: local storage keeps the user id too.
  write: (cookie) => void orNone(() => (document.cookie = cookie)),
});
