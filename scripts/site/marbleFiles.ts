import ts from 'typescript';

import { type DiagramKind, diagramOf } from './diagram';
import type { Lane } from './drawing';
import { bare, type Bindings, calledFunction, fieldsOf, meaningOf, sourceOf, textsOf } from './syntax';

/** A marble test with what it shows. */
export interface MarbleTest {
  /** Title of the group that the test is in, and its own: the rule that it proves. */
  readonly group: string;
  readonly rule: string;
  /** Diagrams in the order of the source. */
  readonly lanes: readonly Lane[];
  /** What letters stand for, as the source says it. */
  readonly letters: readonly (readonly [letter: string, meaning: string])[];
  /** How many diagrams the test makes while it runs, such as those of a law. Such diagrams cannot be drawn. */
  readonly made: number;
  readonly source: string;
}

/** Says which diagram of a file cannot be read. */
export class DiagramError extends Error {
  override readonly name = 'DiagramError';
}

/** Functions of the test scheduler, and of `marbles/support/marbles.ts`, whose first argument is a diagram. */
const makers: readonly string[] = ['hot', 'cold', 'state', 'schedule', 'time'];
/** The expectations whose `toBe` takes a diagram. */
const expectations: Readonly<Record<string, DiagramKind>> = {
  expectObservable: 'stream',
  expectSubscriptions: 'subscription',
};

/**
 * The marble tests of a file, with all diagrams that stand in the source. A test of a table is one test for each row.
 * Diagrams outside of all tests, which several tests use, are in a test of their own at the end. Throws `DiagramError`
 * for a diagram that RxJS cannot read.
 */
export const marbleTests = (file: string, text: string): readonly MarbleTest[] => {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = testsIn(source, '');
  const entered = new Set<ts.Node>(found.map(({ body }) => body));
  const tests = found.flatMap(({ body, rows, rule, group }) =>
    rows.map(({ bindings, cells }): MarbleTest => ({
      group,
      rule: ruleOf(rule, cells),
      source: body.getText(),
      ...drawn(body, bindings, entered),
    })),
  );
  const shared = drawn(source, new Map(), new Set(entered));
  return [
    ...tests.filter(({ lanes, made }) => lanes.length + made > 0),
    ...(shared.lanes.length > 0 ? [{ group: '', rule: 'Diagrams that these tests share', source: '', ...shared }] : []),
  ];
};

/** A test before its diagrams are read. */
interface FoundTest {
  readonly group: string;
  readonly rule: string;
  readonly body: ts.FunctionLikeDeclaration;
  /** One for each row of the table; one without cells where there is no table. */
  readonly rows: readonly Row[];
}

/** A row of a table of tests. */
interface Row {
  readonly bindings: Bindings;
  readonly cells: readonly ts.Expression[];
}

const testsIn = (node: ts.Node, group: string): readonly FoundTest[] => {
  if (!ts.isCallExpression(node)) return childrenOf(node).flatMap((child) => testsIn(child, group));
  const [title, ...rest] = node.arguments;
  const name = title !== undefined && ts.isStringLiteralLike(title) ? title.text : undefined;
  if (name !== undefined && /^describe\b/.test(node.expression.getText()))
    return rest.flatMap((argument) => testsIn(argument, name));
  const body = rest.map((argument) => bodyOf(argument)).find((found) => found !== undefined);
  if (name === undefined || body === undefined || !/^(marble|it|law)\b/.test(node.expression.getText()))
    return childrenOf(node).flatMap((child) => testsIn(child, group));
  return [{ group, rule: name, body, rows: rowsOf(node.expression, body) }];
};

/** The function of a test: the argument itself, or what `marbles(…)` is given. */
const bodyOf = (argument: ts.Expression): ts.FunctionLikeDeclaration | undefined => {
  if (ts.isArrowFunction(argument) || ts.isFunctionExpression(argument)) return argument;
  return ts.isCallExpression(argument) && argument.expression.getText() === 'marbles'
    ? argument.arguments.map(bodyOf).find((found) => found !== undefined)
    : undefined;
};

/** The rows of `it.each(rows)`, as far as the source lists them. The first parameter is that of the helpers. */
const rowsOf = (called: ts.Expression, body: ts.FunctionLikeDeclaration): readonly Row[] => {
  const none: readonly Row[] = [{ bindings: new Map(), cells: [] }];
  if (!ts.isCallExpression(called) || !called.expression.getText().endsWith('.each')) return none;
  const given = called.arguments[0];
  const table = given === undefined ? undefined : listed(bare(given));
  if (table === undefined) return none;
  const names = body.parameters.slice(1).map(({ name }) => name.getText());
  return table.elements.map((row) => {
    const list = bare(row);
    const cells = ts.isArrayLiteralExpression(list) ? [...list.elements] : [row];
    return { cells, bindings: new Map(cells.slice(0, names.length).map((cell, i) => [names[i]!, cell])) };
  });
};

const listed = (node: ts.Expression): ts.ArrayLiteralExpression | undefined => {
  if (ts.isArrayLiteralExpression(node)) return node;
  const meaning = ts.isIdentifier(node) ? meaningOf(node, new Map()) : undefined;
  return meaning === undefined ? undefined : listed(bare(meaning));
};

/** A title with the cells of its row in place of `%s` and the like. */
const ruleOf = (title: string, cells: readonly ts.Expression[]): string => {
  const texts = cells.map((cell) => textsOf(cell, new Map())?.[0] ?? sourceOf(cell));
  return title.replace(/%[sdijp]/g, (sign) => texts.shift() ?? sign);
};

