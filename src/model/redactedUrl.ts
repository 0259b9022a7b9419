import { cappedText } from './cappedText';
import { nameMatcher } from './nameMatcher';

/**
 * An address as it may leave the browser: without credentials and fragment, because these hold passwords and tokens,
 * and with `*` for the values of query parameters that have one of these names as words (the setting
 * `redactedParameters`) or that hold an email address. An address may be the value of a parameter, so its parameters
 * are looked for too. It is cut after 2,048 characters, so that a crafted link makes no event too large. Everything
 * else stays as it is written. Takes any text and never throws.
 */
export const redactedUrl = (url: string, parameters: readonly string[]): string => {
  const [withCredentials = ''] = url.split('#', 1);
  const address = cappedText(withCredentials.replace(/^([a-z][a-z\d+.-]*:\/\/)[^/?]*@/i, '$1'));
  const start = address.indexOf('?') + 1;
  if (start === 0) return address;
  const isRedacted = nameMatcher(parameters);
  // Parts first, then the names in each: one expression for both would try each start of a long text again.
  const query = address.slice(start).replace(/[^&;]+/g, (part) => {
    let from = 0;
    for (const { index, 0: sign } of part.matchAll(signs)) {
      const name = part.slice(from, index).split(separators).at(-1) ?? '';
      from = index + sign.length;
      if (isRedacted(decoded(name))) return `${part.slice(0, from)}*`;
    }
    return emailAddress.test(part) ? `${part.slice(0, part.indexOf('=') + 1)}*` : part;
  });
  return address.slice(0, start) + query;
};

/** What stands between names and values, also in an address that is itself a value, and so is encoded. */
const signs = /=|%(?:25)*3d/gi;
const separators = /[?#]|%(?:25)*(?:3f|26|23)/i;
const emailAddress = /[^\s@](?:@|%(?:25)*40)[\w-]{1,63}\.[a-z]{2}/i;

/** A name of a query string in clear; as it is where it is not encoded as it should be. */
const decoded = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};

/**
 * The absolute address, if it is http(s). Undefined for any other, because `data:` holds content, and `mailto:` and
 * `tel:` name a person.
 */
export const webAddress = (address: string, base?: string): string | undefined => {
  try {
    const { protocol, href } = new URL(address, base);
    return /^https?:$/.test(protocol) ? href : undefined;
  } catch {
    return undefined;
  }
};
