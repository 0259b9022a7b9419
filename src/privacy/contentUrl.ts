import { nameMatcher } from './nameMatcher';
import { isSecret } from './personal';
import { addressParts, decodedName, redacted } from './redactedUrl';

/**
 * The address that a service is asked with which looks at the page itself: without fragment, and with those parameters
 * of its query alone that are in `wanted`, by their exact names. What names a person is redacted as in `redactedUrl`,
 * but `wanted` parameters are told, whatever `parameters` say of their names, and so are parts of the path that are
 * long random letters and digits, because those are ids of articles. A value or a part of the path that looks like an
 * email address or a JSON Web Token stays `*`.
 */
export const contentUrl = (url: string, wanted: readonly string[], parameters: readonly string[]): string => {
  const isWanted = (name: string): boolean => wanted.includes(decodedName(name));
  const isRedacted = nameMatcher(parameters);
  const [address = ''] = addressParts(url);
  const [path = '', ...queries] = address.split('?');
  const query = queries
    .join('?')
    .split('&')
    .filter((part) => isWanted(part.split('=', 1)[0] ?? ''));
  return redacted(
    [path, query.join('&')].filter(Boolean).join('?'),
    (name) => isRedacted(name) && !wanted.includes(name),
    isSecret,
  );
};
