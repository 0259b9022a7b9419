import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import ts from 'typescript';

const root = resolve(__dirname, '../..');
const methods = readFileSync(resolve(root, 'docs/methods.md'), 'utf8');
const block = (heading: string): string =>
  new RegExp(`## ${heading}[\\s\\S]*?\`\`\`tsx?\n([\\s\\S]*?)\`\`\``).exec(methods)?.[1] ?? '';

const options: ts.CompilerOptions = {
  ...{ strict: true, noEmit: true, skipLibCheck: true, module: ts.ModuleKind.ESNext },
  ...{ moduleResolution: ts.ModuleResolutionKind.Bundler, target: ts.ScriptTarget.ES2022 },
  ...{ lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'], types: ['jest'], jsx: ts.JsxEmit.ReactJSX, resolveJsonModule: true },
  paths: {
    'permutive-web-sdk/react': [resolve(root, 'src/hooks/react.ts')],
    'permutive-web-sdk/testing': [resolve(root, 'src/testing/testing.ts')],
  },
};
const disk = ts.createCompilerHost(options);
/** Files of the disk, each parsed once for all programs. */
const parsed = new Map<string, ts.SourceFile | undefined>();

/** What the compiler says of an application's files, which lie in no folder of the disk. */
const faultsOf = (files: Readonly<Record<string, string>>): readonly string[] => {
  const texts = new Map(Object.entries(files).map(([name, text]) => [resolve(root, 'application', name), text]));
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (file) => texts.has(file) || disk.fileExists(file),
    readFile: (file) => texts.get(file) ?? disk.readFile(file),
    getSourceFile: (file, language) => {
      const text = texts.get(file);
      if (text !== undefined) return ts.createSourceFile(file, text, language);
      if (!parsed.has(file)) parsed.set(file, disk.getSourceFile(file, language));
      return parsed.get(file);
    },
  };
  const program = ts.createProgram([...texts.keys(), resolve(root, 'src/project.d.ts')], options, host);
  return [...texts.keys()]
    .flatMap((file) => ts.getPreEmitDiagnostics(program, program.getSourceFile(file)))
    .map((fault) => ts.formatDiagnostic(fault, disk));
};

const project = `export {};
declare global {
  interface PermutiveCohorts { '20101': { readonly name: 'Markets readers' } }
  interface PermutiveEvents { OfferTaken: { readonly offer: string } }
}
`;

it('compiles what docs/methods.md shows', () => {
  const [hooks, fake] = [block('Use it in React'), block('Test your own code')];
  expect([hooks.length > 0, fake.length > 0]).toEqual([true, true]);
  expect(faultsOf({ 'hooks.tsx': hooks, 'fake.ts': fake })).toEqual([]);
});

it('knows the cohorts and events that a project declares, and no others', () => {
  const use = (code: string): string => `import { useCohort, useTrack } from 'permutive-web-sdk/react';\n${code}\n`;
  const files = {
    'project.ts': project,
    'known.tsx': use("useCohort(20101); useCohort('20101'); useTrack()('OfferTaken', { offer: 'copper' });"),
    'cohort.tsx': use('useCohort(20102);'),
    'event.tsx': use("useTrack()('OfferLost');"),
    'properties.tsx': use("useTrack()('OfferTaken', { offer: 7 });"),
  };
  const wrong = faultsOf(files).flatMap((fault) => /(\w+)\.tsx\(/.exec(fault)?.[1] ?? []);
  expect(wrong).toEqual(['cohort', 'event', 'properties']);
});
