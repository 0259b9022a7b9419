import { readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join, resolve } from 'node:path';
import ts from 'typescript';

import { mergedNotices, noticesFile } from '../../bundle/notices.js';
import { inConsumer } from './support/consumer';

const root = resolve(__dirname, '../..');
/**
 * Licences that let anybody pass a script on, as long as their text goes with it. CC-BY-3.0 is of data: it asks for its
 * address, the author and what was changed.
 */
const allowed = [
  'MIT',
  'ISC',
  'Apache-2.0',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Unlicense',
  '(MPL-2.0 OR Apache-2.0)',
  'CC-BY-3.0',
];
/** Peers that a build or a browser needs, and that nothing contains, and the package itself. */
const installed = ['typescript', 'tsx', 'playwright-core', 'permutive-web-sdk'];

/** Names of the packages that the sources of a folder import, but for those of types alone. */
const importsOf = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(root, folder, file), 'utf8').replace(/^import type [^;]*;/gm, '');
      return ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
    })
    .filter((name) => /^(?:[a-z]|@(?!project\/))/.test(name) && !name.startsWith('node:'))
    .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)![0])
    .filter((name) => !builtinModules.includes(name));

describe('the notices of the package', () => {
  const text = readFileSync(inConsumer(`node_modules/permutive-web-sdk/dist/${noticesFile}`), 'utf8');
  const notices = text.split(`\n${'-'.repeat(80)}\n`).map((notice) => {
    const [, name = '', license = ''] = /^(\S+) \S+\nLicense: (.*)$/m.exec(notice) ?? [];
    return { name, license, lines: notice.split('\n').length };
  });

  it.each(['src', 'studio', 'command'])('have all packages that %s imports', (folder) => {
    const missing = new Set(importsOf(folder).filter((name) => !installed.includes(name)));
    for (const { name } of notices) missing.delete(name);
    expect([...missing]).toEqual([]);
  });

  it('name the authors of the data that the check of a project reads', () => {
    expect(notices.map(({ name }) => name)).toContain('IAB-Tech-Lab-Taxonomies');
  });

  it('have no licence that asks for more than its text, and the text of each', () => {
    expect(notices.filter(({ license }) => !allowed.includes(license))).toEqual([]);
    expect(notices.filter(({ lines }) => lines < 8)).toEqual([]);
    expect(mergedNotices([text, text])).toBe(text);
  });

  it('are named in the main part, by the line below the mark for browsers', () => {
    const dist = join(root, 'dist');
    const main = readdirSync(dist).find((file) => /-web\.main\.[\w-]{16}\.js$/.test(file))!;
    expect(readFileSync(join(dist, main), 'utf8').split('\n', 2)).toEqual([
      '//# allFunctionsCalledOnLoad',
      `/*! licenses: ${noticesFile} */`,
    ]);
  });
});
