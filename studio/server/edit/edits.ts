import { dequal } from 'dequal';

import { isRecord } from '../../../src/codecs/codecs';
import { type ListLiteral, type Literal, type ObjectLiteral, type TextEdit, valueOf } from './literal';
import { printed, propertyText, separatorOf, type Style } from './style';

/** A source with the way in which it is written. */
export interface Written {
  readonly text: string;
  readonly style: Style;
}

/** Items that stand in brackets. They may be computed, because only their places count. */
export interface Container {
  readonly start: number;
  readonly end: number;
  readonly items: readonly { readonly start: number; readonly end: number }[];
}

/**
 * The next of the edits that lead from a literal to a value; undefined where it has the value. Each edit changes one
 * item, adds one or removes one, so that all other bytes stay as they are. The caller reads the text anew after each.
 */
export const nextEdit = (source: Written, literal: Literal, wanted: unknown): readonly TextEdit[] | undefined => {
  if (dequal(valueOf(literal), wanted)) return undefined;
  if (literal.kind === 'list' && Array.isArray(wanted) && literal.items.length > 0 && wanted.length > 0)
    return editOfList(source, literal, wanted);
  if (literal.kind === 'object' && isRecord(wanted) && literal.items.some(({ key }) => Object.hasOwn(wanted, key)))
    return editOfObject(source, literal, wanted);
  return [{ ...placeOf(literal), text: printedAt(source, literal.start, wanted) }];
};

const placeOf = ({ start, end }: Literal): Pick<TextEdit, 'start' | 'end'> => ({ start, end });

const editOfList = (
  source: Written,
  literal: ListLiteral,
  wanted: readonly unknown[],
): readonly TextEdit[] | undefined => {
  const has = literal.items.map(valueOf);
  let first = 0;
  while (first < has.length && first < wanted.length && dequal(has[first], wanted[first])) first++;
  let last = 0;
  const most = Math.min(has.length, wanted.length) - first;
  while (last < most && dequal(has[has.length - 1 - last], wanted[wanted.length - 1 - last])) last++;
  const [more, fewer] = [wanted.length - last - first, has.length - last - first];
  if (fewer === 0) return added(source, literal, first, (indent) => printed(wanted[first], source.style, indent));
  if (more === 0) return removed(source, literal, first);
  return nextEdit(source, literal.items[first]!, wanted[first]);
};

const editOfObject = (
  source: Written,
  literal: ObjectLiteral,
  wanted: Readonly<Record<string, unknown>>,
): readonly TextEdit[] | undefined => {
  const gone = literal.items.findIndex(({ key }) => !Object.hasOwn(wanted, key));
  if (gone >= 0) return removed(source, literal, gone);
  for (const { key, value } of literal.items) {
    const edit = nextEdit(source, value, wanted[key]);
    if (edit !== undefined) return edit;
  }
  const keys = Object.keys(wanted);
  const fresh = keys.find((key) => !literal.items.some((item) => item.key === key))!;
  const before = new Set(keys.slice(0, keys.indexOf(fresh)));
  // Behind the keys that stand before it in the wanted value.
  const index = literal.items.reduce((at, { key }, i) => (before.has(key) ? i + 1 : at), 0);
  return added(source, literal, index, (indent) => propertyText(fresh, wanted[fresh], source.style, indent));
};

/** The edits that put an item before the one at `index`, or behind the last. */
export const added = (
  source: Written,
  container: Container,
  index: number,
  print: (indent: string) => string,
): readonly TextEdit[] => {
  const { text, style } = source;
  const { items } = container;
  const outer = indentAt(text, container.start);
  const [first] = items;
  const insert = (at: number, added: string): TextEdit => ({ start: at, end: at, text: added });
  if (first === undefined) {
    const isShort = style.onOneLine === 'always';
    const [between, indent] = isShort ? ['', outer] : [style.newLine + outer + style.unit, outer + style.unit];
    const end = isShort ? '' : `${style.hasLastComma ? ',' : ''}${style.newLine}${outer}`;
    // Comments within the brackets stay above.
    const at = endOfContent(text, container);
    return [{ start: at, end: container.end - 1, text: `${between}${print(indent)}${end}` }];
  }
  if (!isBroken(text, container)) {
    const previous = items[index - 1];
    return previous === undefined
      ? [insert(first.start, `${print(outer)}${separatorOf(style)}`)]
      : [insert(previous.end, `${separatorOf(style)}${print(outer)}`)];
  }
  const indent = indentAt(text, first.start);
  const previous = items[index - 1];
  if (previous === undefined) return [insert(first.start, `${print(indent)},${style.newLine}${indent}`)];
  const comma = commaAfter(text, previous.end, container.end);
  const lineEnd = endOfComment(text, comma ?? previous.end);
  const line = `${style.newLine}${indent}${print(indent)}`;
  if (comma !== undefined) return [insert(lineEnd, `${line},`)];
  return lineEnd === previous.end ? [insert(lineEnd, `,${line}`)] : [insert(previous.end, ','), insert(lineEnd, line)];
};

