import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { Linter } from 'eslint';
import { parser } from 'typescript-eslint';

import { unclobberedReads } from '../../../scripts/lint/unclobberedReads';

/** A folder with the little that the files import, because in the project the compiler reads all sources for a file. */
const root = mkdtempSync(resolve(tmpdir(), 'lint-'));
const unclobberedFile = 'src/hardening/unclobbered.ts';
cpSync(resolve(__dirname, '../../..', unclobberedFile), resolve(root, unclobberedFile));
afterAll(() => rmSync(root, { recursive: true }));
const path = 'platform/seeded.ts';

/** The messages of the rule on a file of `src`, and the file as the rule mends it. */
const lint = (code: string, unhidden = {}): { readonly messages: readonly string[]; readonly output: string } => {
  const linter = new Linter({ cwd: root });
  const config: Linter.Config = {
    files: ['**/*.ts'],
    languageOptions: {
      parser: parser,
      parserOptions: { projectService: { allowDefaultProject: [`src/${path}`] }, tsconfigRootDir: root },
    },
    plugins: { local: { rules: { 'unclobbered-reads': unclobberedReads } } },
    rules: { 'local/unclobbered-reads': ['error', unhidden] },
  };
  const filename = resolve(root, 'src', path);
  const { output } = linter.verifyAndFix(code, config, { filename });
  return { messages: linter.verify(code, config, { filename }).map(({ message }) => message), output };
};
const imported = "import { unclobbered } from '../hardening/unclobbered';\n";
const marked = "import type { Unclobbered } from '../hardening/unclobbered';\n";

describe('The rule of members that an element may hide', () => {
  it.each([
    ['a member', 'export const title = document.title;', 'export const title = unclobbered(document).title;'],
    ['a member by its text', "export const a = document['title'];", "export const a = unclobbered(document)['title'];"],
    ['a pattern', 'export const { title } = document;', 'export const { title } = unclobbered(document);'],
    [
      'a member of an element that may be missing',
      'export const a = (f: HTMLFormElement | null) => f && f.action;',
      'export const a = (f: HTMLFormElement | null) => f && unclobbered(f).action;',
    ],
    [
      'another object',
      'export const a = (document as { title: string }).title;',
      'export const a = (unclobbered(document) as { title: string }).title;',
    ],
    [
      'an argument',
      'const of = (page: { readonly title: string }) => page.title;\nexport const a = of(document);',
      'const of = (page: { readonly title: string }) => page.title;\nexport const a = of(unclobbered(document));',
    ],
  ])('says what is wrong with %s, and mends it', (_, code, mended) => {
    const { messages, output } = lint(code);
    expect(messages).toEqual([
      expect.stringMatching(/^Read `(title|action)` of this (Document|HTMLFormElement) through/),
    ]);
    expect(output).toBe(imported + mended);
    expect(lint(output).messages).toEqual([]);
  });

  it('says it of a parameter that is taken apart, which it cannot mend', () => {
    const code = 'export const of = ({ title }: Document) => title;';
    expect(lint(code)).toEqual({ messages: [expect.stringMatching(/^Read `title`/)], output: code });
  });

  it('imports only once', () => {
    expect(lint('export const a = [document.title, document.cookie];').output).toBe(
      `${imported}export const a = [unclobbered(document).title, unclobbered(document).cookie];`,
    );
  });

  it.each([
    ['a document that is unclobbered', `${marked}export const of = (page: Unclobbered<Document>) => page.title;`],
    ['an object of another type', 'export const of = (page: { readonly title: string }) => page.title;'],
  ])('lets %s pass', (_, code) => expect(lint(code).messages).toEqual([]));

  it('lets a member pass that has a reason, as long as the file reads it', () => {
    const reasons = { [`${path} Document`]: ['title cookie', 'The SDK has made it.'] };
    expect(lint('export const a = [document.title, document.cookie];', reasons).messages).toEqual([]);
    expect(lint('export const a = document.title;', reasons).messages).toEqual([
      'Take `cookie` of Document from scripts/lint/unhidden.js, because this file no longer reads it.',
    ]);
  });
});
