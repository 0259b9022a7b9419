import type { CanonicalLeaf, OperandLeaf } from '../language/canonicalLanguage';
import { emitKeys, extractions, operandLength, type OperandTag, operandTags } from '../language/extraction';
import type { Scalar } from '../language/language';
import { h53 } from '../language/murmur';
import { type Fold, foldText, scalarText } from '../language/text';
import { pathReader, type Test } from './paths';

/** What a leaf with operands asks, read from its node, with all defaults. */
export interface OperandQuestion {
  /** Where the values are. */
  readonly path: string;
  /** How operands are compared with values. */
  readonly tag: OperandTag;
  /** Texts in canonical form. 53-bit hashes where `hashed` is true. */
  readonly operands: readonly Scalar[];
  readonly hashed: boolean;
  /** The form into which values are brought before they are compared. */
  readonly fold: Fold;
  /**
   * The longest run of words or path segments that an operand may span. For hashed operands the publisher says it as
   * `grams`.
   */
  readonly longest: number;
  /** The minimum number of different operands that must be met for the leaf to hold. Not used for `nin`. */
  readonly min: number;
  /** The most operands that may be met; Infinity where there is no limit. */
  readonly max: number;
}

/** The question of a leaf with operands, or null for another leaf. The answer is kept with the node. */
export const questionOf = (leaf: CanonicalLeaf): OperandQuestion | null => {
  const known = questions.get(leaf);
  if (known !== undefined) return known;
  const question = readQuestion(leaf);
  questions.set(leaf, question);
  return question;
};

// Compilation asks several times for each leaf, and some leaves have thousands of operands. Nodes that are dropped drop
// their question too.
const questions = new WeakMap<CanonicalLeaf, OperandQuestion | null>();

/** Reads a question from its node; null when no operand tag is in it. */
const readQuestion = (leaf: CanonicalLeaf): OperandQuestion | null => {
  const tag = operandTags.find((candidate) => candidate in leaf);
  if (tag === undefined) return null;
  const { hashed = false, fold = 'case', grams = 1, min = 1, max = Infinity } = leaf;
  const operands = (leaf as OperandLeaf)[tag] ?? [];
  const extraction = extractions[tag];
  const isInside = typeof extraction === 'function';
  let longest = hashed || isInside ? grams : 1;
  if (!hashed && !isInside)
    for (const operand of operands) longest = Math.max(longest, operandLength(extraction, String(operand)));
  return {
    path: leaf.p,
    tag,
    // A number equals its text, so numbers become text. Most lists are text already and are not copied.
    operands: hashed || operands.every(isTextOperand) ? operands : operands.map(String),
    hashed,
    fold,
    longest,
    min,
    max,
  };
};

/** Whether an operand is a string, which can be compared as it is. */
const isTextOperand = (operand: Scalar): boolean => typeof operand === 'string';

/**
 * Compiles a leaf with operands to a test that reads the subject. The test counts the different operands that are met;
 * a value without text meets none.
 */
export const compileOperands = (question: OperandQuestion, seed: number): Test => {
  const { path, tag, fold, min, max } = question;
  const read = pathReader(path);
  const hits = hitCounter(question, seed);
  return (subject) => {
    const texts = textsOf(read(subject), fold);
    // Every leaf with operands needs a value to compare, `nin` too.
    if (texts.length === 0) return false;
    const count = hits(texts);
    return tag === 'nin' ? count === 0 : count >= min && count <= max;
  };
};

/** Strings and numbers as folded text; other values are left out. */
export const textsOf = (values: readonly unknown[], fold: Fold): readonly string[] => {
  const texts: string[] = [];
  for (const value of values) {
    const text = typeof value === 'string' ? foldText(value, fold) : scalarText(value, fold);
    if (text !== null) texts.push(text);
  }
  return texts;
};

/**
 * The number of different operands that some texts meet. Takes the same keys from a text as the index does, so that
 * both give the same answer.
 */
const hitCounter = (
  { tag, operands, hashed, longest }: OperandQuestion,
  seed: number,
): ((texts: readonly string[]) => number) => {
  const extraction = extractions[tag];
  if (typeof extraction === 'function')
    return (texts) => operands.filter((operand) => texts.some((text) => extraction(text, operand as string))).length;
  const wanted = new Set(operands);
  return (texts) => {
    const met = new Set<Scalar>();
    for (const text of texts)
      emitKeys(extraction, text, longest, (key) => {
        const operand = hashed ? h53(key, seed) : key;
        if (wanted.has(operand)) met.add(operand);
      });
    return met.size;
  };
};
