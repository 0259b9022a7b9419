import { flagTests, insideTests, numberTests, partTests, wholeTests } from '../../src/engine/language/valueTests';

const typed = (tests: object, ...types: readonly string[]): Readonly<Record<string, readonly string[]>> =>
  Object.fromEntries(Object.keys(tests).map((test) => [test, types]));

/** By the name of a test, the types of the values that it can be true of. Tests that are not named are true of any. */
const testedTypes: Readonly<Record<string, readonly string[]>> = {
  ...typed(wholeTests, 'string', 'number'),
  ...typed({ ...insideTests, ...partTests }, 'string'),
  ...typed(numberTests, 'number'),
  ...typed(flagTests, 'boolean'),
  after: ['string', 'number'],
  before: ['string', 'number'],
};

/** The types of the values that the test of a leaf can be true of; empty where any value will do. */
export const typesTested = (leaf: object): readonly string[] =>
  Object.keys(leaf).flatMap((key) => (Object.hasOwn(testedTypes, key) ? (testedTypes[key] ?? []) : []));
