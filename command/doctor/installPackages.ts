import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Whether packages can be installed: as root, where there is apt. */
export const canInstall = (): boolean => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

/** Installs packages of Debian. What fails is on the terminal; whoever needs a package looks whether it is there. */
export const installPackages = (names: readonly string[]): void => {
  if (names.length > 0) run('apt-get', 'update');
  // One by one, because not every release has all.
  for (const name of names) run('apt-get', 'install', '-y', '--no-install-recommends', name);
};

/** Whether the command could be run and succeeded. */
export const run = (command: string, ...args: readonly string[]): boolean =>
  spawnSync(command, args, { stdio: 'inherit' }).status === 0;