/** The edits that take the item at `index` away, with its comma and with the comments above and behind it. */
export const removed = ({ text }: Written, container: Container, index: number): readonly TextEdit[] => {
  const { items } = container;
  const [item, previous, next] = [items[index]!, items[index - 1], items[index + 1]];
  const comma = commaAfter(text, item.end, container.end);
  if (previous === undefined && next === undefined) {
    const open = container.start + 1;
    return [{ start: open, end: container.end - 1, text: '' }];
  }
  if (!isBroken(text, container))
    return next === undefined
      ? [{ start: previous!.end, end: item.end, text: '' }]
      : [{ start: item.start, end: next.start, text: '' }];
  const start = startOfComments(text, item.start, previous?.end ?? container.start + 1);
  const end = endOfComment(text, comma ?? item.end);
  const line: TextEdit = { start: endOfLineBefore(text, start), end, text: '' };
  if (next !== undefined || comma !== undefined || previous === undefined) return [line];
  // The item before becomes the last one, which has no comma here.
  const before = commaAfter(text, previous.end, container.end);
  return before === undefined ? [line] : [line, { start: before - 1, end: before, text: '' }];
};

/** The text of a value that begins at a place. */
const printedAt = ({ text, style }: Written, start: number, value: unknown): string =>
  printed(value, style, indentAt(text, start), start - lineStart(text, start));

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;
const indentAt = (text: string, at: number): string => /[ \t]*/.exec(text.slice(lineStart(text, at)))?.[0] ?? '';

/** Whether each item has lines of its own. */
const isBroken = (text: string, { start, items }: Container): boolean =>
  text.slice(start, items[0]?.start ?? start).includes('\n');

const blank = /\s|\/\/.*|\/\*[\s\S]*?\*\//y;
/** The place behind the comma that follows; undefined where none does. */
const commaAfter = (text: string, from: number, end: number): number | undefined => {
  let at = from;
  while (at < end) {
    blank.lastIndex = at;
    const [skipped = ''] = blank.exec(text) ?? [];
    if (skipped === '') return text[at] === ',' ? at + 1 : undefined;
    at += skipped.length;
  }
  return undefined;
};

/** The end of the comment that stands in the rest of a line; the same place where there is none. */
const endOfComment = (text: string, at: number): number => {
  const [rest = ''] = /^[^\n]*/.exec(text.slice(at)) ?? [];
  const line = rest.replace(/\r$/, '');
  return /^[ \t]*(?:\/\/.*|\/\*(?:(?!\*\/).)*\*\/[ \t]*)?$/.test(line) ? at + line.trimEnd().length : at;
};

/** The place where the lines of comments above an item begin, which no empty line parts from it. */
const startOfComments = (text: string, itemStart: number, least: number): number => {
  const end = lineStart(text, itemStart);
  const between = text.slice(0, end);
  let start = end;
  let at = least;
  while (at < end) {
    commentLines.lastIndex = at;
    const [lines = ''] = commentLines.exec(between) ?? [];
    start = lines === '' ? end : Math.min(start, at);
    at = lines === '' ? between.indexOf('\n', at) + 1 : at + lines.length;
  }
  return start;
};

/** Lines with one comment and nothing else. */
const commentLines = /[ \t]*(?:\/\/[^\n]*|\/\*(?:(?!\*\/)[\s\S])*\*\/[ \t]*\r?)\n/y;

/** The end of the line above, so that a line is removed with the break before it. */
const endOfLineBefore = (text: string, start: number): number => {
  const at = start - 1;
  return text[at - 1] === '\r' ? at - 1 : at;
};

/** Behind the last comment of brackets that have no item. */
const endOfContent = (text: string, { start, end }: Container): number =>
  start + 1 + text.slice(start + 1, end - 1).trimEnd().length;
