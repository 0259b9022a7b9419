import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import ts from 'typescript';

import { sourceProgram } from './sourceProgram';

/** One place in `src` that reads a member of a document or an element. */
export interface DomRead {
  readonly file: string;
  /** The type of what is read, such as `Document` or `HTMLScriptElement`. */
  readonly owner: string;
  readonly member: string;
  /** Whether it is read past elements that hide it (`src/hardening/unclobbered.ts`). */
  readonly isUnclobbered: boolean;
}

/** All members that `src` reads from documents and elements. A page's HTML may hide them by elements of these names. */
export const domReads = (root = resolve(__dirname, '..')): readonly DomRead[] => {
  const { checker, files } = sourceProgram(root);
  const reads: DomRead[] = [];
  const note = (node: ts.Node, member: string): void => {
    for (const owner of partsOf(checker.getNonNullableType(checker.getTypeAtLocation(node))))
      if (isNode(owner) && owner.getProperty(member) !== undefined)
        reads.push({
          file: relative(resolve(root, 'src'), node.getSourceFile().fileName),
          owner: ownerName(owner),
          member,
          isUnclobbered: owner.isIntersection() && owner.types.some(isMark),
        });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) note(node.expression, node.name.text);
    if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression))
      note(node.expression, node.argumentExpression.text);
    if (ts.isExpression(node) && !ts.isObjectBindingPattern(targetOf(node)))
      for (const member of membersOfDisguise(node)) note(node, member);
    if (ts.isObjectBindingPattern(node))
      for (const { propertyName, name } of node.elements) note(node, (propertyName ?? name).getText());
    ts.forEachChild(node, visit);
  };
  /** The members of a node that code takes for another object: `(document as { title: string }).title`. */
  const membersOfDisguise = (node: ts.Expression): readonly string[] => {
    if (!partsOf(checker.getNonNullableType(checker.getTypeAtLocation(node))).some(isNode)) return [];
    const type = ts.isAsExpression(node.parent)
      ? checker.getTypeFromTypeNode(node.parent.type)
      : checker.getContextualType(node);
    return partsOf(type === undefined ? checker.getVoidType() : checker.getNonNullableType(type))
      .filter((part) => (part.flags & ts.TypeFlags.Object) !== 0 && !isNode(part))
      .flatMap((part) => part.getProperties().map(({ name }) => name));
  };
  files.forEach(visit);
  return reads;
};

/** What a value is given to: the pattern or name of a variable. */
const targetOf = ({ parent }: ts.Expression): ts.Node => (ts.isVariableDeclaration(parent) ? parent.name : parent);

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

const partsOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type]);

/** Whether a type is a node of the document, by a member that all nodes have and nothing else has. */
const isNode = (type: ts.Type): boolean =>
  type
    .getProperty('ownerDocument')
    ?.declarations?.some((declared) => /\/lib\.dom[^/]*$/.test(declared.getSourceFile().fileName)) === true;

/** Whether a part of an intersection is the mark of `Unclobbered`, whose only member has a symbol for its name. */
const isMark = (type: ts.Type): boolean =>
  type.getProperties().some(({ name }) => name.startsWith('__@unclobberedMark'));

const ownerName = (type: ts.Type): string =>
  (type.isIntersection() ? type.types : [type])
    .filter((part) => isNode(part))
    .map((part) => part.symbol.name)
    .join('');
