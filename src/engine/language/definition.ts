import { isLeft } from 'fp-ts/Either';

import { decode } from '../../model/decode';
import { published } from './canonical';
import type { ReadDefinition } from './canonicalLanguage';
import { DefinitionCodec } from './languageCodec';

/**
 * Checks a definition and brings it into canonical form. Most are right: they are not validated, which would note the
 * way to each of their parts.
 */
export const readDefinition: ReadDefinition = (input) => {
  if (DefinitionCodec.is(input)) return published(input);
  const decoded = decode(DefinitionCodec)(input);
  if (isLeft(decoded)) throw decoded.left;
  return published(decoded.right);
};
