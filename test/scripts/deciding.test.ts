import { existsSync, readdirSync, readFileSync } from 'node:fs';

import { deciding } from '../../scripts/deciding.mjs';

/** All files of browser tests, by the names that the list has. */
const files: readonly string[] = readdirSync('test/browser', { recursive: true, encoding: 'utf8' }).flatMap((path) =>
  path.endsWith('.test.ts') ? [path.replaceAll('\\', '/').slice(0, -'.test.ts'.length)] : [],
);
const page = readFileSync('test/README.md', 'utf8');

/** Rows of the table of files that do not decide: the file, and the tests that hold its rule. */
const rows = [...page.matchAll(/^\| `([\w/]+)` \|[^|]*\|([^|]*)\|$/gm)].map(([, file = '', holders = '']) => ({
  file,
  held: holders.trim(),
  holders: [...holders.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
}));

it('The browser tests that decide are files that are there, each once', () => {
  expect(deciding.filter((file) => !files.includes(file))).toEqual([]);
  expect(deciding).toHaveLength(new Set(deciding).size);
});

describe('The table in test/README.md', () => {
  it('has each file of browser tests that does not decide, and no other', () => {
    expect(rows.map(({ file }) => file).sort()).toEqual(files.filter((file) => !deciding.includes(file)).sort());
  });

  it('says which tests of `npm test` hold the rule of each, or that none does', () => {
    const decides = (path: string): boolean => {
      const [, browserTest] = /^test\/browser\/(.*)\.test\.ts$/.exec(path) ?? [];
      const isLeftOut = /^test\/(broker|package)\//.test(path);
      return existsSync(path) && !isLeftOut && (browserTest === undefined || deciding.includes(browserTest));
    };
    const wrong = rows.filter(
      ({ held, holders }) => held !== 'none' && !(holders.length > 0 && holders.every(decides)),
    );
    expect(wrong).toEqual([]);
  });
});