type Drawn = Pick<MarbleTest, 'lanes' | 'letters' | 'made'>;

/**
 * All diagrams in a node, and in the functions of the file that it calls. Those functions are added to `entered`; what
 * is in `entered` already is a test of its own and is passed over.
 */
const drawn = (body: ts.Node, given: Bindings, entered: Set<ts.Node>): Drawn => {
  const lanes: Lane[] = [];
  const letters = new Map<string, string>();
  const passedOver = new Set([...entered].filter((node) => node !== body));
  let made = 0;
  const visit = (node: ts.Node, bindings: Bindings, depth: number): void => {
    if (passedOver.has(node)) return;
    for (const { argument, values, ...lane } of ts.isCallExpression(node) ? placesOf(node) : []) {
      const texts = textsOf(argument, bindings);
      // A function that several tests call has parameters that not all of them give.
      if (texts === undefined && depth === 0) made += 1;
      for (const text of texts ?? []) lanes.push(laneOf(lane, text, argument));
      for (const [letter, meaning] of lettersOf(values, bindings)) letters.set(letter, meaning);
    }
    for (const child of childrenOf(node)) visit(child, bindings, depth);
    const called = ts.isCallExpression(node) && depth < deepest ? calledFunction(node, bindings) : undefined;
    if (called === undefined || body.kind === ts.SyntaxKind.SourceFile) return;
    entered.add(called.body);
    visit(called.body.body, called.bindings, depth + 1);
  };
  visit(body, given, 0);
  const shown = new Set(lanes.flatMap(({ diagram }) => diagram.marks.map(({ letter }) => letter)));
  return { lanes, made, letters: [...letters].filter(([letter]) => shown.has(letter)) };
};

/** Functions that call functions are followed so far. */
const deepest = 3;

/** A diagram in the source. */
interface Place {
  readonly label: string;
  readonly role: Lane['role'];
  readonly kind: DiagramKind;
  readonly argument: ts.Expression;
  /** What the letters stand for. */
  readonly values: ts.Expression | undefined;
}

const placesOf = (node: ts.CallExpression): readonly Place[] => {
  const [argument, values, third] = node.arguments;
  if (argument === undefined) return [];
  const { expression } = node;
  const name = calledName(expression);
  if (makers.includes(name))
    return [{ label: givenLabel(node, name), role: 'given', kind: 'stream', argument, values }];
  const expected = { role: 'expected', kind: 'stream', values: undefined } as const;
  // Functions by which files with many streams say what they expect.
  if (name === 'expectOut') return fieldsOf(argument).map(([label, text]) => ({ ...expected, label, argument: text }));
  if (name === 'expectWritten') return [{ ...expected, label: 'written', argument }];
  if (name === 'see' && values !== undefined && third !== undefined)
    return [
      { ...expected, role: 'given', label: 'look', argument },
      { ...expected, label: shortened(sourceOf(values)), argument: third },
    ];
  return expectedPlace(expression, argument, values);
};

const expectedPlace = (
  called: ts.Expression,
  argument: ts.Expression,
  values: ts.Expression | undefined,
): readonly Place[] => {
  if (!ts.isPropertyAccessExpression(called) || called.name.text !== 'toBe') return [];
  if (!ts.isCallExpression(called.expression)) return [];
  const kind = expectations[calledName(called.expression.expression)];
  const [subject] = called.expression.arguments;
  return kind === undefined || subject === undefined
    ? []
    : [{ label: shortened(sourceOf(subject)), role: 'expected', kind, argument, values }];
};

/** The name of a function of the scheduler: `hot`, or `helpers.hot`. */
const calledName = (called: ts.Expression): string =>
  ts.isPropertyAccessExpression(called) && called.expression.getText() === 'helpers'
    ? called.name.text
    : called.getText();

/** The name under which a test uses what it is given; the maker's name where it has none. */
const givenLabel = (node: ts.CallExpression, maker: string): string => {
  const { parent } = node;
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return `${parent.name.getText()} (${maker})`;
  return maker;
};

const laneOf = ({ label, role, kind }: Omit<Place, 'argument' | 'values'>, text: string, argument: ts.Node): Lane => {
  try {
    return { label, role, text, diagram: diagramOf(text, kind) };
  } catch (error) {
    const source = argument.getSourceFile();
    const { line } = source.getLineAndCharacterOfPosition(argument.getStart());
    throw new DiagramError(`${source.fileName}:${line + 1}: «${text}» is no diagram (${(error as Error).message})`);
  }
};

/** The properties of the object that says what letters stand for. */
const lettersOf = (
  values: ts.Expression | undefined,
  bindings: Bindings,
): readonly (readonly [letter: string, meaning: string])[] => {
  const node = values === undefined ? undefined : bare(values);
  if (node === undefined) return [];
  if (ts.isIdentifier(node)) {
    const meaning = meaningOf(node, bindings);
    return meaning === node ? [] : lettersOf(meaning, bindings);
  }
  if (!ts.isObjectLiteralExpression(node)) return [];
  return node.properties.flatMap((property) =>
    ts.isPropertyAssignment(property)
      ? [[property.name.getText().replaceAll("'", ''), shortened(sourceOf(property.initializer))] as const]
      : ts.isSpreadAssignment(property)
        ? lettersOf(property.expression, bindings)
        : [],
  );
};

const shortened = (text: string): string => (text.length > 90 ? `${text.slice(0, 89)}…` : text);

const childrenOf = (node: ts.Node): readonly ts.Node[] => {
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  return children;
};
