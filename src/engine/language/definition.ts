import { isLeft } from 'fp-ts/Either';

import { decode } from '../../model/decode';
import { published } from './canonical';
import type { ReadDefinition } from './canonicalLanguage';
import { DefinitionCodec } from './languageCodec';

/**
 * Checks a definition and brings it into canonical form. Throws a `DecodeError` that says what is wrong and where. Most
 * definitions are right, and for them the check without paths is enough; only the others are validated.
 */
export const readDefinition: ReadDefinition = (input) => {
  if (DefinitionCodec.is(input)) return published(input);
  const decoded = decode(DefinitionCodec)(input);
  if (isLeft(decoded)) throw decoded.left;
  return published(decoded.right);
};
