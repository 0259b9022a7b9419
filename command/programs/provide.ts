import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

import { namedBy, type Program } from './program';
import { type ProgramName, programs } from './programs';
import {
  aptInstall,
  byHand,
  commandText,
  type Machine,
  type Missing,
  type Provision,
  provision,
  type ShellCommand,
} from './provision';

/** The programs of these names that are missing, looked for now. */
const missingOf = (names: readonly ProgramName[]): readonly Missing[] =>
  names.flatMap((name) => {
    const { title, variable, download, lacks }: Program = programs[name];
    const packages = lacks();
    if (packages.length === 0) return [];
    return [
      { title, packages, named: namedBy(variable), ...(variable && { variable }), ...(download && { download }) },
    ];
  });

const thisMachine = (): Machine => ({
  hasApt: process.getuid?.() === 0 && existsSync('/usr/bin/apt-get'),
  mayInstall: namedBy('NO_INSTALL') === undefined,
});

export interface Providing {
  readonly missing: () => readonly Missing[];
  readonly machine: Machine;
  /** Whether the command succeeded. */
  readonly run: (command: ShellCommand) => boolean;
  readonly say: (line: string) => void;
}

/** Says what is missing, and which commands install it, and runs them. Throws where a program is missing after that. */
export const installMissing = ({ missing, machine, run, say }: Providing): void => {
  const before = missing();
  const decided = provision(before, machine);
  if (decided.type === 'ready') return;
  if (decided.type === 'refusal') throw new Error(decided.message);
  say(`${decided.missing} Running: ${commandText(decided.commands)}`);
  const isDone = decided.commands.map(run).at(-1) === true;
  // Not every release has all packages, and the others are of use without the one that is not to be had.
  if (!isDone && machine.hasApt) for (const name of before.flatMap(({ packages }) => packages)) run(aptInstall(name));
  const after = missing();
  if (after.length > 0) throw new Error(`Installing has failed. ${byHand(after)}`);
};

/** Runs a command; what it says goes to stderr, because stdout is for results. */
const runHere = ([program, ...args]: ShellCommand): boolean =>
  spawnSync(program, args, { stdio: ['ignore', 2, 2], shell: process.platform === 'win32' }).status === 0;

/** What is to be done about the programs of these names on this machine. */
export const howToProvide = (...names: readonly ProgramName[]): Provision => provision(missingOf(names), thisMachine());

/** Sees that the programs are there, and installs those that are not, unless `NO_INSTALL` is set. */
export const provide = (...names: readonly ProgramName[]): void =>
  installMissing({ missing: () => missingOf(names), machine: thisMachine(), run: runHere, say: console.error });

/** The file of a program. Throws with the way out where there is none. */
export const fileOf = (name: Exclude<ProgramName, 'webkit'>): string => {
  const file = programs[name].file();
  if (file === undefined) throw new Error(byHand(missingOf([name])));
  return file;
};
