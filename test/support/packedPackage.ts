import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const root = resolve(__dirname, '../..');
const packageName = 'permutive-web-sdk';

/** Runs npm in a folder; answers what npm prints. */
export const npm = (folder: string, ...args: readonly string[]): string =>
  execFileSync('npm', [...args, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });

const withoutNetwork = ['--offline', '--ignore-scripts'];

/** Packs the built package and installs the tarball into an empty folder, without its peers. The tarball's name. */
export const installPacked = (folder: string): string => {
  const [{ filename }] = JSON.parse(npm(root, 'pack', ...withoutNetwork, '--json', '--pack-destination', folder)) as [
    { readonly filename: string },
  ];
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  npm(folder, 'install', ...withoutNetwork, '--legacy-peer-deps', `./${filename}`);
  return filename;
};

/** What scripts import is copied, as npm would put it beside the package; tools are linked. */
const libraries = [
  ...['dequal', 'dompurify', 'fp-ts', 'idb', 'io-ts', 'observable-hooks', 'react', 'react-dom', 'rxjs', 'web-vitals'],
  ...['scheduler', 'tslib'],
];

/** Gives a folder with the installed package the packages that a build says it needs, from this repository's. */
export const installTools = (folder: string): void => {
  const sources = join(folder, 'node_modules', packageName, 'dist/sdk/package.json');
  const { tools } = JSON.parse(readFileSync(sources, 'utf8')) as { readonly tools: Readonly<Record<string, string>> };
  for (const name of new Set([...Object.keys(tools), ...libraries])) {
    const [from, to] = [join(root, 'node_modules', name), join(folder, 'node_modules', name)];
    mkdirSync(dirname(to), { recursive: true });
    if (libraries.includes(name)) cpSync(from, to, { recursive: true });
    else symlinkSync(from, to);
  }
};
