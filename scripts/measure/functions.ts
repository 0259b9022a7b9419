import ts from 'typescript';

import { lineAt, type Lines } from './lines';

export interface MeasuredFunction {
  readonly name: string;
  /** Lines of code from its first to its last, those of functions inside it included. */
  readonly lines: number;
}

/** All functions with a body: arrow functions, methods, constructors and accessors too. */
export const functionsIn = (source: ts.SourceFile, { code }: Pick<Lines, 'code'>): readonly MeasuredFunction[] => {
  const found: MeasuredFunction[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const first = lineAt(source, node.getStart(source));
      const last = lineAt(source, node.getEnd());
      const lines = [...code].filter((line) => line >= first && line <= last).length;
      found.push({ name: functionName(node, source), lines });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

/** The function's own name, or that of what it is assigned to. */
const functionName = (node: ts.SignatureDeclaration, source: ts.SourceFile): string => {
  const { name, parent } = node;
  if (name !== undefined) return name.getText(source);
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent))
    return parent.name.getText(source);
  return ts.isConstructorDeclaration(node) ? 'constructor' : '(anonymous)';
};
