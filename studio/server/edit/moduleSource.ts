import { dequal } from 'dequal';
import type * as TypeScript from 'typescript';

import { type Computed, type Literal, type Property, valueOf } from './literal';
import { lineAt, type Source } from './source';
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
  let queries: TypeScript.ArrayLiteralExpression | undefined;
  const visit = (node: Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const id = idOf(ts, node);
      if (id !== undefined) found.push({ node, id, literal: literalOf(ts, node) });
    }
    if (ts.isPropertyAssignment(node) && nameOf(ts, node.name) === 'queries')
      queries ??= listOf(ts, module, node.initializer);
    if (ts.isShorthandPropertyAssignment(node) && node.name.text === 'queries')
      queries ??= listOf(ts, module, node.name);
    ts.forEachChild(node, visit);
  };
  visit(module);
  return {
    text,
    style: styleOf(text, false),
    queries: queries && containerOf(queries),
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
          list: list && containerOf(list),
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
    ? fixed(`${literal.reason} on line ${lineAt(text, literal.start)}.`, first.node.getStart())
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

/** The list that an expression is: written there, or under a name of the module. */
const listOf = (
  ts: Ts,
  module: TypeScript.SourceFile,
  given: TypeScript.Expression,
): TypeScript.ArrayLiteralExpression | undefined => {
  const node = plain(ts, given);
  if (ts.isArrayLiteralExpression(node)) return node;
  if (!ts.isIdentifier(node)) return undefined;
  for (const statement of module.statements) {
    if (!ts.isVariableStatement(statement)) continue;
    for (const { name, initializer } of statement.declarationList.declarations) {
      const list = initializer && plain(ts, initializer);
      if (ts.isIdentifier(name) && name.text === node.text && list && ts.isArrayLiteralExpression(list)) return list;
    }
  }
  return undefined;
};

/** The list whose item a node is. */
const enclosing = (ts: Ts, node: Node): TypeScript.ArrayLiteralExpression | undefined => {
  const { parent } = node;
  if (ts.isAsExpression(parent) || ts.isSatisfiesExpression(parent) || ts.isParenthesizedExpression(parent))
    return enclosing(ts, parent);
  return ts.isArrayLiteralExpression(parent) ? parent : undefined;
};

const containerOf = (list: TypeScript.ArrayLiteralExpression) => ({
  start: list.getStart(),
  end: list.end,
  items: list.elements.map((element) => ({ start: element.getStart(), end: element.end })),
});

/** What an expression is where it is written as data, else what computes it. */
const literalOf = (ts: Ts, given: TypeScript.Expression): Literal | Computed => {
  const node = plain(ts, given);
  const place = { start: node.getStart(), end: node.end };
  const computed = (by: Node): Computed => ({
    kind: 'computed',
    reason: `Code makes a part of this cohort: \`${shortened(by.getText())}\` stands`,
    start: by.getStart(),
    end: by.end,
  });
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
      const item = literalOf(ts, element);
      if (item.kind === 'computed') return item;
      items.push(item);
    }
    return { kind: 'list', ...place, items };
  }
  if (!ts.isObjectLiteralExpression(node)) return computed(node);
  const items: Property[] = [];
  for (const property of node.properties) {
    const key = ts.isPropertyAssignment(property) ? nameOf(ts, property.name) : undefined;
    if (key === undefined || !ts.isPropertyAssignment(property)) return computed(property);
    const value = literalOf(ts, property.initializer);
    if (value.kind === 'computed') return value;
    items.push({ key, value, start: property.getStart(), end: property.end });
  }
  return { kind: 'object', ...place, items };
};

const shortened = (text: string): string => {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
};
