import { resolve } from 'node:path';
import ts from 'typescript';

import { isInSrc, sourceProgram } from './sourceProgram';

/** Parts of `src` that run on no page of a visitor: tools that addon authors and publishers run in their own tests. */
const outside = /\/src\/(?:addonKit|testing)\//;

/**
 * The language itself reads these of descriptions of properties and of what it makes a list of. Where a page has added
 * one to all objects, hardly a script runs.
 */
const ofLanguage: readonly string[] = ['value', 'length'];

/** The inspector tells the clauses of queries apart by their fields. Only those load it who ask for it. */
const ofQueries = /\/src\/inspector\//;

/**
 * Names of all optional fields that `src` reads from objects of its own types, and of those by which it tells objects
 * apart (`'html' in content`). A page that has added such a name to
 * `Object.prototype` seems to have set the field of every object that lacks it.
 */
export const optionalFields = (root = resolve(__dirname, '..')): readonly string[] => {
  const { checker, files } = sourceProgram(root);
  const names = new Set<string>();
  const note = (name: string, field: ts.Symbol | undefined): void => {
    const isOurs = field?.declarations?.some((declared) => isInSrc(declared.getSourceFile().fileName, root));
    if (isOurs === true && (field!.flags & ts.SymbolFlags.Optional) !== 0) names.add(name);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) note(node.name.text, checker.getSymbolAtLocation(node.name));
    if (ts.isObjectBindingPattern(node)) {
      const type = checker.getTypeAtLocation(node);
      for (const { dotDotDotToken, propertyName, name } of node.elements) {
        const field = (propertyName ?? name).getText();
        if (dotDotDotToken === undefined) note(field, type.getProperty(field));
      }
    }
    if (isInExpression(node) && !ofQueries.test(node.getSourceFile().fileName)) names.add(node.left.text);
    ts.forEachChild(node, visit);
  };
  files.filter(({ fileName }) => !outside.test(fileName)).forEach(visit);
  return [...names].filter((name) => !ofLanguage.includes(name)).sort();
};

/** Whether code asks for a name in an object: `'html' in content`. */
const isInExpression = (node: ts.Node): node is ts.BinaryExpression & { readonly left: ts.StringLiteral } =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword && ts.isStringLiteral(node.left);
