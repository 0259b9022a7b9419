import { resolve } from 'node:path';
import ts from 'typescript';

import { isInSrc, sourceProgram } from './sourceProgram';

/** Parts of `src` that run on no page of a visitor: tools that addon authors and publishers run in their own tests. */
const outside = /\/src\/(?:addonKit|testing)\//;

/**
 * Names of all optional fields that `src` reads from objects of its own types. A page that has added such a name to
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
    ts.forEachChild(node, visit);
  };
  files.filter(({ fileName }) => !outside.test(fileName)).forEach(visit);
  return [...names].sort();
};
