import ts from 'typescript';

/** A paragraph of prose, as one line, and the line of the file in which it begins, from 1 on. */
export interface Paragraph {
  readonly text: string;
  readonly line: number;
}

/** Prose of a text whose lines begin at `first`: blank lines, list items and headings divide it. Code is left out. */
const paragraphsOf = (lines: readonly string[], first: number): readonly Paragraph[] => {
  const paragraphs: Paragraph[] = [];
  let isOpen = false;
  for (const [i, line] of lines.entries()) {
    const isItem = /^ {0,6}(?:[-*]|\d+\.) /.test(line);
    // A line that is indented by four is code, such as the diagram of an operator.
    const isProse = line.trim() !== '' && !/^(?: {4}|\||#|<!--|@)/.test(line);
    const text = line.replace(/^ *(?:[-*]|\d+\.) /, '').trim();
    const last = paragraphs.at(-1);
    if (isProse && !isItem && isOpen && last !== undefined)
      paragraphs[paragraphs.length - 1] = { ...last, text: `${last.text} ${text}` };
    else if (isProse || isItem) paragraphs.push({ text, line: first + i });
    isOpen = isProse || isItem;
  }
  return paragraphs;
};

/** The prose of a page in Markdown, without tables, headings and blocks of code. */
export const proseOfPage = (page: string): readonly Paragraph[] =>
  paragraphsOf(page.replace(/^```[\s\S]*?^```/gm, (code) => code.replace(/[^\n]/g, '')).split('\n'), 1);

/** The prose of the comments in a source file. Line comments that follow each other are one comment. */
export const proseOfSource = (file: string, source: string): readonly Paragraph[] => {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const ranges = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    for (const comment of [
      ...(ts.getLeadingCommentRanges(source, node.pos) ?? []),
      ...(ts.getTrailingCommentRanges(source, node.end) ?? []),
    ])
      ranges.set(comment.pos, comment);
    node.getChildren(tree).forEach(visit);
  };
  visit(tree);
  const comments = [...ranges.values()].sort((a, b) => a.pos - b.pos);
  const lineOf = (position: number): number => tree.getLineAndCharacterOfPosition(position).line;
  const isAlone = (position: number): boolean => /(?:^|\n)[ \t]*$/.test(source.slice(0, position));
  const blocks: { lines: string[]; first: number }[] = [];
  for (const { pos, end, kind } of comments) {
    const text = source.slice(pos, end);
    const line = lineOf(pos);
    const last = blocks.at(-1);
    if (kind === ts.SyntaxKind.MultiLineCommentTrivia)
      blocks.push({ lines: text.replace(/\*\/$/, '').split('\n').map(withoutStar), first: line });
    else if (isAlone(pos) && last !== undefined && last.first + last.lines.length === line)
      last.lines.push(text.replace(/^\/\/ ?/, ''));
    else blocks.push({ lines: [text.replace(/^\/\/ ?/, '')], first: line });
  }
  return blocks.flatMap(({ lines, first }) => paragraphsOf(lines, first + 1));
};

const withoutStar = (line: string): string => line.replace(/^\s*\/?\*+ ?/, '');
