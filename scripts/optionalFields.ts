import { relative, resolve } from 'node:path';
import ts from 'typescript';

import { keptForSources } from './keptForSources';
import { isInSrc, sourceProgram } from './sourceProgram';

/**
 * Parts of `src` that run on no page of a visitor: tools that addon authors and publishers run in their own tests. A
 * replay in the inspector gives the fake platform no facts.
 */
const outside = /\/src\/(?:addonKit|fakePlatform|testing)\//;

/**
 * The language itself reads these of descriptions of properties and of what it makes a list of. Where a page has added
 * one to all objects, hardly a script runs.
 */
const ofLanguage: readonly string[] = ['value', 'length'];

/** The inspector tells the clauses of queries apart by their fields. Only those load it who ask for it. */
const ofQueries = /\/src\/inspector\//;

/**
 * Names of all optional fields that `src` reads from objects of its own types, of fields that it reads by name from
 * objects of any fields (`event['pingData']`), and of those by which it tells objects apart (`'html' in content`). A
 * page that has added such a name to `Object.prototype` seems to have set the field of every object that lacks it.
 */
export const optionalFields = (): readonly string[] =>
  keptForSources('optionalFields', ['scripts/optionalFields.ts', 'scripts/sourceProgram.ts'], () =>
    [...optionalReads().keys()].sort(),
  );

/** By such a name, the places in the sources that read it, such as `src/endpoints/call.ts:49`. */
export const optionalReads = (root = resolve(__dirname, '..')): ReadonlyMap<string, readonly string[]> => {
  const { checker, files } = sourceProgram(root);
  const reads = new Map<string, string[]>();
  const add = (name: string, node: ts.Node): void => {
    if (ofLanguage.includes(name)) return;
    const file = node.getSourceFile();
    const place = `${relative(root, file.fileName)}:${file.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    reads.set(name, [...(reads.get(name) ?? []), place]);
  };
  const note = (name: string, field: ts.Symbol | undefined, node: ts.Node): void => {
    // The fields of `Partial<Record<'a' | 'b', …>>` are declared nowhere.
    const isOurs = field?.declarations?.some((declared) => isInSrc(declared.getSourceFile().fileName, root)) ?? true;
    if (field !== undefined && isOurs && (field.flags & ts.SymbolFlags.Optional) !== 0) add(name, node);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) note(node.name.text, checker.getSymbolAtLocation(node.name), node.name);
    if (ts.isElementAccessExpression(node)) {
      const owner = checker.getNonNullableType(checker.getTypeAtLocation(node.expression));
      for (const name of namesOf(checker.getTypeAtLocation(node.argumentExpression)))
        if (partsOf(owner).some((part) => isOfAnyFields(part, name))) add(name, node);
        else note(name, owner.getProperty(name), node);
    }
    if (ts.isObjectBindingPattern(node)) {
      const type = checker.getTypeAtLocation(node);
      for (const { dotDotDotToken, propertyName, name } of node.elements) {
        const field = (propertyName ?? name).getText();
        if (dotDotDotToken === undefined) note(field, type.getProperty(field), name);
      }
    }
    if (isInExpression(node) && !ofQueries.test(node.getSourceFile().fileName)) add(node.left.text, node);
    ts.forEachChild(node, visit);
  };
  files.filter(({ fileName }) => !outside.test(fileName)).forEach(visit);
  return reads;
};

const partsOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type]);

/** The names that an index may be, where its type lists them. */
const namesOf = (index: ts.Type): readonly string[] =>
  partsOf(index).flatMap((part) => (part.isStringLiteral() ? [part.value] : []));

/** Whether a type allows any name and declares nothing of this one. */
const isOfAnyFields = (type: ts.Type, name: string): boolean =>
  type.getStringIndexType() !== undefined && type.getProperty(name) === undefined;

/** Whether code asks for a name in an object: `'html' in content`. */
const isInExpression = (node: ts.Node): node is ts.BinaryExpression & { readonly left: ts.StringLiteral } =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword && ts.isStringLiteral(node.left);
