import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { numbersOf } from './codeDocs';
import { type MarbleFile, marblePart } from './marbleDocs';
import { marbleTests } from './marbleFiles';
import { pageOf } from './page';
import { apiPart, errorsPart, galleryPart, type Guide, guidePart, tablePart } from './parts';

/** Tables that are made from the code, in Markdown. */
export interface SiteTables {
  readonly settings: string;
  readonly storage: string;
}

const guideFiles = [
  'README.md',
  ...['cohorts-guide', 'studio', 'command', 'cookbook', 'query-language', 'cohorts', 'switching'].map(
    (page) => `docs/${page}.md`,
  ),
  ...['configuration', 'methods', 'verify', 'privacy', 'consent-platforms', 'addons', 'partners', 'tag-managers'].map(
    (page) => `docs/${page}.md`,
  ),
  'docs/addon-authors.md',
  'docs/self-hosting.md',
  'docs/development.md',
  'docs/delivery.md',
  'docs/limits.md',
  ...['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md'],
];
const referenceFiles = ['docs/specification.md', 'marbles/README.md', 'bench/README.md'];

/** The whole documentation as one HTML file. Throws `DiagramError` for a marble diagram that cannot be read. */
export const siteOf = (root: string, { settings, storage }: SiteTables): string => {
  const read = (file: string): string => readFileSync(resolve(root, file), 'utf8');
  const guidesOf = (files: readonly string[]): readonly Guide[] => files.map((file) => ({ file, text: read(file) }));
  const decisions = filesIn(root, 'docs/decisions', '.md');
  const [guides, reference, reasons] = [guidesOf(guideFiles), guidesOf(referenceFiles), guidesOf(decisions)];
  const all = [...guides, ...reference, ...reasons];
  const partsOf = (some: readonly Guide[]) => some.map((guide) => guidePart(guide, all));
  return pageOf(
    [
      { title: 'Guides', parts: partsOf(guides) },
      {
        title: 'Reference',
        parts: [
          tablePart(
            'settings',
            'Settings',
            'Fields of `window.permutive.config` and of the project definition.',
            settings,
          ),
          tablePart('storage', 'Storage', 'Every name under which the SDK keeps something.', storage),
          errorsPart(),
          apiPart(root),
          galleryPart(root, all),
          ...partsOf(reference),
        ],
      },
      { title: 'Rules of time', parts: [marblePart(marbleFiles(root))] },
      // All have the same headings, so the contents leave them out.
      { title: 'Decisions', parts: partsOf(reasons).map((part) => ({ ...part, links: [] })) },
    ],
    {
      title: 'Permutive Web SDK',
      style: read('scripts/site/page.css'),
      script: read('scripts/site/page.client.js'),
    },
  );
};

/** Files of a folder and its folders, with their paths from the root. */
const filesIn = (root: string, folder: string, ending: string): readonly string[] =>
  readdirSync(resolve(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(ending))
    .map((file) => join(folder, file).replaceAll('\\', '/'))
    .sort();

/** All marble tests, with the numbers of the code under test. */
export const marbleFiles = (root: string): readonly MarbleFile[] =>
  filesIn(root, 'marbles', '.marbles.ts').map((file) => {
    const tested = file.replace(/^marbles\//, 'src/').replace(/\.marbles\.ts$/, '.ts');
    const exists = existsSync(resolve(root, tested));
    return {
      file,
      tested: exists ? tested : undefined,
      numbers: exists ? numbersOf(resolve(root, tested)) : [],
      tests: marbleTests(file, readFileSync(resolve(root, file), 'utf8')),
    };
  });
