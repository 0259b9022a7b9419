import ts from 'typescript';

/** The lines of a source by what stands on them, counted from 0. */
export interface Lines {
  /** Lines with at least one token, which may also end in a comment. */
  readonly code: ReadonlySet<number>;
  /** Lines with nothing but a comment. Blank lines inside a comment are among them. */
  readonly comments: ReadonlySet<number>;
}

export const linesOf = (source: ts.SourceFile): Lines => {
  const code = new Set<number>();
  const comments = new Set<number>();
  const add = (lines: Set<number>, start: number, end: number): void => {
    for (let line = lineAt(source, start); line <= lineAt(source, end); line += 1) lines.add(line);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return add(comments, node.getStart(source), node.getEnd());
    if (isToken(node, source)) add(code, node.getStart(source), node.getEnd());
    for (const { pos, end } of ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? [])
      add(comments, pos, end);
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return { code, comments: new Set([...comments].filter((line) => !code.has(line))) };
};

export const lineAt = (source: ts.SourceFile, position: number): number =>
  source.getLineAndCharacterOfPosition(position).line;

const isToken = (node: ts.Node, source: ts.SourceFile): boolean =>
  node.getChildCount(source) === 0 &&
  node.kind !== ts.SyntaxKind.EndOfFileToken &&
  !(ts.isJsxText(node) && node.containsOnlyTriviaWhiteSpaces) &&
  node.getWidth(source) > 0;
