import { isRight } from 'fp-ts/Either';

import type { Definition } from '../../src/engine/language/language';
import { DefinitionCodec } from '../../src/engine/language/languageCodec';
import { decode } from '../../src/model/decode';

/** The definitions that can be read, by id. The others are the SDK's to complain about. */
export const definitionsById = (definitions: readonly unknown[]): ReadonlyMap<string, Definition> =>
  new Map(
    definitions
      .map((one) => decode(DefinitionCodec)(one))
      .flatMap((decoded) => (isRight(decoded) ? [[decoded.right.id, decoded.right] as const] : [])),
  );
