import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { mergedNotices, noticesOf } from '../../bundle/notices.js';

/** A folder with these files. */
const folderOf = (files: Readonly<Record<string, string>>): string => {
  const folder = mkdtempSync(join(tmpdir(), 'notices-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
};
const packageFile = (name: string, license: string): string => JSON.stringify({ name, version: '1.0.0', license });

describe('notices', () => {
  it('have each package once, with its licence and notice, and nothing of the sources', () => {
    const root = folderOf({
      'node_modules/idb/package.json': packageFile('idb', 'ISC'),
      'node_modules/idb/LICENSE': 'Text of ISC\r\nby Jake\n',
      'node_modules/idb/build/index.js': '',
      'node_modules/@a/b/package.json': packageFile('@a/b', 'Apache-2.0'),
      'node_modules/@a/b/LICENSE.txt': 'Text of Apache',
      'node_modules/@a/b/NOTICE': 'By A',
      'node_modules/@a/b/licenses.js': '',
      'node_modules/idb/node_modules/inner/package.json': packageFile('inner', 'MIT'),
      'node_modules/sdk/dist/sdk/src/main.ts': '',
    });
    const files = ['idb/build/index.js', 'idb/build/b.js', '@a/b/c.js', 'idb/node_modules/inner/x.js'];
    const sources = join(root, 'node_modules/sdk/dist/sdk');
    expect(
      noticesOf(
        [
          ...files.map((file) => join(root, 'node_modules', file)),
          join(sources, 'src/main.ts'),
          join(root, 'addon.ts'),
          // Where the package is installed, the build keeps its own modules here.
          join(root, 'node_modules/.cache/sdk/page.js'),
        ],
        sources,
      ).split(`\n${'-'.repeat(80)}\n`),
    ).toEqual([
      '@a/b 1.0.0\nLicense: Apache-2.0\n\nText of Apache\n\nBy A\n',
      'idb 1.0.0\nLicense: ISC\n\nText of ISC\nby Jake\n',
      'inner 1.0.0\nLicense: MIT\n',
    ]);
  });

  it('join those of several builds, each once', () => {
    const rule = `\n${'-'.repeat(80)}\n`;
    expect(mergedNotices([`a 1\n${rule}c 1\n`, '', `b 1\n${rule}c 1\n`])).toBe(`a 1\n${rule}b 1\n${rule}c 1\n`);
  });
});
