import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

// In the project, for the compiler looks for packages in the folders above; and where no linter looks.
mkdirSync('build', { recursive: true });
const folder = mkdtempSync(resolve('build/types-'));
afterAll(() => rmSync(folder, { recursive: true }));
jest.setTimeout(120_000);

const tsc = (...args: readonly string[]): string =>
  spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), ...args], { encoding: 'utf8' }).stdout;
/** What the compiler says of an addon that lives outside this project. */
const faultsOf = (code: string): string => {
  const options = {
    strict: true,
    noEmit: true,
    module: 'ESNext',
    moduleResolution: 'bundler',
    target: 'ES2022',
    lib: ['ES2022', 'DOM'],
    types: [],
    skipLibCheck: true,
    paths: { 'permutive-web-sdk/addon-kit': ['./types/addonKit/addonKit.d.ts'] },
  };
  writeFileSync(join(folder, 'addon.ts'), code);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['addon.ts'] }));
  return tsc('-p', folder);
};

it('publishes types that an outside addon compiles against: the README’s does, one that is wrong does not', () => {
  expect(tsc('-p', 'tsconfig.types.json', '--outDir', join(folder, 'types'))).toBe('');
  const [, code = ''] =
    /## For addon authors[\s\S]*?```ts\n([\s\S]*?)```/.exec(readFileSync('README.md', 'utf8')) ?? [];
  expect(faultsOf(code)).toBe('');
  expect(faultsOf(code.replace("name: 'shelf',", ''))).toContain("Property 'name' is missing");
});
