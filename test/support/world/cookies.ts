/** One cookie of a browser. */
interface StoredCookie {
  readonly name: string;
  readonly value: string;
  /** The domain that it is for; of one host alone where `isHostOnly`. */
  readonly domain: string;
  readonly isHostOnly: boolean;
}

/** The cookies of a browser, with the rules of domains. Paths and the ages of cookies that live on play no part. */
export interface Cookies {
  /** The raw value that a page of this host sees; undefined where there is none. */
  readonly read: (host: string, name: string) => string | undefined;
  /** Takes one `document.cookie` string. Answers what it has changed; undefined where the cookie is refused. */
  readonly write: (host: string, text: string) => CookieChange | undefined;
  /** All cookies that a page of this host sees, by name. */
  readonly of: (host: string) => Readonly<Record<string, string>>;
}

export interface CookieChange {
  readonly name: string;
  /** Null where the cookie was removed. */
  readonly value: string | null;
  /** Whether a cookie of that name was there before. */
  readonly had: boolean;
}

/**
 * Makes an empty cookie jar. A name with one label, such as `example`, is a public suffix, which no cookie may be for.
 */
export const newCookies = (now: () => number): Cookies => {
  const stored = new Map<string, StoredCookie>();
  const isFor = (host: string, { domain, isHostOnly }: StoredCookie): boolean =>
    host === domain || (!isHostOnly && host.endsWith(`.${domain}`));
  const seen = (host: string): readonly StoredCookie[] => [...stored.values()].filter((cookie) => isFor(host, cookie));
  return {
    read: (host, name) => seen(host).find((cookie) => cookie.name === name)?.value,
    write: (host, text) => {
      const [pair = '', ...rest] = text.split(';').map((part) => part.trim());
      const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
      const attributes = new Map(
        rest.map((part) => {
          const [key = '', ...given] = part.split('=');
          return [key.toLowerCase(), given.join('=')] as const;
        }),
      );
      const asked = attributes.get('domain')?.replace(/^\./, '');
      const domain = asked ?? host;
      if (domain !== host && (!host.endsWith(`.${domain}`) || !domain.includes('.'))) return undefined;
      const key = `${domain}|${asked === undefined}|${name}`;
      const had = stored.has(key);
      const expires = attributes.get('expires');
      const isGone = attributes.get('max-age') === '0' || (expires !== undefined && !(Date.parse(expires) > now()));
      if (isGone) stored.delete(key);
      else stored.set(key, { name, value, domain, isHostOnly: asked === undefined });
      return { name, value: isGone ? null : value, had };
    },
    of: (host) => Object.fromEntries(seen(host).map(({ name, value }) => [name, value])),
  };
};
