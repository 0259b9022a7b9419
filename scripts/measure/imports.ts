import { posix } from 'node:path';
import ts from 'typescript';

/** Modules that a source imports, re-exports or takes types from, each once. Dynamic imports of code do not count. */
export const modulesOf = (source: ts.SourceFile): readonly string[] => {
  const modules = new Set<string>();
  const visit = (node: ts.Node): void => {
    const named =
      ts.isImportDeclaration(node) || ts.isExportDeclaration(node)
        ? node.moduleSpecifier
        : ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)
          ? node.argument.literal
          : undefined;
    if (named !== undefined && ts.isStringLiteral(named)) modules.add(named.text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...modules];
};

/** The file that a relative import names; undefined for a package, or for a file that is none of `files`. */
export const importedFile = (from: string, module: string, files: ReadonlySet<string>): string | undefined => {
  if (!module.startsWith('.')) return undefined;
  const path = posix.join(posix.dirname(from), module);
  return [`${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find((file) => files.has(file));
};

/** Groups of files that import each other, directly or over others (Tarjan's strongly connected components). */
export const cyclesOf = (importsOf: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] => {
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (file: string): void => {
    order.set(file, order.size);
    low.set(file, order.get(file)!);
    stack.push(file);
    for (const imported of importsOf.get(file) ?? []) {
      if (!order.has(imported)) visit(imported);
      if (stack.includes(imported)) low.set(file, Math.min(low.get(file)!, low.get(imported)!));
    }
    if (low.get(file) !== order.get(file)) return;
    const group = stack.splice(stack.indexOf(file));
    if (group.length > 1) cycles.push(group);
  };
  for (const file of importsOf.keys()) if (!order.has(file)) visit(file);
  return cycles;
};
