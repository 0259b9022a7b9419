import { timeOf } from '../../primitives/isoDate';
import { rangeOf } from '../cells/cellSpec';
import type { CanonicalLeaf, CanonicalPred, ElementLeaf, ValueLeaf } from '../language/canonicalLanguage';
import type { DateTest } from '../language/language';
import type { numberTests, OneOf } from '../language/valueTests';
import { compileOperands, questionOf } from './operandLeaf';
import { type PathReader, pathReader, type Test } from './paths';

/** Answers a leaf in a faster way than reading the subject; null where it does not know one. */
export type LeafShortcut = (leaf: CanonicalLeaf) => Test | null;

/**
 * Compiles a predicate to a test that never throws, whatever the subject is. A leaf holds when some value at its path
 * satisfies it; a missing value makes it false, except for `exists: false`, `none`, and a `size` that includes 0. The
 * shortcut is asked for leaves over the subject itself, not over elements of its lists.
 */
export const compilePred = (node: CanonicalPred, seed: number, shortcut?: LeafShortcut): Test => {
  const compile = (child: CanonicalPred): Test => compilePred(child, seed, shortcut);
  if ('and' in node) return every(node.and.map(compile));
  if ('or' in node) return some(node.or.map(compile));
  if ('not' in node) return negate(compile(node.not));
  if ('match' in node) return countBetween(node.match.map(compile), node.min, node.max);
  return shortcut?.(node) ?? compileLeaf(node, seed);
};

const every =
  (tests: readonly Test[]): Test =>
  (subject) => {
    for (const test of tests) if (!test(subject)) return false;
    return true;
  };

const some =
  (tests: readonly Test[]): Test =>
  (subject) => {
    for (const test of tests) if (test(subject)) return true;
    return false;
  };

const negate =
  (test: Test): Test =>
  (subject) =>
    !test(subject);

/** At least `min` and at most `max` of the tests hold. */
const countBetween =
  (tests: readonly Test[], min: number, max = Infinity): Test =>
  (subject) => {
    let count = 0;
    for (const test of tests) if (test(subject)) count++;
    return count >= min && count <= max;
  };

/** A leaf is a list of operands, a test of the elements of a list, or a test of values. */
const compileLeaf = (leaf: CanonicalLeaf, seed: number): Test => {
  const question = questionOf(leaf);
  if (question !== null) return compileOperands(question, seed);
  const read = pathReader(leaf.p);
  return 'any' in leaf || 'all' in leaf || 'none' in leaf
    ? compileElements(leaf, read, seed)
    : compileValues(leaf, read);
};

/**
 * Tests each object of a list on its own, so that conditions meet in the same element. `any`: from `min` to `max`
 * elements pass; `all`: there is one and all pass; `none`: no element passes, which holds where there are no elements.
 */
const compileElements = (leaf: ElementLeaf, read: PathReader, seed: number): Test => {
  const test = compilePred('any' in leaf ? leaf.any : 'all' in leaf ? leaf.all : leaf.none, seed);
  const { min = 1, max = Infinity } = leaf;
  return (subject) => {
    // What is no object cannot pass and does not count as an element.
    const elements = read(subject).filter((value) => typeof value === 'object');
    let count = 0;
    // Inside an element, paths start from it, and the names with a dollar are ordinary names.
    for (const root of elements) if (test({ root, event: null })) count++;
    if ('none' in leaf) return count === 0;
    return 'all' in leaf
      ? elements.length > 0 && count === elements.length
      : elements.length > 0 && count >= min && count <= max;
  };
};

/** Tests of values other than text. */
const compileValues = (leaf: ValueLeaf, read: PathReader): Test => {
  if ('exists' in leaf) return (subject) => read(subject).length > 0 === leaf.exists;
  if ('is' in leaf) return (subject) => read(subject).includes(leaf.is);
  if ('size' in leaf) {
    const { low, high } = rangeOf(leaf.size);
    return (subject) => {
      const { length } = read(subject);
      return length >= low && length <= high;
    };
  }
  const accepts = acceptedBy(leaf);
  return (subject) => read(subject).some(accepts);
};

/** What a value must be: a number within bounds, or a date. */
const acceptedBy = (leaf: OneOf<typeof numberTests> | DateTest): ((value: unknown) => boolean) => {
  if ('gte' in leaf) return numberTest((value) => value >= leaf.gte);
  if ('gt' in leaf) return numberTest((value) => value > leaf.gt);
  if ('lte' in leaf) return numberTest((value) => value <= leaf.lte);
  if ('lt' in leaf) return numberTest((value) => value < leaf.lt);
  if (!('between' in leaf)) return dateTest(leaf);
  const [from, to] = leaf.between;
  return numberTest((value) => value >= from && value <= to);
};

/** Only finite numbers are compared; a number written as text is not one. */
const numberTest =
  (compare: (value: number) => boolean) =>
  (value: unknown): boolean =>
    typeof value === 'number' && Number.isFinite(value) && compare(value);

/** Times from `after` up to but not including `before`. A value is a number of ms since 1970 or an ISO date. */
const dateTest = ({ after, before }: DateTest): ((value: unknown) => boolean) => {
  const from = after === undefined ? -Infinity : timeOf(after);
  const to = before === undefined ? Infinity : timeOf(before);
  return (value) => {
    const time =
      typeof value === 'number' ? value : typeof value === 'string' && isoStart.test(value) ? timeOf(value) : NaN;
    return Number.isFinite(time) && from <= time && time < to;
  };
};

// `Date.parse` also takes forms that differ between browsers.
const isoStart = /^(?:\d{4}|[+-]\d{6})-\d\d/;
