import { execFileSync } from 'node:child_process';

import { inConsumer } from './consumer';

/** The releases of Node that run the package, by what tests call them. */
export const nodeReleases = { 'Node 20': '20.20.2', 'Node 22': '22.23.3' } as const;
export type NodeName = keyof typeof nodeReleases;
const allNames = Object.keys(nodeReleases) as readonly NodeName[];

const majorOf = (version: string): string | undefined => /^v?(\d+)\./.exec(version)?.[1];

/** Whether the Node that runs the tests is of the same major version, so that no other one is needed. */
export const isRunning = (name: NodeName): boolean => majorOf(nodeReleases[name]) === majorOf(process.version);

/** The releases that run the tests: all, or with `NODES=running` the one that runs now, if it is one of them. */
export const nodeNames: readonly NodeName[] =
  process.env['NODES'] === 'running' && allNames.some(isRunning) ? allNames.filter(isRunning) : allNames;

/** The folder in the consumer's into which a Node is installed, by its package of npm. */
export const nodeFolder = (name: NodeName): string => inConsumer(name.replace(' ', '').toLowerCase());

const executable = (name: NodeName): string =>
  isRunning(name)
    ? process.execPath
    : `${nodeFolder(name)}/node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`;

/** Runs a module of the consumer under that Node, without flags; answers what it prints. Throws what it throws. */
export const runNode = (name: NodeName, folder: string, ...args: readonly string[]): string =>
  execFileSync(executable(name), args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
