import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

// In the project, for the compiler looks for packages in the folders above; and where no linter looks.
mkdirSync('build', { recursive: true });
const folder = mkdtempSync(resolve('build/hookTypes-'));
afterAll(() => rmSync(folder, { recursive: true }));
jest.setTimeout(120_000);

const methods = readFileSync('docs/methods.md', 'utf8');
const block = (heading: string): string =>
  new RegExp(`## ${heading}[\\s\\S]*?\`\`\`tsx?\n([\\s\\S]*?)\`\`\``).exec(methods)?.[1] ?? '';

/** What the compiler says of an application's files. */
const faultsOf = (files: Readonly<Record<string, string>>): string => {
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: true, module: 'ESNext', moduleResolution: 'bundler' },
    ...{ target: 'ES2022', lib: ['ES2022', 'DOM'], types: ['jest'], jsx: 'react-jsx', resolveJsonModule: true },
    paths: {
      'permutive-web-sdk/react': [resolve('src/hooks/react.ts')],
      'permutive-web-sdk/testing': [resolve('src/testing/testing.ts')],
    },
  };
  for (const [name, code] of Object.entries(files)) writeFileSync(join(folder, name), code);
  const included = [...Object.keys(files), resolve('src/project.d.ts')];
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: included }));
  return spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', folder], { encoding: 'utf8' })
    .stdout;
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
  expect(faultsOf({ 'hooks.tsx': hooks, 'fake.ts': fake })).toBe('');
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
  const wrong = faultsOf(files)
    .split('\n')
    .flatMap((line) => /(\w+)\.tsx\(/.exec(line)?.[1] ?? []);
  expect(wrong).toEqual(['cohort', 'event', 'properties']);
});
