import { readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

// Prints how readable the sources are, as numbers: `npm run measure`. Lint holds the limits; this shows where we stand.

const root = fileURLToPath(new URL('..', import.meta.url));

interface MeasuredFunction {
  readonly file: string;
  readonly name: string;
  readonly lines: number;
}

interface MeasuredFile {
  readonly file: string;
  readonly codeLines: number;
  readonly commentLines: number;
  readonly longestLine: number;
  /** Files of the project that it imports, for their values or their types. */
  readonly imports: readonly string[];
  readonly importCount: number;
  readonly topLevelNames: readonly string[];
  readonly functions: readonly MeasuredFunction[];
}

const parse = (file: string): ts.SourceFile =>
  ts.createSourceFile(file, readFileSync(resolve(root, file), 'utf8'), ts.ScriptTarget.ESNext, true);

/** Lines that hold a token, and lines that hold nothing but a comment. */
const linesOf = (
  source: ts.SourceFile,
): { readonly code: ReadonlySet<number>; readonly comments: ReadonlySet<number> } => {
  const code = new Set<number>();
  const comments = new Set<number>();
  const lineAt = (position: number): number => source.getLineAndCharacterOfPosition(position).line;
  const addLines = (lines: Set<number>, start: number, end: number): void => {
    for (let line = lineAt(start); line <= lineAt(end); line += 1) lines.add(line);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isJSDoc(node)) return addLines(comments, node.getStart(source), node.getEnd());
    if (node.getChildCount(source) === 0 && node.kind !== ts.SyntaxKind.EndOfFileToken && node.getWidth(source) > 0) {
      addLines(code, node.getStart(source), node.getEnd());
    }
    for (const { pos, end } of ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? [])
      addLines(comments, pos, end);
    for (const child of node.getChildren(source)) visit(child);
  };
  visit(source);
  return { code, comments: new Set([...comments].filter((line) => !code.has(line))) };
};

const functionName = (node: ts.Node): string => {
  const { parent } = node;
  if ((ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) && node.name) return node.name.getText();
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent))
    return parent.name.getText();
  return '(anonymous)';
};

const functionsIn = (source: ts.SourceFile, file: string, code: ReadonlySet<number>): readonly MeasuredFunction[] => {
  const found: MeasuredFunction[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const [first, last] = [node.getStart(source), node.getEnd()].map(
        (at) => source.getLineAndCharacterOfPosition(at).line,
      );
      const lines = [...code].filter((line) => line >= first! && line <= last!).length;
      found.push({ file, name: functionName(node), lines });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
};

/** The file that a relative import names; undefined for a package. */
const resolved = (from: string, specifier: string, files: ReadonlySet<string>): string | undefined => {
  if (!specifier.startsWith('.')) return undefined;
  const path = relative(root, resolve(root, dirname(from), specifier));
  return [`${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find((file) => files.has(file));
};

const topLevelNamesOf = (source: ts.SourceFile): readonly string[] =>
  source.statements.flatMap((statement) => {
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []));
    }
    const isNamed =
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement);
    return isNamed && statement.name ? [statement.name.text] : [];
  });

const measureFile = (file: string, files: ReadonlySet<string>): MeasuredFile => {
  const source = parse(file);
  const { code, comments } = linesOf(source);
  const specifiers = source.statements.flatMap((statement) =>
    (ts.isImportDeclaration(statement) || ts.isExportDeclaration(statement)) &&
    statement.moduleSpecifier &&
    ts.isStringLiteral(statement.moduleSpecifier)
      ? [statement.moduleSpecifier.text]
      : [],
  );
  return {
    file,
    codeLines: code.size,
    commentLines: comments.size,
    longestLine: Math.max(0, ...source.text.split('\n').map((line) => line.length)),
    imports: specifiers.flatMap((specifier) => resolved(file, specifier, files) ?? []),
    importCount: specifiers.length,
    topLevelNames: [...new Set(topLevelNamesOf(source))],
    functions: functionsIn(source, file, code),
  };
};

/** Groups of files that import each other, types included (Tarjan). */
const cyclesOf = (files: readonly MeasuredFile[]): readonly (readonly string[])[] => {
  const importsOf = new Map(files.map(({ file, imports }) => [file, imports]));
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
  for (const { file } of files) if (!order.has(file)) visit(file);
  return cycles;
};

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** Names that are declared at the top of several files, with the number of files. */
const repeatedNames = (files: readonly MeasuredFile[]): readonly (readonly [name: string, count: number])[] => {
  const counts = new Map<string, number>();
  for (const { topLevelNames } of files)
    for (const name of topLevelNames) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
};

const sourceFiles = (): readonly string[] =>
  readdirSync(resolve(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => `src/${file.replaceAll('\\', '/')}`)
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))
    .sort();

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const main = (): void => {
  const names = sourceFiles();
  const files = names.map((file) => measureFile(file, new Set(names)));
  const functions = files.flatMap((file) => file.functions);
  const lengths = functions.map(({ lines }) => lines);
  const longFunctions = functions.filter(({ lines }) => lines > 60).sort((a, b) => b.lines - a.lines);
  const longFiles = files.filter(({ codeLines }) => codeLines > 200);
  const cycles = cyclesOf(files);
  const repeated = repeatedNames(files);
  const byImports = [...files].sort((a, b) => b.importCount - a.importCount);
  const byLine = [...files].sort((a, b) => b.longestLine - a.longestLine);
  const print = (title: string, value: string): void => console.log(`${title.padEnd(30)}${value}`);

  print(
    'files',
    `${files.length}, ${files.filter(({ file }) => !file.slice('src/'.length).includes('/')).length} at the root of src`,
  );
  print(
    'code lines',
    `${sum(files.map(({ codeLines }) => codeLines))}, a file: median ${percentile(
      files.map(({ codeLines }) => codeLines),
      0.5,
    )}, most ${Math.max(...files.map(({ codeLines }) => codeLines))}`,
  );
  print(
    'files over 200 code lines',
    longFiles.map(({ file, codeLines }) => `${file} ${codeLines}`).join(', ') || 'none',
  );
  print(
    'functions',
    `${functions.length}, lines: median ${percentile(lengths, 0.5)}, p95 ${percentile(lengths, 0.95)}, most ${Math.max(...lengths)}`,
  );
  print(
    'functions over 60 lines',
    longFunctions.map(({ file, name, lines }) => `${name} (${file}) ${lines}`).join(', ') || 'none',
  );
  print(
    'imports',
    `most: ${byImports
      .slice(0, 3)
      .map(({ file, importCount }) => `${file} ${importCount}`)
      .join(', ')}; runtime.ts ${files.find(({ file }) => file === 'src/runtime.ts')?.importCount ?? 0}`,
  );
  print('cycles, types included', cycles.map((cycle) => cycle.join(' ↔ ')).join('; ') || 'none');
  print(
    'names in two or more files',
    `${repeated.length}${repeated.length > 0 ? `: ${repeated.map(([name, count]) => (count > 2 ? `${name} ×${count}` : name)).join(', ')}` : ''}`,
  );
  print(
    'comment lines per code line',
    (sum(files.map(({ commentLines }) => commentLines)) / sum(files.map(({ codeLines }) => codeLines))).toFixed(2),
  );
  print(
    'longest lines',
    byLine
      .slice(0, 3)
      .map(({ file, longestLine }) => `${file} ${longestLine}`)
      .join(', '),
  );
};

main();
