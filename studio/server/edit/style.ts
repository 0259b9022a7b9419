import { publishedName } from '../../../project/taxonomies/published';
import type { TaxonomyEntry } from '../../protocol';

/** How a source is written, so that what is added looks like the rest. */
export interface Style {
  /** One step of indentation. */
  readonly unit: string;
  readonly newLine: string;
  readonly quote: '"' | "'";
  /** Keys that are names stand without quotes. */
  readonly hasPlainKeys: boolean;
  /** The last item of several lines has a comma. */
  readonly hasLastComma: boolean;
  /** Short values stand on one line; `never` breaks every list and object, `always` none. */
  readonly onOneLine: 'never' | 'short' | 'always';
  /** The source's name of `taxonomyEntry`, which then makes the published entries of taxonomies. */
  readonly entryCall?: string | undefined;
}

/** Columns of a line that a value on one line may fill. */
const width = 120;

const unitOf = (text: string): string => {
  const steps = new Map<string, number>();
  let before = 0;
  for (const line of text.split('\n')) {
    const [indent = ''] = /^[ \t]*(?=\S)/.exec(line) ?? [undefined];
    if (line.trim() === '' || /^\s*\*/.test(line)) continue;
    if (indent.startsWith('\t')) return '\t';
    const step = indent.length - before;
    if (step > 1) steps.set(' '.repeat(step), (steps.get(' '.repeat(step)) ?? 0) + 1);
    before = indent.length;
  }
  const [[unit] = ['  ']] = [...steps].sort(([, a], [, b]) => b - a);
  return unit;
};

/** Reads how a source is written. */
export const styleOf = (text: string, isJson: boolean): Style => {
  const newLine = text.includes('\r\n') ? '\r\n' : '\n';
  const [single, double] = [/'/g, /"/g].map((quote) => text.match(quote)?.length ?? 0) as [number, number];
  // Brackets in texts say nothing.
  const body = text.trim().replace(/"(?:[^"\\\n]|\\.)*"?/g, '""');
  return {
    newLine,
    unit: unitOf(text),
    quote: isJson || double > single ? '"' : "'",
    hasPlainKeys: !isJson,
    hasLastComma: !isJson && /,[^\S\n]*\n\s*[}\]]/.test(text),
    onOneLine: !body.includes('\n') ? 'always' : !isJson || /[[{][^\S\n]*[^\s\]}]/.test(body) ? 'short' : 'never',
  };
};

/** A value as a source of this style has it, from a line on that is indented by `indent`. */
export const printed = (value: unknown, style: Style, indent: string, column = indent.length): string => {
  const text = unbrokenText(value, style);
  if (text !== undefined) return text;
  const short = style.onOneLine === 'never' ? undefined : oneLine(value, style);
  if (short !== undefined && (style.onOneLine === 'always' || column + short.length < width)) return short;
  const below = indent + style.unit;
  const items = Array.isArray(value)
    ? value.map((item) => printed(item, style, below))
    : Object.entries(value as object).map(([key, item]) => propertyText(key, item, style, below));
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  if (items.length === 0) return `${open}${close}`;
  const last = style.hasLastComma ? ',' : '';
  return `${open}${style.newLine}${items.map((item) => below + item).join(`,${style.newLine}`)}${last}${style.newLine}${indent}${close}`;
};

/** A key with its value. */
export const propertyText = (key: string, value: unknown, style: Style, indent: string): string => {
  const name = keyText(key, style);
  const between = isCompact(style) ? ':' : ': ';
  return `${name}${between}${printed(value, style, indent, indent.length + name.length + between.length)}`;
};

/** What stands between two items of one line. */
export const separatorOf = (style: Style): string => (isCompact(style) ? ',' : ', ');

/** JSON on one line has no spaces. */
const isCompact = ({ onOneLine, hasPlainKeys }: Style): boolean => onOneLine === 'always' && !hasPlainKeys;

const oneLine = (value: unknown, style: Style): string => {
  const text = unbrokenText(value, style);
  if (text !== undefined) return text;
  const between = separatorOf(style);
  if (Array.isArray(value)) return `[${value.map((item) => oneLine(item, style)).join(between)}]`;
  const colon = isCompact(style) ? ':' : ': ';
  const items = Object.entries(value as object).map(
    ([key, item]) => `${keyText(key, style)}${colon}${oneLine(item, style)}`,
  );
  if (items.length === 0) return '{}';
  const space = isCompact(style) ? '' : ' ';
  return `{${space}${items.join(between)}${space}}`;
};

const keyText = (key: string, style: Style): string =>
  // As a plain key it would set the prototype.
  style.hasPlainKeys && /^[A-Za-z_$][\w$]*$/.test(key) ? key : textIn(key, style.quote);

/** A text, a number, or a call that makes an entry of a taxonomy; undefined for what may have several lines. */
const unbrokenText = (value: unknown, { quote, entryCall }: Style): string | undefined => {
  if (typeof value === 'string') return textIn(value, quote);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (entryCall === undefined || !isTaxonomyEntry(value)) return undefined;
  const name = publishedName(value);
  return name === undefined ? undefined : `${entryCall}(${value.segtax}, ${textIn(name, quote)})`;
};

const isTaxonomyEntry = (value: object): value is TaxonomyEntry => {
  const { segtax, id, ...others } = value as Partial<TaxonomyEntry>;
  return typeof segtax === 'number' && typeof id === 'string' && Object.keys(others).length === 0;
};

/** A text in quotes. In a text that has the usual quotes, the others stand around it, as formatters write it. */
const textIn = (text: string, usual: Style['quote']): string => {
  const escaped = JSON.stringify(text);
  if (usual === '"') return escaped;
  const count = (quote: string): number => text.split(quote).length - 1;
  if (count("'") > count('"')) return escaped;
  return `'${escaped.slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
};
