import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser';

import { type ProjectFinding, wrong } from '../check/finding';
import { nodeAt, offsetOf, placesOf } from './places';

/** A text in JSON, read. */
export interface ReadJson {
  /** Undefined where the text is no JSON. */
  readonly value: unknown;
  /** What is wrong with the text itself. */
  readonly faults: readonly ProjectFinding[];
  /** Adds the line and column of a finding's path. */
  readonly placed: (finding: ProjectFinding) => ProjectFinding;
}

/** Reads JSON. Answers what is wrong with the text where it is none, and keys that stand twice in an object. */
export const readJson = (given: string): ReadJson => {
  // Some editors begin a file with a mark of its encoding.
  const text = given.replace(/^\uFEFF/, '');
  const place = placesOf(text);
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const [error] = errors;
  if (error !== undefined || root === undefined) {
    const [code, offset] =
      error === undefined ? ['ValueExpected', 0] : [printParseErrorCode(error.error), error.offset];
    const said = wrong(`expected JSON (${syntax[code] ?? 'something else stands here'})`, fixes[code] ?? '');
    return {
      value: undefined,
      faults: [{ path: '', ...said, ...place(Math.min(offset, text.length)) }],
      placed: (finding) => finding,
    };
  }
  return {
    value: JSON.parse(text) as unknown,
    faults: [...keysTwice(root, '')].map(([path, offset]) => ({
      path,
      ...wrong('the key stands twice in its object, and only the last one counts', 'leave one of them out'),
      ...place(offset),
    })),
    placed: (finding) =>
      finding.line === undefined ? { ...finding, ...place(offsetOf(nodeAt(root, finding.path))) } : finding,
  };
};

/** What is wrong with a text, by the parser's code. */
const syntax: Readonly<Record<string, string>> = {
  InvalidSymbol: 'a word that is not true, false or null',
  InvalidNumberFormat: 'a number that is not written as JSON has it',
  PropertyNameExpected: 'a key in double quotes is missing',
  ValueExpected: 'a value is missing',
  ColonExpected: 'a colon is missing after the key',
  CommaExpected: 'a comma is missing',
  CloseBraceExpected: 'the brace } is missing',
  CloseBracketExpected: 'the bracket ] is missing',
  EndOfFileExpected: 'something stands after the end of the definition',
  InvalidCommentToken: 'comments are no part of JSON',
  UnexpectedEndOfComment: 'a comment does not end',
  UnexpectedEndOfString: 'a text has no closing quote',
  UnexpectedEndOfNumber: 'a number has no digit',
  InvalidUnicode: 'an escape \\u has not four hexadecimal digits',
  InvalidEscapeCharacter: 'an escape that JSON does not have',
  InvalidCharacter: 'a character that must be escaped in a text',
};
const fixes: Readonly<Record<string, string>> = {
  InvalidCommentToken: 'leave it out, or write the definition in TypeScript',
  PropertyNameExpected: 'write a key, or leave out the comma before',
  ValueExpected: 'write a value, or leave out the comma before',
};

/** The path of each key that its object already has, and where it stands. */
function* keysTwice(node: Node, path: string): Generator<readonly [path: string, offset: number]> {
  const below = (name: string | number): string => (path === '' ? `${name}` : `${path}/${name}`);
  const keys = new Set<unknown>();
  for (const [i, child] of (node.children ?? []).entries()) {
    if (node.type === 'array') yield* keysTwice(child, below(i));
    else {
      const [key, value] = child.children ?? [];
      const name = key?.value as string;
      if (keys.has(name)) yield [below(name), child.offset];
      keys.add(name);
      if (value !== undefined) yield* keysTwice(value, below(name));
    }
  }
}
