import type { CookieJar } from '../platform/platform';

/** Cookies without a browser: by name, and one that has expired is gone. Domains and paths play no part. */
export interface MemoryCookies extends CookieJar {
  /** Cookies that are set, by name. */
  readonly jar: ReadonlyMap<string, string>;
}

/** Makes a jar with these values by name. Names that it does not have are read from `under`. */
export const memoryCookies = (
  start: Readonly<Record<string, string>> = {},
  under: CookieJar['read'] = () => undefined,
): MemoryCookies => {
  const jar = new Map(Object.entries(start));
  const removed = new Set<string>();
  return {
    jar,
    read: (name) => (removed.has(name) ? undefined : (jar.get(name) ?? under(name))),
    write: (cookie) => {
      const [, name = '', value = ''] = /^([^=]*)=([^;]*)/.exec(cookie) ?? [];
      // The SDK removes a cookie by an empty one that has expired.
      if (cookie.includes('expires=Thu, 01 Jan 1970')) {
        jar.delete(name);
        removed.add(name);
      } else {
        jar.set(name, decodeURIComponent(value));
        removed.delete(name);
      }
    },
  };
};
