/** One cookie of a browser. */
interface StoredCookie {
  readonly name: string;
  readonly value: string;
  /** The domain that it is for; of one host alone where `isHostOnly`. */
  readonly domain: string;
  readonly isHostOnly: boolean;
}

/** A state of a cookie: who has written it, and when. */
interface Version {
  /** Undefined where the cookie was removed. */
  readonly cookie: StoredCookie | undefined;
  readonly by: CookieReader | undefined;
  readonly at: number;
}

/** A page, in a process of its own. */
export interface CookieReader {
  /** When it was opened, by the clock of the cookies. The page knows all cookies that were written before. */
  readonly openedAt: number;
}

/** The cookies of a browser, with the rules of domains. Paths and the ages of cookies that live on play no part. */
export interface Cookies {
  /** The raw value that a page of this host sees; undefined where there is none. */
  readonly read: (host: string, name: string, reader?: CookieReader) => string | undefined;
  /** Takes one `document.cookie` string. Answers what it has changed; undefined where the cookie is refused. */
  readonly write: (host: string, text: string, writer?: CookieReader) => CookieChange | undefined;
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

/** When things happen, and how much later other pages see them. */
export interface CookieTimes {
  /** Ms since the story began. */
  readonly clock: () => number;
  /** A page sees after so many ms what another has written. */
  readonly lateMs: number;
}

/**
 * Makes an empty cookie jar. A name with one label, such as `example`, is a public suffix, which no cookie may be for.
 */
export const newCookies = (
  now: () => number,
  { clock, lateMs }: CookieTimes = { clock: () => 0, lateMs: 0 },
): Cookies => {
  const stored = new Map<string, readonly Version[]>();
  const seenBy = (reader: CookieReader | undefined): readonly StoredCookie[] =>
    [...stored.values()].flatMap((versions) => {
      const isSeen = ({ by, at }: Version): boolean =>
        reader === undefined || by === reader || at <= Math.max(reader.openedAt, clock() - lateMs);
      return [...versions].reverse().find(isSeen)?.cookie ?? [];
    });
  const isFor = (host: string, { domain, isHostOnly }: StoredCookie): boolean =>
    host === domain || (!isHostOnly && host.endsWith(`.${domain}`));
  const seen = (host: string, reader?: CookieReader): readonly StoredCookie[] =>
    seenBy(reader).filter((cookie) => isFor(host, cookie));
  return {
    read: (host, name, reader) => seen(host, reader).find((cookie) => cookie.name === name)?.value,
    write: (host, text, writer) => {
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
      const before = stored.get(key) ?? [];
      const had = before.at(-1)?.cookie !== undefined;
      const expires = attributes.get('expires');
      const isGone = attributes.get('max-age') === '0' || (expires !== undefined && !(Date.parse(expires) > now()));
      const cookie = isGone ? undefined : { name, value, domain, isHostOnly: asked === undefined };
      stored.set(key, [...before, { cookie, by: writer, at: clock() }]);
      return { name, value: isGone ? null : value, had };
    },
    of: (host) => Object.fromEntries(seen(host).map(({ name, value }) => [name, value])),
  };
};
