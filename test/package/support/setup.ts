import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { installPacked, npm } from '../../support/packedPackage';
import { consumerVariable } from './consumer';
import { isRunning, nodeFolder, type NodeName, nodeNames, nodeReleases } from './nodes';

const root = resolve(__dirname, '../../..');

/** What users install beside the package, and what their tools are. */
const besides = ['rxjs', 'react', 'react-dom', 'scheduler', 'tslib', 'typescript', '@types/react', 'csstype'];

/** Installs a Node from npm's cache, else from the registry. Its package has a script that chooses the platform's. */
const installNode = (name: NodeName): void => {
  const folder = nodeFolder(name);
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
  npm(folder, 'install', '--no-save', '--prefer-offline', `node@${nodeReleases[name]}`);
};

/**
 * Once before all tests of the package: packs it, and installs the tarball into an empty folder outside of the
 * repository. Peers are copied from the project. Only a Node that does not run already may have to be downloaded.
 */
export default (): void => {
  if (!existsSync(join(root, 'dist/integrity.json')))
    throw new Error('These tests install the built package: run `npm run build` first.');
  const folder = mkdtempSync(join(tmpdir(), 'permutive-consumer-'));
  process.env[consumerVariable] = folder;
  const filename = installPacked(folder);
  for (const name of besides)
    cpSync(join(root, 'node_modules', name), join(folder, 'node_modules', name), { recursive: true });
  for (const name of nodeNames.filter((each) => !isRunning(each))) installNode(name);
  // Other tools find it there.
  symlinkSync(join(folder, filename), join(folder, 'package.tgz'));
};

export const removeConsumer = (): void => {
  const folder = process.env[consumerVariable];
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
};
