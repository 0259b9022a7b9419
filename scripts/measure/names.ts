import ts from 'typescript';

/** Names that a source declares at its top, exported or not, each once: a type and a value of one name are one. */
export const topLevelNames = (source: ts.SourceFile): readonly string[] => [
  ...new Set(source.statements.flatMap((statement) => namesOf(statement))),
];

const namesOf = (statement: ts.Statement): readonly string[] => {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name));
  const isNamed =
    ts.isFunctionDeclaration(statement) ||
    ts.isClassDeclaration(statement) ||
    ts.isInterfaceDeclaration(statement) ||
    ts.isTypeAliasDeclaration(statement) ||
    ts.isEnumDeclaration(statement);
  return isNamed && statement.name ? [statement.name.text] : [];
};

const boundNames = (name: ts.BindingName): readonly string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : boundNames(element.name)));

/** Names that stand in several of the lists, with the number of lists: the most frequent first. */
export const repeatedNames = (
  lists: readonly (readonly string[])[],
): readonly (readonly [name: string, count: number])[] => {
  const counts = new Map<string, number>();
  for (const name of lists.flat()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
};
