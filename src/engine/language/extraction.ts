import { wordsOf } from './text';
import type { insideTests, partTests, wholeTests } from './valueTests';

/** The key of a leaf under which it has operands. In canonical form, each is a list. */
export type OperandTag =
  Exclude<keyof typeof wholeTests, 'eq' | 'neq'> | keyof typeof partTests | keyof typeof insideTests;

/**
 * How a leaf takes keys from a value: the leaf holds when enough of its operands are among the keys. Direct evaluation,
 * the index and hashed operands all use the same keys, so they cannot disagree. `in`: the whole text; `words`: each run
 * of words; `under`: each prefix of a path; `urlPath`: each run of segments of a URL's path; `domain`: the host and
 * each domain above it.
 */
export type ExtractionKind = 'in' | keyof typeof partTests;
/** Whether an operand is in a text. The index asks only of operands that are a part of the text. */
type Finder = (text: string, operand: string) => boolean;
/** By the test of a leaf, how keys are taken from a text, or how an operand is looked for inside it. */
export const extractions: {
  readonly [Tag in OperandTag]: Tag extends keyof typeof insideTests ? Finder : ExtractionKind;
} = {
  in: 'in',
  nin: 'in',
  words: 'words',
  under: 'under',
  urlPath: 'urlPath',
  domain: 'domain',
  contains: (text, operand) => text.includes(operand),
  startsWith: (text, operand) => text.startsWith(operand),
  endsWith: (text, operand) => text.endsWith(operand),
};
/** The keys under which a leaf may have operands. */
export const operandTags = Object.keys(extractions) as readonly OperandTag[];
/** Takes one key. A key may come more than once for a text. */
type Emit = (key: string) => void;

/**
 * Hands each key of a folded text to `emit`, without making a list of the keys. `longest` limits runs of words or path
 * segments.
 */
export const emitKeys = (kind: ExtractionKind, folded: string, longest: number, emit: Emit): void => {
  switch (kind) {
    case 'in':
      emit(folded);
      break;
    case 'words':
      emitRuns(wordsOf(folded), longest, ' ', emit);
      break;
    case 'urlPath':
      emitRuns(segmentsOf(pathOfUrl(folded)), longest, '/', emit);
      break;
    case 'under':
      emitPrefixes(isUntidy.test(folded) ? segmentsOf(folded).join('/') : folded, emit);
      break;
    case 'domain':
      emitHosts(hostOf(folded), emit);
      break;
    default:
      kind satisfies never;
  }
};

/** How many words or segments an operand spans; 1 for operands that are compared as a whole. */
export const operandLength = (kind: ExtractionKind, operand: string): number =>
  kind === 'words' ? partCount(' ', operand) : kind === 'urlPath' ? partCount('/', operand) : 1;

const partCount = (separator: string, operand: string): number => {
  let count = 1;
  for (let at = operand.indexOf(separator); at >= 0; at = operand.indexOf(separator, at + 1)) count++;
  return count;
};

/** The parts of a path between slashes, trimmed and without empty ones. */
export const segmentsOf = (path: string): readonly string[] => {
  const segments = path.split('/');
  return isUntidy.test(path) ? segments.map((segment) => segment.trim()).filter((segment) => segment !== '') : segments;
};

// Has segments that are empty or not trimmed. Most paths have none and need not be taken apart.
const isUntidy = /^$|^[\s/]|[\s/]$|\/[\s/]|\s\//;

/** The path of a URL, or of what is a path already. */
const pathOfUrl = (url: string): string => {
  const [path = ''] = url.split(/[?#]/, 1);
  return path.replace(/^(?:[a-z][a-z\d+.-]*:)?\/\/[^/]*/i, '');
};

/** The host of a URL, or of what is a host already; without user, port and final dot. */
export const hostOf = (url: string): string => {
  const [authority = ''] = url.replace(/^(?:[a-z][a-z\d+.-]*:)?\/\//i, '').split(/[/?#\\]/, 1);
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  return withoutOuterDots(host.startsWith('[') ? host.slice(0, host.indexOf(']') + 1) : host.replace(/:.*$/s, ''));
};

/** A loop, because an expression for the dots at the end would try each run of dots in the middle again and again. */
const withoutOuterDots = (host: string): string => {
  let [start, end] = [0, host.length];
  while (host[start] === '.') start += 1;
  while (end > start && host[end - 1] === '.') end -= 1;
  return host.slice(start, end);
};

/** All runs of up to `longest` parts, joined by the separator: with 2, "a b c" gives a, a b, b, b c and c. */
const emitRuns = (parts: readonly string[], longest: number, separator: string, emit: Emit): void => {
  for (let start = 0; start < parts.length; start++) {
    let run = parts[start] ?? '';
    emit(run);
    for (let length = 2; length <= longest && start + length <= parts.length; length++) {
      run += separator + (parts[start + length - 1] ?? '');
      emit(run);
    }
  }
};

/** The path and all that is above it: a/b/c gives a, a/b and a/b/c. */
const emitPrefixes = (path: string, emit: Emit): void => {
  if (path === '') return;
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) emit(path.slice(0, slash));
  emit(path);
};

/** The host and all domains above it: a.b.example gives a.b.example, b.example and example. */
const emitHosts = (host: string, emit: Emit): void => {
  if (host === '') return;
  emit(host);
  for (let dot = host.indexOf('.'); dot >= 0; dot = host.indexOf('.', dot + 1)) emit(host.slice(dot + 1));
};
