import { readAs } from '../../codecs/codecs';
import { published } from './canonical';
import type { ReadDefinition } from './canonicalLanguage';
import { DefinitionCodec } from './languageCodec';

/**
 * Checks a definition and brings it into canonical form. Throws a `DecodeError` that says what is wrong and where.
 */
export const readDefinition: ReadDefinition = (input) => {
  const definition = readAs(DefinitionCodec, input);
  if (definition instanceof Error) throw definition;
  return published(definition);
};
