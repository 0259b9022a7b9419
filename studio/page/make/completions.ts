import { getLocation, getNodeValue, type Node, parseTree } from 'jsonc-parser';

import { records, unions } from '../../../project/language/constructs';
import type { Completion, FieldTable, Kind } from '../../../project/language/kinds';
import { isRecord } from '../../../src/codecs/codecs';
import type { Vocabulary } from '../../protocol';
import { comparisons, scopes, tagOf, units } from '../form/form';
import { prettyJson } from '../form/prettyJson';

/** One completion: what is written, and what is said of it. */
export interface TextCompletion {
  readonly label: string;
  readonly detail: string;
  /** In JSON. */
  readonly text: string;
}

/** Completions at a place of a text, and the part of the text that they replace. */
export interface TextCompletions {
  readonly from: number;
  readonly to: number;
  readonly options: readonly TextCompletion[];
}

/** What completions are taken from. */
export interface Known {
  readonly vocabulary: Vocabulary;
  readonly cohorts: readonly { readonly id: string; readonly name: string | undefined }[];
}

const definition: Kind = { type: 'record', of: 'definition' };

/** The kind of what stands at a path, and the values on the way there, the outermost first. */
const kindAt = (
  root: unknown,
  path: readonly (string | number)[],
): { readonly kind: Kind | undefined; readonly around: readonly unknown[] } => {
  let kind: Kind | undefined = definition;
  let value = root;
  const around: unknown[] = [root];
  for (const key of path) {
    kind = kindBelow(kind, value, key);
    value = Array.isArray(value) ? value[Number(key)] : isRecord(value) ? value[key] : undefined;
    around.push(value);
  }
  return { kind, around };
};

/** The fields of an object of a kind; undefined where it has none that are known. */
const fieldsOfKind = (kind: Kind | undefined, value: unknown): FieldTable | undefined => {
  if (kind?.type === 'record') return records[kind.of];
  if (kind?.type !== 'union' || !isRecord(value)) return undefined;
  const tag = tagOf(kind.of, value);
  return tag === undefined ? undefined : unions[kind.of][tag]?.fields;
};

const kindBelow = (kind: Kind | undefined, value: unknown, key: string | number): Kind | undefined => {
  if (kind?.type === 'list' || kind?.type === 'table') return kind.of;
  // An item of a list of names or operands is completed as the list is.
  if (kind?.type === 'names' || kind?.type === 'operands') return typeof key === 'number' ? kind : undefined;
  // While its value is being written, a key is not in the object yet.
  const written = isRecord(value) ? { ...value, [key]: null } : value;
  const fields = fieldsOfKind(kind, written);
  if (fields !== undefined) return Object.hasOwn(fields, key) ? fields[key]?.kind : undefined;
  // A node without a tag so far: its fields mean the same in all constructs that have them.
  const rows = kind?.type === 'union' ? Object.values(unions[kind.of]) : [];
  return rows.map((row) => row.fields).find((row) => Object.hasOwn(row, key))?.[key]?.kind;
};

/** Keys that may stand in an object of a kind, beside those that are there. */
const keysOf = (kind: Kind | undefined, value: unknown): readonly TextCompletion[] => {
  const isThere = (key: string): boolean => isRecord(value) && Object.hasOwn(value, key);
  const option = (key: string, detail: string): TextCompletion => ({ label: key, detail, text: JSON.stringify(key) });
  if (kind?.type === 'comparison') return Object.entries(comparisons).map(([key, words]) => option(key, words));
  if (kind?.type === 'duration') return units.filter((unit) => unit !== 'ms').map((unit) => option(unit, 'a duration'));
  const fields = fieldsOfKind(kind, value);
  if (fields !== undefined)
    return Object.entries(fields)
      .filter(([key]) => !isThere(key))
      .map(([key, { label }]) => option(key, label));
  if (kind?.type !== 'union') return [];
  const path = kind.of === 'pred' && !isThere('p') ? [option('p', 'Path')] : [];
  return [...path, ...Object.entries(unions[kind.of]).map(([tag, { label }]) => option(tag, label))];
};

/** Values that may stand at a place of a kind. */
const valuesOf = (kind: Kind | undefined, around: readonly unknown[], known: Known): readonly TextCompletion[] => {
  const option = (value: unknown, detail: string): TextCompletion => ({
    label: String(value),
    detail,
    text: JSON.stringify(value),
  });
  switch (kind?.type) {
    case 'flag':
      return [option(true, ''), option(false, '')];
    case 'mark':
      return [option(true, '')];
    case 'choice':
      return Object.entries(kind.of).map(([value, words]) => option(value, words));
    case 'duration':
      return kind.hasScopes ? Object.entries(scopes).map(([value, words]) => option(value, words)) : [];
    case 'union':
      return Object.values(unions[kind.of]).map(({ label, group, start }) => ({
        label,
        detail: group,
        text: prettyJson(start),
      }));
    case 'text':
    case 'names':
    case 'operand':
    case 'operands':
      return kind.completion === undefined
        ? []
        : recorded(kind.completion, around, known).map((each) => option(...each));
    default:
      return [];
  }
};

const recorded = (
  completion: Completion,
  around: readonly unknown[],
  { vocabulary: { events }, cohorts }: Known,
): readonly (readonly [unknown, string])[] => {
  if (completion === 'event') return events.map(({ name, count }) => [name, `${count} seen`]);
  if (completion === 'cohort') return cohorts.map(({ id, name = '' }) => [id, name]);
  if (completion === 'platform') return [];
  // Properties of the events that are counted come first; of others, each path once.
  const named = [...around].reverse().find((each) => isRecord(each) && 'event' in each);
  const names = isRecord(named) ? [named['event']].flat() : [];
  const ordered = [...events].sort((a, b) => Number(names.includes(b.name)) - Number(names.includes(a.name)));
  const properties = ordered.flatMap((event) => event.properties);
  if (completion === 'path')
    return [...new Map(properties.map(({ path, types }) => [path, types.join(' or ')] as const))];
  const tested = [...around].reverse().find((each) => isRecord(each) && typeof each['p'] === 'string');
  const path = isRecord(tested) ? tested['p'] : undefined;
  const values = properties.flatMap((property) => (property.path === path ? property.values : []));
  return [...new Set(values)].filter((value) => typeof value !== 'boolean').map((value) => [value, 'seen']);
};

/** What can stand at a place of the text of a definition. */
export const completionsAt = (text: string, offset: number, known: Known): TextCompletions => {
  const { path, isAtPropertyKey, previousNode } = getLocation(text, offset);
  const tree: Node | undefined = parseTree(text);
  const root: unknown = tree && getNodeValue(tree);
  const end = previousNode === undefined ? -1 : previousNode.offset + previousNode.length;
  const isInside = previousNode !== undefined && previousNode.offset <= offset && offset <= end;
  const [from, to] = isInside ? [previousNode.offset, end] : [offset, offset];
  if (isAtPropertyKey) {
    const { kind, around } = kindAt(root, path.slice(0, -1));
    return { from, to, options: keysOf(kind, around.at(-1)) };
  }
  const { kind, around } = kindAt(root, path);
  return { from, to, options: valuesOf(kind, around, known) };
};
