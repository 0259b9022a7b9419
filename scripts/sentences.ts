import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Paragraph, proseOfPage, proseOfSource } from './sentences/prose';
import { type Riddle, riddlesOf } from './sentences/riddles';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Folders whose comments are read, and files and folders of documents. */
const folders = ['src', 'scripts', 'test/support', 'marbles'];
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

/** Folders whose comments are still to be rewritten. The list shall shrink to nothing. */
const later = [
  'src/api/',
  'src/boot.ts',
  'src/inspector/',
  'src/inspectorDoor.ts',
  'src/runtime.ts',
  'src/sinks/',
  'src/streams/',
  'src/testing/',
  'src/visit/',
  'marbles/sinks/',
];

/** Files of a file or folder whose names end so, with their paths from the root. */
const filesOf = (path: string, ending: RegExp): readonly string[] =>
  ending.test(path)
    ? [path]
    : readdirSync(resolve(root, path), { recursive: true, encoding: 'utf8' })
        .filter((file) => ending.test(file))
        .map((file) => join(path, file).replaceAll('\\', '/'));

/** The words of the glossary in ARCHITECTURE.md. */
const glossaryOf = (architecture: string): ReadonlySet<string> => {
  const [, table = ''] = /## Glossary\n([\s\S]*?)\n## /.exec(architecture) ?? [];
  return new Set([...table.matchAll(/^\| ([a-z ]+?) \|/gm)].map(([, word = '']) => word));
};

interface Found extends Riddle {
  readonly file: string;
}

/** The riddles of documents and comments, and the folders left for later that have none any more. */
interface Findings {
  readonly riddles: readonly Found[];
  readonly finished: readonly string[];
}

const findings = (): Findings => {
  const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');
  const glossary = glossaryOf(read('ARCHITECTURE.md'));
  const found = (file: string, paragraphs: readonly Paragraph[]): readonly Found[] =>
    paragraphs.flatMap((paragraph) => riddlesOf(paragraph, glossary).map((riddle) => ({ file, ...riddle })));
  const pages = documents.flatMap((path) => filesOf(path, /\.md$/));
  const all = [
    ...pages.flatMap((file) => found(file, proseOfPage(read(file)))),
    ...folders
      .flatMap((folder) => filesOf(folder, /\.(?:[mc]?[jt]s|tsx)$/))
      .flatMap((file) => found(file, proseOfSource(file, read(file)))),
  ];
  return {
    riddles: all.filter(({ file }) => !later.some((folder) => file.startsWith(folder))),
    finished: later.filter((folder) => !all.some(({ file }) => file.startsWith(folder))),
  };
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { riddles, finished } = findings();
  for (const { file, line, why, sentence } of riddles) console.log(`${file}:${line} ${why}: ${sentence}`);
  for (const folder of finished)
    console.log(`${folder} has no such sentence: take it off the list in scripts/sentences.ts`);
  console.log(`${riddles.length} sentences to rewrite`);
  process.exitCode = riddles.length + finished.length === 0 ? 0 : 1;
}
