import { dequal } from 'dequal';
import type * as TypeScript from 'typescript';

import { publishedTaxonomies } from '../../../project/taxonomies/published';
import { ownEntry } from '../../../src/hardening/ownFields';
import type { TaxonomyEntry } from '../../protocol';
import { type Computed, type Literal, type Property, valueOf } from './literal';
import { computedReason, lineAt, type Source, type Table, type Taxonomies } from './source';
import { styleOf } from './style';

type Ts = typeof TypeScript;
type Node = TypeScript.Node;

/** An object of the module that has an id, with what it is made of. */
interface Found {
  readonly node: TypeScript.ObjectLiteralExpression;
  readonly id: string;
  readonly literal: Literal | Computed;
}

/** Reads a definition that is a module of TypeScript or JavaScript. */
export const moduleSource = (ts: Ts, file: string, text: string): Source => {
  const module = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Found[] = [];
  let definition: TypeScript.ObjectLiteralExpression | undefined;
  let queries: TypeScript.ArrayLiteralExpression | undefined;
  const visit = (node: Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const id = idOf(ts, node);
      if (id !== undefined) found.push({ node, id, literal: literalOf(ts, node) });
      const given = expressionAt(ts, node, 'queries');
      if (given !== undefined) {
        definition ??= node;
        const list = behindName(ts, module, given);
        if (list && ts.isArrayLiteralExpression(list)) queries ??= list;
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(module);
  const entryCall = importedName(ts, module, 'taxonomyEntry');
  return {
    text,
    style: { ...styleOf(text, false), entryCall },
    queries: queries && containerOf(queries.elements, queries),
    taxonomies: definition && taxonomiesIn(ts, module, definition, entryCall),
    literalAt: (start) => {
      const literal = found.find(({ node }) => node.getStart() === start)?.literal;
      return literal?.kind === 'computed' ? undefined : literal;
    },
    placeOf: (definition) => {
      const named = found.filter(({ id }) => id === definition.id);
      const same = named.filter(({ literal }) => literal.kind !== 'computed' && dequal(valueOf(literal), definition));
      const [only] = same;
      if (same.length === 1 && only !== undefined) {
        const list = enclosing(ts, only.node);
        return {
          type: 'literal',
          literal: only.literal as Literal,
          list: list && containerOf(list.elements, list),
          index: list?.elements.findIndex((element) => plain(ts, element) === only.node) ?? -1,
        };
      }
      return fixedBy(text, definition.id, named, same.length);
    },
  };
};

const fixedBy = (text: string, id: string, named: readonly Found[], same: number): ReturnType<Source['placeOf']> => {
  const fixed = (reason: string, at?: number) => ({ type: 'fixed' as const, reason, at });
  const [first] = named;
  if (first === undefined) return fixed(`Code makes this cohort: the file has no object with the id ${id} as a text.`);
  if (same > 1)
    return fixed(`The file has this cohort ${same} times, so it is not clear which one counts.`, first.node.getStart());
  const { literal } = first;
  return literal.kind === 'computed'
    ? fixed(computedReason(text, 'a part of this cohort', literal), first.node.getStart())
    : fixed('Code changes this cohort after line ' + `${lineAt(text, literal.start)}.`, first.node.getStart());
};

/** An expression without what only the compiler reads. */
const plain = (ts: Ts, node: TypeScript.Expression): TypeScript.Expression =>
  ts.isAsExpression(node) || ts.isSatisfiesExpression(node) || ts.isParenthesizedExpression(node)
    ? plain(ts, node.expression)
    : node;

const nameOf = (ts: Ts, name: TypeScript.PropertyName): string | undefined =>
  ts.isIdentifier(name) || ts.isStringLiteralLike(name) || ts.isNumericLiteral(name) ? name.text : undefined;

const idOf = (ts: Ts, node: TypeScript.ObjectLiteralExpression): string | undefined => {
  for (const property of node.properties) {
    if (!ts.isPropertyAssignment(property) || nameOf(ts, property.name) !== 'id') continue;
    const value = plain(ts, property.initializer);
    if (ts.isStringLiteralLike(value)) return value.text;
  }
  return undefined;
};

/** What an object says under a key: an expression, or the name itself in `{ queries }`. */
const expressionAt = (
  ts: Ts,
  object: TypeScript.ObjectLiteralExpression,
  key: string,
): TypeScript.Expression | undefined => {
  for (const property of object.properties) {
    if (ts.isPropertyAssignment(property) && nameOf(ts, property.name) === key) return property.initializer;
    if (ts.isShorthandPropertyAssignment(property) && property.name.text === key) return property.name;
  }
  return undefined;
};

/** The expression itself, or the one that the module gives its name; undefined where the module has no such name. */
const behindName = (
  ts: Ts,
  module: TypeScript.SourceFile,
  given: TypeScript.Expression,
): TypeScript.Expression | undefined => {
  const node = plain(ts, given);
  if (!ts.isIdentifier(node)) return node;
  for (const statement of module.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations)
      if (ts.isIdentifier(name) && name.text === node.text && initializer) return plain(ts, initializer);
  }
  return undefined;
};

/** The name that the module has for something that it imports; undefined where it does not import it. */
const importedName = (ts: Ts, module: TypeScript.SourceFile, wanted: string): string | undefined => {
  for (const statement of module.statements) {
    const bindings = ts.isImportDeclaration(statement) ? statement.importClause?.namedBindings : undefined;
    if (bindings === undefined || !ts.isNamedImports(bindings)) continue;
    const found = bindings.elements.find(({ propertyName, name }) => (propertyName ?? name).text === wanted);
    if (found !== undefined) return found.name.text;
  }
  return undefined;
};

/** The object `taxonomies` of a definition, each cohort's entries as data or as what computes them. */
const taxonomiesIn = (
  ts: Ts,
  module: TypeScript.SourceFile,
  definition: TypeScript.ObjectLiteralExpression,
  entryCall: string | undefined,
): Taxonomies | undefined => {
  const given = expressionAt(ts, definition, 'taxonomies');
  if (given === undefined) return { type: 'absent', definition: containerOf(definition.properties, definition) };
  const object = behindName(ts, module, given);
  if (object === undefined || !ts.isObjectLiteralExpression(object)) return undefined;
  const items = object.properties.map((property): Table['items'][number] => {
    const place = { start: property.getStart(), end: property.end };
    return ts.isPropertyAssignment(property)
      ? { key: nameOf(ts, property.name), value: literalOf(ts, property.initializer, entryCall), ...place }
      : { key: undefined, value: computedBy(property), ...place };
  });
  return { type: 'table', table: { start: object.getStart(), end: object.end, items } };
};

/** The list whose item a node is. */
const enclosing = (ts: Ts, node: Node): TypeScript.ArrayLiteralExpression | undefined => {
  const { parent } = node;
  if (ts.isAsExpression(parent) || ts.isSatisfiesExpression(parent) || ts.isParenthesizedExpression(parent))
    return enclosing(ts, parent);
  return ts.isArrayLiteralExpression(parent) ? parent : undefined;
};

const containerOf = (items: readonly Node[], brackets: Node) => ({
  start: brackets.getStart(),
  end: brackets.end,
  items: items.map((item) => ({ start: item.getStart(), end: item.end })),
});

const computedBy = (node: Node): Computed => ({
  kind: 'computed',
  code: shortened(node.getText()),
  start: node.getStart(),
  end: node.end,
});

/**
 * What an expression is where it is written as data, else what computes it. `entryCall`: the module's name of
 * `taxonomyEntry`, whose calls are data too.
 */
const literalOf = (ts: Ts, given: TypeScript.Expression, entryCall?: string): Literal | Computed => {
  const node = plain(ts, given);
  const place = { start: node.getStart(), end: node.end };
  if (ts.isStringLiteralLike(node)) return { kind: 'plain', ...place, value: node.text };
  if (ts.isNumericLiteral(node)) return { kind: 'plain', ...place, value: Number(node.text) };
  if (
    ts.isPrefixUnaryExpression(node) &&
    node.operator === ts.SyntaxKind.MinusToken &&
    ts.isNumericLiteral(node.operand)
  )
    return { kind: 'plain', ...place, value: -Number(node.operand.text) };
  if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword)
    return { kind: 'plain', ...place, value: node.kind === ts.SyntaxKind.TrueKeyword };
  if (node.kind === ts.SyntaxKind.NullKeyword) return { kind: 'plain', ...place, value: null };
  if (ts.isArrayLiteralExpression(node)) {
    const items: Literal[] = [];
    for (const element of node.elements) {
      const item = literalOf(ts, element, entryCall);
      if (item.kind === 'computed') return item;
      items.push(item);
    }
    return { kind: 'list', ...place, items };
  }
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === entryCall) {
    const value = entryOf(node.arguments.map((argument) => literalOf(ts, argument)));
    return value === undefined ? computedBy(node) : { kind: 'entry', ...place, value };
  }
  if (!ts.isObjectLiteralExpression(node)) return computedBy(node);
  const items: Property[] = [];
  for (const property of node.properties) {
    const key = ts.isPropertyAssignment(property) ? nameOf(ts, property.name) : undefined;
    if (key === undefined || !ts.isPropertyAssignment(property)) return computedBy(property);
    const value = literalOf(ts, property.initializer, entryCall);
    if (value.kind === 'computed') return value;
    items.push({ key, value, start: property.getStart(), end: property.end });
  }
  return { kind: 'object', ...place, items };
};

/** What `taxonomyEntry` makes of its arguments; undefined where it would make nothing. */
const entryOf = ([segtax, name]: readonly (Literal | Computed)[]): TaxonomyEntry | undefined => {
  if (segtax?.kind !== 'plain' || typeof segtax.value !== 'number' || name?.kind !== 'plain') return undefined;
  const id = ownEntry(ownEntry(publishedTaxonomies, String(segtax.value))?.ids ?? {}, String(name.value));
  return id === undefined ? undefined : { segtax: segtax.value, id };
};

const shortened = (text: string): string => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
};
