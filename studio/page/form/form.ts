import { records, unions } from '../../../project/language/constructs';
import type { FieldTable, Kind, RecordKind, UnionName } from '../../../project/language/kinds';
import { isRecord } from '../../../src/codecs/codecs';
import { unitMs } from '../../../src/engine/language/canonical';
import type { Scalar } from '../../../src/engine/language/language';

/**
 * What the form of a cohort holds: the definition with the kind of each part. Nothing of a definition is lost in it.
 * What no row of the tables knows stays as it is written (`raw`).
 */
export type Form =
  | { readonly type: 'node'; readonly union: UnionName; readonly tag: string; readonly fields: FormFields }
  | { readonly type: 'record'; readonly of: RecordKind; readonly fields: FormFields }
  | { readonly type: 'table'; readonly kind: Extract<Kind, { readonly type: 'table' }>; readonly fields: FormFields }
  | { readonly type: 'list'; readonly kind: Extract<Kind, { readonly type: 'list' }>; readonly items: readonly Form[] }
  | { readonly type: 'plain'; readonly value: Scalar | boolean }
  | { readonly type: 'names'; readonly names: readonly string[]; readonly isList: boolean }
  | { readonly type: 'operands'; readonly operands: readonly Scalar[] }
  | { readonly type: 'range'; readonly ends: readonly [Scalar, Scalar] }
  | { readonly type: 'comparison'; readonly by: string; readonly numbers: readonly Scalar[] }
  | { readonly type: 'duration'; readonly unit: string; readonly amount: Scalar }
  | { readonly type: 'raw'; readonly json: unknown };
/** In the order in which they are written. */
export type FormFields = Readonly<Record<string, Form>>;

/** Comparisons of a number, in words. */
export const comparisons: Readonly<Record<string, string>> = {
  gte: 'at least',
  gt: 'more than',
  lte: 'at most',
  lt: 'less than',
  eq: 'exactly',
  between: 'from … to …',
};
/** Windows that are no durations. */
export const scopes: Readonly<Record<string, string>> = { session: 'this session', view: 'this page view' };
/** Units of durations. A number without a unit is ms. */
export const units: readonly string[] = ['ms', ...Object.keys(unitMs)];

/** A part of a definition as a form. Never throws. */
export const formOf = (kind: Kind, json: unknown): Form =>
  readers[kind.type](kind as never, json) ?? { type: 'raw', json };

/** What a form says, as JSON. */
export const jsonOf = (form: Form): unknown => {
  switch (form.type) {
    case 'node':
    case 'record':
    case 'table':
      return Object.fromEntries(Object.entries(form.fields).map(([key, value]) => [key, jsonOf(value)]));
    case 'list':
      return form.items.map(jsonOf);
    case 'plain':
      return form.value;
    case 'names':
      return form.isList ? form.names : form.names[0];
    case 'operands':
      return form.operands;
    case 'range':
      return form.ends;
    case 'comparison':
      return { [form.by]: form.by === 'between' ? form.numbers : form.numbers[0] };
    case 'duration':
      return form.unit === 'ms' ? form.amount : form.unit in scopes ? form.unit : { [form.unit]: form.amount };
    case 'raw':
      return form.json;
  }
};

/** The fields that a part of a form may have; empty for what has none of its own. */
export const fieldsOf = (form: Form): FieldTable =>
  form.type === 'node' ? (unions[form.union][form.tag]?.fields ?? {}) : form.type === 'record' ? records[form.of] : {};

/** The tag of a node: one of the keys that are tags, and whose construct admits all others of them. */
export const tagOf = (union: UnionName, json: Readonly<Record<string, unknown>>): string | undefined => {
  const constructs = unions[union];
  const tags = Object.keys(json).filter((key) => Object.hasOwn(constructs, key));
  return tags.find((tag) => tags.every((other) => Object.hasOwn(constructs[tag]?.fields ?? {}, other)));
};

