import { type Codec, type KeyCodecs, list, type TypeOf, value } from '../../codecs/codecs';
import { Text } from './storedCodecs';
import { isFinite, type Scalar, ScalarCodec } from './valueCodecs';

// The tests of a value, in groups: the codec of what each test compares values with, from which its type follows. What
// values the tests of a group can be true of, and which options may stand beside them, are facts of the group.

/** The one key of an object, which is one of these keys. */
export type OneOf<Codecs extends KeyCodecs> = {
  [Tag in keyof Codecs]: Pick<{ readonly [Key in keyof Codecs]: TypeOf<Codecs[Key]> }, Tag>;
}[keyof Codecs];

// Sizes are limited so that no definition can stall a page.
export const maxOperands = 20_000;
export const Operands: Codec<readonly Scalar[]> = list(ScalarCodec, 1, maxOperands);
const OperandTexts: Codec<readonly string[]> = list(Text, 1, maxOperands);
export const Finite: Codec<number> = value('a finite number', isFinite);
export const Flag: Codec<boolean> = value('true or false', (input) => typeof input === 'boolean');

/** Tests of the whole text of a value. Numbers are compared as text. The operands may be hashes. */
export const wholeTests = {
  /** The text of a value is an operand. */
  in: Operands,
  /** There is a value, and no text of a value is an operand. */
  nin: Operands,
  /** The text of a value is the operand. */
  eq: ScalarCodec,
  /** There is a value, and no text of a value is the operand. */
  neq: ScalarCodec,
};
/** Tests of the parts that a text is made of. The operands may be hashes. */
export const partTests = {
  /** An operand is a run of whole words of the text. */
  words: Operands,
  /** An operand is the path, or a path above it. */
  under: Operands,
  /** An operand is a run of segments of the path of a URL. */
  urlPath: Operands,
  /** An operand is the host of a URL, or a domain above it. */
  domain: Operands,
};
/** Tests that look for an operand inside a text. */
export const insideTests = {
  /** The text of a value contains an operand. */
  contains: OperandTexts,
  /** The text of a value begins with an operand. */
  startsWith: OperandTexts,
  /** The text of a value ends with an operand. */
  endsWith: OperandTexts,
};
/** Tests of numbers. */
export const numberTests = {
  /** Some number is this or more. */
  gte: Finite,
  /** Some number is more than this. */
  gt: Finite,
  /** Some number is this or less. */
  lte: Finite,
  /** Some number is less than this. */
  lt: Finite,
  /** Some number is in the range, both ends included. */
  between: list(Finite, 2, 2) as Codec<readonly [number, number]>,
};
/** Tests of any values. */
export const presenceTests = {
  /** There is a value, or there is none. */
  exists: Flag,
};
/** Tests of values that are `true` or `false`. */
export const flagTests = {
  /** Some value is exactly this. */
  is: Flag,
};
