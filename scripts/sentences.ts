import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Paragraph, proseOfPage, proseOfSource } from './sentences/prose';
import { type Riddle, riddlesOf } from './sentences/riddles';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Folders whose comments are read, and files and folders of documents. */
const folders = ['src', 'project', 'bundle', 'command', 'scripts', 'test/support', 'marbles'];
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'docs',
  'bench',
  'marbles',
];

/** Files of a file or folder whose names end so, with their paths from the root. */
const filesOf = (path: string, ending: RegExp): readonly string[] =>
  ending.test(path)
    ? [path]
    : readdirSync(resolve(root, path), { recursive: true, encoding: 'utf8' })
        .filter((file) => ending.test(file) && !file.includes('node_modules'))
        .map((file) => join(path, file).replaceAll('\\', '/'));

/** The words of the glossary in ARCHITECTURE.md. */
const glossaryOf = (architecture: string): ReadonlySet<string> => {
  const [, table = ''] = /## Glossary\n([\s\S]*?)\n## /.exec(architecture) ?? [];
  return new Set([...table.matchAll(/^\| ([a-z ]+?) \|/gm)].map(([, word = '']) => word));
};

interface Found extends Riddle {
  readonly file: string;
}

/** The riddles of documents and comments. */
const riddles = (): readonly Found[] => {
  const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');
  const glossary = glossaryOf(read('ARCHITECTURE.md'));
  const found = (file: string, paragraphs: readonly Paragraph[]): readonly Found[] =>
    paragraphs.flatMap((paragraph) => riddlesOf(paragraph, glossary).map((riddle) => ({ file, ...riddle })));
  return [
    ...documents.flatMap((path) => filesOf(path, /\.md$/)).flatMap((file) => found(file, proseOfPage(read(file)))),
    ...folders
      .flatMap((folder) => filesOf(folder, /\.(?:[mc]?[jt]s|tsx)$/))
      .flatMap((file) => found(file, proseOfSource(file, read(file)))),
  ];
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const all = riddles();
  for (const { file, line, why, sentence } of all) console.log(`${file}:${line} ${why}: ${sentence}`);
  console.log(`${all.length} sentences to rewrite`);
  process.exitCode = all.length === 0 ? 0 : 1;
}
