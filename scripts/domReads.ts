import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';

import { keptForSources } from './keptForSources';
import { domReadsIn } from './lint/domReadsIn';
import { sourceProgram } from './sourceProgram';

/** All members that `src` reads from documents and elements, each once. */
export const domReads = (): readonly string[] =>
  keptForSources('domReads', ['scripts/domReads.ts', 'scripts/sourceProgram.ts'], () => {
    const { checker, files } = sourceProgram(resolve(__dirname, '..'));
    return [...new Set(files.flatMap((file) => domReadsIn(file, checker)).map(({ member }) => member))];
  });

/**
 * The members of documents and forms that files of libraries may read: all properties in them that are named so,
 * because libraries in JavaScript say nothing of their types.
 */
export const libraryDomReads = (files: readonly string[], root = resolve(__dirname, '..')): readonly string[] => {
  const { checker, files: sources } = sourceProgram(root);
  const members = new Set(
    ['Document', 'HTMLFormElement'].flatMap((owner) =>
      checker
        .getDeclaredTypeOfSymbol(
          checker.resolveName(owner, sources[0], ts.SymbolFlags.Interface, false) ?? fail(`no type ${owner}`),
        )
        .getProperties()
        .map(({ name }) => name),
    ),
  );
  const read = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node) && members.has(node.name.text)) read.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  for (const file of files)
    visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, false, ts.ScriptKind.JS));
  return [...read].sort();
};

const fail = (what: string): never => {
  throw new Error(what);
};
