import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import * as fc from 'fast-check';

import { optionalFields } from '../support/optionalReads';
import { hostileValues } from '../support/pollution';
import { fuzzOn } from './support/hostile';

const value = fc.oneof(fc.constantFrom(...hostileValues), fc.jsonValue({ maxDepth: 1 }));
const added = fc.tuple(fc.constantFrom(...optionalFields()), value);
const fields = fc
  .uniqueArray(added, { selector: ([name]) => name, maxLength: 40, size: 'max' })
  .map((entries) => Object.fromEntries(entries));

describe('On a page that has added fields to Object.prototype', () => {
  fuzzOn({ fields, share: 16 });
  for (const file of readdirSync(__dirname))
    if (file.endsWith('.test.ts') && resolve(__dirname, file) !== __filename) jest.requireActual(`./${file}`);
});
