import { existsSync, readdirSync, readFileSync } from 'node:fs';

import { fastElsewhere, fastInChromium, leftToAll, widerElsewhere } from '../../scripts/browserSets.mjs';

/** All files of browser tests, as the sets name them. */
const files: readonly string[] = readdirSync('test/browser', { recursive: true, encoding: 'utf8' }).flatMap((path) =>
  path.endsWith('.test.ts') ? [path.replaceAll('\\', '/').slice(0, -'.test.ts'.length)] : [],
);
const page = readFileSync('test/README.md', 'utf8');

/** Rows of the table of files outside the fast set: the file, and the tests that hold its rule. */
const rows = [...page.matchAll(/^\| `([\w/]+)` \|[^|]*\|([^|]*)\|$/gm)].map(([, file = '', holders = '']) => ({
  file,
  holders: [...holders.matchAll(/`([^`]+)`/g)].map(([, path = '']) => path),
}));
const inTable = rows.map(({ file }) => file);

describe('The sets of browser tests', () => {
  it.each([['fast in Chromium', fastInChromium], ['fast elsewhere', fastElsewhere], ...Object.entries(widerElsewhere)])(
    'name files that are there, each once: %s',
    (_, set) => {
      expect(set.filter((file) => !files.includes(file))).toEqual([]);
      expect(set).toHaveLength(new Set(set).size);
    },
  );

  it('run no file twice in one browser', () => {
    const again = Object.values(widerElsewhere).flatMap((set) => set.filter((file) => fastElsewhere.includes(file)));
    expect(again).toEqual([]);
    expect(fastElsewhere.filter((file) => !fastInChromium.includes(file))).toEqual([]);
  });
});

describe('The table in test/README.md', () => {
  it('has each file outside the fast set, and no other', () => {
    expect([...inTable].sort()).toEqual(files.filter((file) => !fastInChromium.includes(file)).sort());
  });

  it('says which tests of the fast proof hold the rule of each', () => {
    const isFast = (path: string): boolean => {
      const [, browserTest] = /^test\/browser\/(.*)\.test\.ts$/.exec(path) ?? [];
      const isSlow = /^test\/(broker|package)\//.test(path);
      return existsSync(path) && !isSlow && (browserTest === undefined || fastInChromium.includes(browserTest));
    };
    for (const { file, holders } of rows)
      expect({
        file,
        held: holders.length > 0 && holders.every(isFast) ? holders : holders.filter((path) => !isFast(path)),
      }).toEqual({ file, held: holders });
  });

  it('lists what is left to `npm run test:all`, with the reason', () => {
    for (const { what, why } of leftToAll) expect(page).toContain(`| ${what} | ${why} |`);
  });
});
