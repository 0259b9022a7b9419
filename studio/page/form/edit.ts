import { unions } from '../../../project/language/constructs';
import type { Construct } from '../../../project/language/kinds';
import { fieldsOf, type Form, type FormFields, formOf, jsonOf } from './form';

/** Where a part stands in a form: keys and places, as in the definition. */
export type Path = readonly (string | number)[];

/** The path as findings write it. */
export const pathText = (path: Path): string => path.join('/');

/** The part at one step below a form; undefined where there is none. */
export const partAt = (form: Form, key: string | number): Form | undefined => {
  if (form.type === 'list') return form.items[Number(key)];
  return 'fields' in form && Object.hasOwn(form.fields, key) ? form.fields[key] : undefined;
};

/** The path of a finding as far as the form has a part of its own for it. */
export const shownPath = (form: Form, path: string): string => {
  const shown: string[] = [];
  let part: Form | undefined = form;
  for (const key of path === '' ? [] : path.split('/')) {
    part = partAt(part, key);
    if (part === undefined) break;
    shown.push(key);
  }
  return shown.join('/');
};

/** The form with another part at a path; `undefined` removes the part. A path that leads nowhere changes nothing. */
export const withPart = (form: Form, path: Path, part: Form | undefined): Form => {
  const [key, ...rest] = path;
  if (key === undefined) return part ?? form;
  const below = partAt(form, key);
  const changed = rest.length === 0 ? part : below && withPart(below, rest, part);
  if (form.type === 'list') {
    const at = Number(key);
    const others = [...form.items];
    if (changed === undefined) others.splice(at, 1);
    else others[at] = changed;
    return { ...form, items: others };
  }
  if (!('fields' in form)) return form;
  if (changed !== undefined) return { ...form, fields: { ...form.fields, [key]: changed } };
  return { ...form, fields: Object.fromEntries(Object.entries(form.fields).filter(([name]) => name !== key)) };
};

/** The form with an optional field added, as the table says it begins. */
export const withField = (form: Form, key: string): Form => {
  const field = fieldsOf(form)[key];
  return field === undefined ? form : withPart(form, [key], formOf(field.kind, field.start));
};

/**
 * Another construct in place of a node. The fields that both have are kept, and what the tag itself holds where it is
 * of the same kind, so that nothing has to be typed again.
 */
export const asConstruct = (form: Form, union: keyof typeof unions, tag: string): Form => {
  const target: Construct | undefined = unions[union][tag];
  if (target === undefined) return form;
  const fresh = formOf({ type: 'union', of: union }, target.start);
  if (form.type !== 'node' || fresh.type !== 'node') return fresh;
  const own = fieldsOf(form);
  const isSame = (key: string, other: string): boolean =>
    JSON.stringify(own[key]?.kind) === JSON.stringify(target.fields[other]?.kind);
  const kept: FormFields = Object.fromEntries(
    Object.entries(form.fields).filter(([key]) => key !== form.tag && key in target.fields && isSame(key, key)),
  );
  const operand = form.fields[form.tag];
  const held = operand !== undefined && (isSame(form.tag, tag) ? operand : convertedOperand(operand, target, tag));
  return { ...fresh, fields: { ...fresh.fields, ...kept, ...(held && { [tag]: held }) } };
};

/**
 * Operands as texts where the test takes no numbers. One operand becomes a list of it, and a list its first one. The
 * same holds of children.
 */
const convertedOperand = (operand: Form, target: Construct, tag: string): Form | undefined => {
  const kind = target.fields[tag]?.kind;
  if (kind?.type === 'operands' && operand.type === 'operands')
    return kind.of === 'text' ? { ...operand, operands: operand.operands.map(String) } : operand;
  if (kind?.type === 'operands' && operand.type === 'plain' && typeof operand.value !== 'boolean')
    return { type: 'operands', operands: [operand.value] };
  if (kind?.type === 'operand' && operand.type === 'operands' && operand.operands[0] !== undefined)
    return { type: 'plain', value: operand.operands[0] };
  if (kind?.type === 'list' && operand.type === 'node' && kind.of.type === 'union' && kind.of.of === operand.union)
    return { type: 'list', kind, items: [operand] };
  if (kind?.type === 'union' && operand.type === 'list' && operand.items[0]?.type === 'node')
    return operand.items[0].union === kind.of ? operand.items[0] : undefined;
  return undefined;
};

/** A node as the child of a group: `and`, `or` or `not` around it. */
export const wrapped = (form: Form, tag: 'and' | 'or' | 'not'): Form => {
  if (form.type !== 'node') return form;
  const json = jsonOf(form);
  return formOf({ type: 'union', of: form.union }, { [tag]: tag === 'not' ? json : [json] });
};

/** The list with the item at a place moved by one. */
export const moved = (form: Extract<Form, { readonly type: 'list' }>, at: number, by: 1 | -1): Form => {
  const items = [...form.items];
  const [item] = items.splice(at, 1);
  if (item !== undefined) items.splice(Math.min(Math.max(at + by, 0), items.length), 0, item);
  return { ...form, items };
};
