import { cappedText } from '../hardening/cappedText';
import { nameMatcher } from './nameMatcher';
import { isSecret, isSecretPath } from './personal';

/**
 * An address as it may leave the browser: without credentials, which are secret, and with `*` for the values of
 * parameters of path and query that have one of these names (the setting `redactedParameters`, as `nameMatcher` finds
 * names) or that look secret, and for parts of the path that do. An address may be the value of a parameter, so its
 * parameters are looked for too. A fragment that begins with `/` or `!/` is a route, and is treated like an address;
 * any other is left out, because it may hold a token. Each is cut after 2,048 characters, so that a crafted link makes
 * no event too large. All other parts of the address stay as they are written. Takes any text and never throws.
 */
export const redactedUrl = (url: string, parameters: readonly string[]): string => {
  const [address = '', fragment = ''] = url.split('#', 2);
  const isRedacted = nameMatcher(parameters);
  /** A part of an address between its separators. */
  const redactedPart = (part: string, isHidden: typeof isSecret): string => {
    let from = 0;
    // Parts first, then the names in each: one expression for both would try each start of a long text again.
    for (const { index, 0: sign } of part.matchAll(signs)) {
      const name = part.slice(from, index).split(separators).at(-1) ?? '';
      from = index + sign.length;
      if (isRedacted(decodedName(name))) return `${part.slice(0, from)}*`;
    }
    return isHidden(part) ? `${part.slice(0, part.indexOf('=') + 1)}*` : part;
  };
  const redacted = (text: string): string => {
    const [, scheme = '', host = '', rest = text] = origin.exec(text) ?? [];
    const local = cappedText(rest);
    const end = local.indexOf('?') + 1 || local.length;
    const path = local.slice(0, end).replace(/[^/;?]+/g, (part) => redactedPart(part, isSecretPath));
    return scheme + host + path + local.slice(end).replace(/[^&;]+/g, (part) => redactedPart(part, isSecret));
  };
  return [address, ...(/^!?\/./.test(fragment) ? [fragment] : [])].map(redacted).join('#');
};

/** Scheme, host without credentials, and the rest of an address. */
const origin = /^([a-z][a-z\d+.-]*:\/\/)(?:[^/?]*@)?([^/?]*)(.*)/is;
/** What stands between names and values, also in an address that is itself a value, and so is encoded. */
const signs = /=|%(?:25)*3d/gi;
const separators = /[?#]|%(?:25)*(?:3f|26|23)/i;

/** A name of a query string in clear; as it is where it is not encoded as it should be. */
const decodedName = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};
