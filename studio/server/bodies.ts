import { ExamplesCodec } from '../../project/examples/examples';
import { AnyBoolean, AnyString, Anything, object, shape, value } from '../../src/codecs/codecs';
import { DefinitionCodec } from '../../src/engine/language/languageCodec';
import { oneOf } from '../../src/engine/language/taggedCodecs';
import { TaxonomyEntryCodec } from './buyersEntries';

const Limit = value<number>(
  'a number from 1 to 100',
  (input) => Number.isInteger(input) && (input as number) >= 1 && (input as number) <= 100,
);
const body = 'a body';

/** What the body of each call has to look like (`protocol.ts`). */
export const bodies = {
  save: object(body, shape({ version: AnyString }, { id: AnyString, definition: Anything })),
  examples: object(body, shape({ id: AnyString, examples: ExamplesCodec })),
  entry: object(body, shape({ id: AnyString, entry: TaxonomyEntryCodec, isWanted: AnyBoolean })),
  check: object(body, shape({ definition: Anything }, { id: AnyString })),
  size: object(body, shape({ definition: DefinitionCodec })),
  find: object(body, shape({ definition: DefinitionCodec, who: oneOf('members', 'near', 'others'), limit: Limit })),
  visitor: object(body, shape({ id: AnyString })),
  publish: object(body, shape({ step: oneOf('dryRun', 'publish', 'back') })),
  nothing: object(body, shape({})),
} as const;
