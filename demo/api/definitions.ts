import { readAs } from '../../src/codecs/codecs';
import type { Definition } from '../../src/engine/language/language';
import { DefinitionCodec } from '../../src/engine/language/languageCodec';

/** The definitions that can be read, by id. The others are the SDK's to complain about. */
export const definitionsById = (definitions: readonly unknown[]): ReadonlyMap<string, Definition> =>
  new Map(
    definitions
      .map((one) => readAs(DefinitionCodec, one))
      .flatMap((definition) => (definition instanceof Error ? [] : [[definition.id, definition] as const])),
  );
