import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

/** Folders whose code reads texts of others. What `scripts` reads stands in this repository. */
const folders = ['src', 'project', 'bundle', 'studio', 'command', 'demo'];

/** The regular expressions of the sources. */
export interface Collected {
  /** Each expression as it is written, such as `/a+/g`, with the places where it stands. */
  readonly expressions: ReadonlyMap<string, readonly string[]>;
  /** Files that make expressions at run time, each with the code that does. */
  readonly made: readonly (readonly [file: string, code: string])[];
}

/** Finds all regular expressions: literals, and those that are made of a constant text. */
export const collectedExpressions = (root: string): Collected => {
  const expressions = new Map<string, string[]>();
  const made: [string, string][] = [];
  const add = (text: string, node: ts.Node): void => {
    const source = node.getSourceFile();
    const place = `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
    expressions.set(text, [...(expressions.get(text) ?? []), place]);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) add(node.text, node);
    if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp') {
      const [source, flags] = node.arguments ?? [];
      if (source && ts.isStringLiteralLike(source) && (flags === undefined || ts.isStringLiteralLike(flags)))
        add(String(new RegExp(source.text, flags?.text)), node);
      else made.push([node.getSourceFile().fileName, node.getText()]);
    }
    ts.forEachChild(node, visit);
  };
  for (const file of folders.flatMap((folder) => scriptsIn(join(root, folder)))) {
    const kind = /x$/.test(file) ? ts.ScriptKind.TSX : ts.ScriptKind.TS;
    visit(ts.createSourceFile(relative(root, file), readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true, kind));
  }
  return { expressions, made };
};

const scriptsIn = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.[cm]?[jt]sx?$/.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();

/** Source and flags of an expression as it is written. */
export const partsOf = (expression: string): readonly [source: string, flags: string] => {
  const end = expression.lastIndexOf('/');
  return [expression.slice(1, end), expression.slice(end + 1)];
};
