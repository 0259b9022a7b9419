import { cappedText } from '../hardening/cappedText';
import { nameMatcher } from './nameMatcher';
import { isSecret, isSecretPath } from './personal';

/**
 * An address without what no server and no router sees, in two parts: up to its fragment, and the fragment where it is
 * a route, which begins with `/` or `!/`. Any other fragment is a place on the page.
 */
export const addressParts = (url: string): readonly string[] => {
  const [address = '', fragment = ''] = url.split('#', 2);
  return [address, ...(/^!?\/./.test(fragment) ? [fragment] : [])];
};

/**
 * An address as it may leave the browser: without credentials, which are secret, and with `*` for the values of
 * parameters of path and query that have one of these names (the setting `redactedParameters`, as `nameMatcher` finds
 * names) or that look secret, and for parts of the path that do. An address may be the value of a parameter, so its
 * parameters are looked for too. A fragment that is a route is treated like an address; any other is left out, because
 * it may hold a token. Each is cut after 2,048 characters, so that a crafted link makes
 * no event too large. All other parts of the address stay as they are written. Takes any text and never throws.
 */
export const redactedUrl = (url: string, parameters: readonly string[]): string => {
  const isRedacted = nameMatcher(parameters);
  return addressParts(url)
    .map((part) => redacted(part, isRedacted, isSecretPath))
    .join('#');
};

/** A part of an address, with `*` for the values of parameters whose names are redacted, and for what is hidden. */
export const redacted = (
  text: string,
  isRedacted: (name: string) => boolean,
  isHiddenPath: typeof isSecret,
): string => {
  /** A part of the path or of the query. */
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
  const [, scheme = '', host = '', rest = text] = origin.exec(text) ?? [];
  const local = cappedText(rest);
  const end = local.indexOf('?') + 1 || local.length;
  const path = local.slice(0, end).replace(/[^/;?]+/g, (part) => redactedPart(part, isHiddenPath));
  return scheme + host + path + local.slice(end).replace(/[^&;]+/g, (part) => redactedPart(part, isSecret));
};

/** Scheme, host without credentials, and the rest of an address. */
const origin = /^([a-z][a-z\d+.-]*:\/\/)(?:[^/?]*@)?([^/?]*)(.*)/is;
/** What stands between names and values, also in an address that is itself a value, and so is encoded. */
const signs = /=|%(?:25)*3d/gi;
const separators = /[?#]|%(?:25)*(?:3f|26|23)/i;

/** A name of a query string in clear; as it is where it is not encoded as it should be. */
export const decodedName = (name: string): string => {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
};
