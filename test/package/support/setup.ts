import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { consumerVariable } from './consumer';

const root = resolve(__dirname, '../../..');

/** What users install beside the package, and what their tools are. */
const besides = ['rxjs', 'react', 'tslib', 'typescript', '@types/react', 'csstype'];

const npm = (folder: string, ...args: readonly string[]): string =>
  execFileSync('npm', [...args, '--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });

/**
 * Once before all tests of the package: packs it, and installs the tarball into an empty folder outside of the
 * repository. Nothing is downloaded: peers are copied from the project.
 */
export default (): void => {
  if (!existsSync(join(root, 'dist/integrity.json')))
    throw new Error('These tests install the built package: run `npm run build` first.');
  const folder = mkdtempSync(join(tmpdir(), 'permutive-consumer-'));
  process.env[consumerVariable] = folder;
  const [{ filename }] = JSON.parse(npm(root, 'pack', '--json', '--pack-destination', folder)) as [
    { readonly filename: string },
  ];
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true, type: 'module' }));
  npm(folder, 'install', '--legacy-peer-deps', `./${filename}`);
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  for (const name of besides)
    cpSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true });
  // Other tools find it there.
  symlinkSync(join(folder, filename), join(folder, 'package.tgz'));
};

export const removeConsumer = (): void => {
  const folder = process.env[consumerVariable];
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
};
