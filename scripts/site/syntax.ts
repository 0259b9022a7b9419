import ts from 'typescript';

/** By name of a parameter, what a row of a table of tests has for it. */
export type Bindings = ReadonlyMap<string, ts.Expression>;

/** The expression without parentheses, assertions and `as const`. */
export const bare = (node: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(node) ||
  ts.isNonNullExpression(node) ||
  ts.isAsExpression(node) ||
  ts.isSatisfiesExpression(node)
    ? bare(node.expression)
    : node;

/** What a name stands for where it is used: the row's value, or the initializer of the `const` in the next scope. */
export const meaningOf = (name: ts.Identifier, bindings: Bindings): ts.Expression | undefined => {
  const bound = bindings.get(name.text);
  if (bound !== undefined) return bound;
  for (let scope: ts.Node | undefined = name; scope !== undefined; scope = scope.parent as ts.Node | undefined) {
    if (ts.isFunctionLike(scope) && scope.parameters.some((parameter) => parameter.name.getText() === name.text))
      return undefined;
    if (!ts.isBlock(scope) && !ts.isSourceFile(scope)) continue;
    const found = scope.statements
      .filter(ts.isVariableStatement)
      .flatMap(({ declarationList }) => declarationList.declarations)
      .find((declaration) => declaration.name.getText() === name.text);
    if (found !== undefined) return found.initializer;
  }
  return undefined;
};

/**
 * The texts that an expression may have, as far as the source says so: those of both branches of a condition, and of
 * all elements of a list. Undefined where they are made while the test runs.
 */
export const textsOf = (given: ts.Expression, bindings: Bindings): readonly string[] | undefined => {
  const node = bare(given);
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isNumericLiteral(node)) return [String(Number(node.text.replaceAll('_', '')))];
  if (ts.isIdentifier(node)) {
    const meaning = meaningOf(node, bindings);
    return meaning === undefined || meaning === node ? undefined : textsOf(meaning, bindings);
  }
  if (ts.isConditionalExpression(node)) return together([node.whenTrue, node.whenFalse], bindings);
  if (ts.isArrayLiteralExpression(node)) return together(node.elements, bindings);
  if (ts.isTemplateExpression(node)) {
    const parts = node.templateSpans.map(({ expression }) => textsOf(expression, bindings));
    return parts.every((part) => part?.length === 1)
      ? [node.head.text + node.templateSpans.map(({ literal }, i) => parts[i]![0]! + literal.text).join('')]
      : undefined;
  }
  return undefined;
};

const together = (nodes: readonly ts.Expression[], bindings: Bindings): readonly string[] | undefined => {
  const all = nodes.map((node) => textsOf(node, bindings));
  return all.every((texts) => texts !== undefined) ? all.flat() : undefined;
};

/** A function of the file that is called, and what its parameters are. */
export interface CalledFunction {
  readonly body: ts.ArrowFunction;
  readonly bindings: Bindings;
}

/** The function that a call names, where it is an arrow function of the same file, or is made by one. */
export const calledFunction = (call: ts.CallExpression, bindings: Bindings): CalledFunction | undefined => {
  const named = call.expression;
  const maker = ts.isCallExpression(named) ? calledFunction(named, bindings) : undefined;
  const meaning = ts.isIdentifier(named) ? meaningOf(named, bindings) : maker && resultOf(maker.body);
  const body = meaning === undefined ? undefined : bare(meaning);
  if (body === undefined || !ts.isArrowFunction(body)) return undefined;
  const bound = body.parameters.flatMap((parameter, i) =>
    boundNames(parameter, resolvedBy(bindings, call.arguments[i] ?? parameter.initializer)),
  );
  const known = bound.map(([name, value]) => [name, resolvedBy(bindings, value) ?? value] as const);
  return { body, bindings: new Map([...(maker?.bindings ?? []), ...known]) };
};

/** What a function answers, where it has one `return` at its end. */
const resultOf = ({ body }: ts.ArrowFunction): ts.Expression | undefined => {
  if (!ts.isBlock(body)) return body;
  const last = body.statements.at(-1);
  return last !== undefined && ts.isReturnStatement(last) ? last.expression : undefined;
};

/** What a name stands for where the function is called, because the function has other names. */
const resolvedBy = (bindings: Bindings, node: ts.Expression | undefined): ts.Expression | undefined =>
  node !== undefined && ts.isIdentifier(node) ? (meaningOf(node, bindings) ?? node) : node;

/** The names of a parameter with what they are given: of a pattern, the properties of an object in the source. */
const boundNames = (
  { name }: ts.ParameterDeclaration,
  given: ts.Expression | undefined,
): readonly (readonly [name: string, given: ts.Expression])[] => {
  if (ts.isIdentifier(name)) return given === undefined ? [] : [[name.text, given]];
  if (!ts.isObjectBindingPattern(name)) return [];
  const object = given === undefined ? undefined : bare(given);
  const fields = new Map(object === undefined ? [] : fieldsOf(object));
  return name.elements.flatMap((element) => {
    const field = (element.propertyName ?? element.name).getText();
    const value = fields.get(field) ?? element.initializer;
    return value === undefined ? [] : [[element.name.getText(), value] as const];
  });
};

/** The fields of an object in the source. */
export const fieldsOf = (object: ts.Expression): readonly (readonly [name: string, value: ts.Expression])[] =>
  !ts.isObjectLiteralExpression(object)
    ? []
    : object.properties.flatMap((property) => {
        if (ts.isPropertyAssignment(property)) return [[property.name.getText(), property.initializer] as const];
        return ts.isShorthandPropertyAssignment(property) ? [[property.name.text, property.name] as const] : [];
      });

/** The source of a node on one line. */
export const sourceOf = (node: ts.Node): string => node.getText().replace(/\s+/g, ' ');

/** The comment above a declaration, without its signs; empty where there is none. */
export const commentOf = (node: ts.Node): string =>
  ts
    .getJSDocCommentsAndTags(node)
    .filter(ts.isJSDoc)
    .map(({ comment }) => ts.getTextOfJSDocComment(comment) ?? '')
    .join('\n');
