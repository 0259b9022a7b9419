import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import ts from 'typescript';

import { bare, commentOf, sourceOf } from './syntax';

/** Something that a file offers, with its comment. */
export interface Documented {
  readonly name: string;
  /** The type, or the parameters and the type of the answer. */
  readonly signature: string;
  readonly comment: string;
}

/** A number that a file names. */
export interface NamedNumber extends Omit<Documented, 'signature'> {
  readonly value: number;
}

const sourceFile = (file: string): ts.SourceFile =>
  ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);

/** The members of an interface. */
export const membersOf = (file: string, name: string): readonly Documented[] =>
  sourceFile(file)
    .statements.filter((statement) => ts.isInterfaceDeclaration(statement) && statement.name.text === name)
    .flatMap((statement) => [...(statement as ts.InterfaceDeclaration).members])
    .flatMap((member) =>
      ts.isPropertySignature(member) && member.type !== undefined
        ? [{ name: member.name.getText(), signature: sourceOf(member.type), comment: commentOf(member) }]
        : [],
    );

/** What an entry of the package exports, found in the files that it takes it from. */
export const exportsOf = (entry: string): readonly Documented[] =>
  sourceFile(entry)
    .statements.filter(ts.isExportDeclaration)
    .flatMap(({ exportClause, moduleSpecifier }) => {
      if (exportClause === undefined || !ts.isNamedExports(exportClause) || moduleSpecifier === undefined) return [];
      const from = resolve(dirname(entry), `${(moduleSpecifier as ts.StringLiteral).text}.ts`);
      return exportClause.elements.flatMap(({ name }) => declarationOf(from, name.text) ?? []);
    });

/** A top-level declaration of a file by its name. One that calls another of the file has that one's comment too. */
export const declarationOf = (file: string, name: string): Documented | undefined => {
  const { statements } = sourceFile(file);
  for (const statement of statements) {
    if ((ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement)) && statement.name.text === name)
      return { name, signature: 'type', comment: commentOf(statement) };
    if (!ts.isVariableStatement(statement)) continue;
    const declaration = statement.declarationList.declarations.find((one) => one.name.getText() === name);
    if (declaration !== undefined)
      return {
        name,
        signature: signatureOf(declaration),
        comment: [commentOf(statement), makerComment(file, declaration)].filter(Boolean).join(' '),
      };
  }
  return undefined;
};

const makerComment = (file: string, { initializer }: ts.VariableDeclaration): string =>
  initializer !== undefined && ts.isCallExpression(initializer) && ts.isIdentifier(initializer.expression)
    ? (declarationOf(file, initializer.expression.text)?.comment ?? '')
    : '';

const signatureOf = ({ type, initializer }: ts.VariableDeclaration): string => {
  if (type !== undefined) return sourceOf(type);
  if (initializer === undefined || !ts.isArrowFunction(initializer)) return '';
  const parameters = initializer.parameters.map(sourceOf).join(', ');
  return `(${parameters})${initializer.type === undefined ? '' : `: ${sourceOf(initializer.type)}`}`;
};

/** The numbers that a file names at its top, fields of objects included. */
export const numbersOf = (file: string): readonly NamedNumber[] =>
  sourceFile(file)
    .statements.filter(ts.isVariableStatement)
    .flatMap((statement) =>
      statement.declarationList.declarations.flatMap(({ name, initializer }) =>
        initializer === undefined ? [] : numbersIn(name.getText(), initializer, commentOf(statement)),
      ),
    );

const numbersIn = (name: string, given: ts.Expression, comment: string): readonly NamedNumber[] => {
  const node = bare(given);
  const value = numberOf(node);
  if (value !== undefined) return [{ name, value, comment }];
  if (!ts.isObjectLiteralExpression(node)) return [];
  return node.properties
    .filter(ts.isPropertyAssignment)
    .flatMap((property) => numbersIn(`${name}.${property.name.getText()}`, property.initializer, comment));
};

/** The value of a number or of a product of numbers. */
const numberOf = (node: ts.Expression): number | undefined => {
  if (ts.isNumericLiteral(node)) return Number(node.text.replaceAll('_', ''));
  if (!ts.isBinaryExpression(node) || node.operatorToken.kind !== ts.SyntaxKind.AsteriskToken) return undefined;
  const [left, right] = [numberOf(bare(node.left)), numberOf(bare(node.right))];
  return left === undefined || right === undefined ? undefined : left * right;
};
