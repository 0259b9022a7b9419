import ts from 'typescript';

/** All members that a file of `src` reads from documents and elements. */
export const domReadsIn = (file, checker) => {
  const reads = [];
  const note = (node, member) => {
    for (const owner of partsOf(checker.getNonNullableType(checker.getTypeAtLocation(node))))
      if (isNode(owner) && owner.getProperty(member) !== undefined)
        reads.push({
          node,
          member,
          owner: ownerName(owner),
          isUnclobbered: owner.isIntersection() && owner.types.some(isMark),
        });
  };
  const visit = (node) => {
    if (isOfTypesAlone(node)) return;
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
  const membersOfDisguise = (node) => {
    if (!partsOf(checker.getNonNullableType(checker.getTypeAtLocation(node))).some(isNode)) return [];
    const type = ts.isAsExpression(node.parent)
      ? checker.getTypeFromTypeNode(node.parent.type)
      : checker.getContextualType(node);
    return partsOf(type === undefined ? checker.getVoidType() : checker.getNonNullableType(type))
      .filter((part) => (part.flags & ts.TypeFlags.Object) !== 0 && !isNode(part))
      .flatMap((part) => part.getProperties().map(({ name }) => name));
  };
  visit(file);
  return reads;
};

/** Whether a node is gone when the program runs: nothing in it reads. */
const isOfTypesAlone = (node) =>
  ts.isTypeNode(node) ||
  ts.isInterfaceDeclaration(node) ||
  ts.isTypeAliasDeclaration(node) ||
  ts.isImportDeclaration(node);

/** What a value is given to: the pattern or name of a variable. */
const targetOf = ({ parent }) => (ts.isVariableDeclaration(parent) ? parent.name : parent);

const partsOf = (type) => (type.isUnion() ? type.types : [type]);

/** Whether a type is a node of the document, by a member that all nodes have and nothing else has. */
const isNode = (type) =>
  type
    .getProperty('ownerDocument')
    ?.declarations?.some((declared) => /\/lib\.dom[^/]*$/.test(declared.getSourceFile().fileName)) === true;

/** Whether a part of an intersection is the mark of `Unclobbered`, whose only member has a symbol for its name. */
const isMark = (type) => type.getProperties().some(({ name }) => name.startsWith('__@unclobberedMark'));

const ownerName = (type) =>
  (type.isIntersection() ? type.types : [type])
    .filter(isNode)
    .map((part) => part.symbol.name)
    .join('');