type Readers = {
  readonly [Type in Kind['type']]: (kind: Extract<Kind, { type: Type }>, json: unknown) => Form | undefined;
};

const formFields = (fields: FieldTable, json: Readonly<Record<string, unknown>>): FormFields =>
  Object.fromEntries(
    Object.entries(json).map(([key, value]) => [
      key,
      Object.hasOwn(fields, key) && fields[key] !== undefined
        ? formOf(fields[key].kind, value)
        : { type: 'raw', json: value },
    ]),
  );
const isScalar = (json: unknown): json is Scalar => typeof json === 'string' || typeof json === 'number';
const plain = (json: unknown): Form | undefined => (isScalar(json) ? { type: 'plain', value: json } : undefined);
/** The key and the value of an object of one key that is one of these. */
const singleOf = (json: unknown, keys: readonly string[]): readonly [string, unknown] | undefined => {
  const [first, ...others] = isRecord(json) ? Object.entries(json) : [];
  return first !== undefined && others.length === 0 && keys.includes(first[0]) ? first : undefined;
};
const pairOf = (json: unknown): readonly [Scalar, Scalar] | undefined =>
  Array.isArray(json) && json.length === 2 && json.every(isScalar) ? (json as unknown as [Scalar, Scalar]) : undefined;

const readers: Readers = {
  union: ({ of }, json) => {
    const tag = isRecord(json) ? tagOf(of, json) : undefined;
    return tag === undefined
      ? undefined
      : { type: 'node', union: of, tag, fields: formFields(unions[of][tag]?.fields ?? {}, json as never) };
  },
  record: ({ of }, json) =>
    isRecord(json) ? { type: 'record', of, fields: formFields(records[of], json) } : undefined,
  table: (kind, json) =>
    isRecord(json)
      ? {
          type: 'table',
          kind,
          fields: Object.fromEntries(Object.entries(json).map(([key, value]) => [key, formOf(kind.of, value)])),
        }
      : undefined,
  list: (kind, json) =>
    Array.isArray(json) ? { type: 'list', kind, items: json.map((item) => formOf(kind.of, item)) } : undefined,
  text: (_, json) => plain(json),
  operand: (_, json) => plain(json),
  number: (_, json) => plain(json),
  date: (_, json) => plain(json),
  choice: (_, json) => plain(json),
  flag: (_, json) => (typeof json === 'boolean' ? { type: 'plain', value: json } : plain(json)),
  mark: (_, json) => (json === true ? { type: 'plain', value: true } : undefined),
  names: (_, json) =>
    typeof json === 'string'
      ? { type: 'names', names: [json], isList: false }
      : Array.isArray(json) && json.every((name) => typeof name === 'string')
        ? { type: 'names', names: json, isList: true }
        : undefined,
  operands: (_, json) =>
    Array.isArray(json) && json.every(isScalar) ? { type: 'operands', operands: json } : undefined,
  range: (_, json) => {
    const ends = pairOf(json);
    return ends && { type: 'range', ends };
  },
  comparison: (_, json) => {
    const [by, operand] = singleOf(json, Object.keys(comparisons)) ?? [];
    if (by === undefined) return undefined;
    const numbers = by === 'between' ? pairOf(operand) : isScalar(operand) ? [operand] : undefined;
    return numbers && { type: 'comparison', by, numbers };
  },
  duration: ({ hasScopes }, json) => {
    if (typeof json === 'string' && hasScopes && Object.hasOwn(scopes, json))
      return { type: 'duration', unit: json, amount: 1 };
    // A text stands for a number that is being typed.
    if (isScalar(json)) return { type: 'duration', unit: 'ms', amount: json };
    const [unit, amount] = singleOf(json, Object.keys(unitMs)) ?? [];
    return unit !== undefined && isScalar(amount) ? { type: 'duration', unit, amount } : undefined;
  },
};
