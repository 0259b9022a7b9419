import type { Program } from './program';

/** A program that is missing, with the packages of Debian that it lacks. */
export interface Missing extends Pick<Program, 'title' | 'variable' | 'download'> {
  readonly packages: readonly string[];
  /** What its variable says, where that is set: a program that is installed now would not be looked for. */
  readonly named?: string | undefined;
}

export interface Machine {
  /** Whether packages of Debian can be installed: as root, where there is apt. */
  readonly hasApt: boolean;
  /** Whether anything may be installed: not where `NO_INSTALL` is set. */
  readonly mayInstall: boolean;
}

export type ShellCommand = readonly [program: string, ...args: string[]];

/** What is to be done about programs that are missing. */
export type Provision =
  | { readonly type: 'ready' }
  | { readonly type: 'install'; readonly missing: string; readonly commands: readonly ShellCommand[] }
  | { readonly type: 'refusal'; readonly message: string };

/**
 * Decides what is done about missing programs. Where one cannot be installed, none is, and the message says what to do
 * by hand.
 */
export const provision = (missing: readonly Missing[], { hasApt, mayInstall }: Machine): Provision => {
  if (missing.length === 0) return { type: 'ready' };
  const commands = hasApt ? aptCommands(missing) : downloadCommands(missing);
  if (commands === undefined || missing.some(({ named }) => named !== undefined))
    return { type: 'refusal', message: byHand(missing) };
  const line = `Missing: ${titles(missing)}.`;
  return mayInstall
    ? { type: 'install', missing: line, commands }
    : { type: 'refusal', message: `${line} NO_INSTALL is set, so run it yourself: ${commandText(commands)}` };
};

/** Commands as they are typed in a shell. */
export const commandText = (commands: readonly ShellCommand[]): string =>
  commands.map((words) => words.join(' ')).join(' && ');

/** Installs packages of Debian: all, or none where one of them is not to be had. */
export const aptInstall = (...packages: readonly string[]): ShellCommand => [
  'apt-get',
  'install',
  '-y',
  '--no-install-recommends',
  ...packages,
];

const aptCommands = (missing: readonly Missing[]): readonly ShellCommand[] => [
  ['apt-get', 'update'],
  aptInstall(...missing.flatMap(({ packages }) => packages)),
];

const downloadCommands = (missing: readonly Missing[]): readonly ShellCommand[] | undefined => {
  const names = missing.flatMap(({ download }) => download ?? []);
  return names.length === missing.length ? [['npx', 'playwright-core', 'install', ...names]] : undefined;
};

const titles = (missing: readonly Missing[]): string => missing.map(({ title }) => title).join(', ');

/** What a person does about programs that cannot be installed here, or whose installation has failed. */
export const byHand = (missing: readonly Missing[]): string =>
  [`Missing: ${titles(missing)}.`, ...missing.map(way)].join('\n');

const way = ({ title, packages, variable = '', named }: Missing): string => {
  if (named !== undefined) return `${variable} is ${named}, which is not ${title}: correct it, or unset it.`;
  const debian = `Install ${title} (on Debian: ${packages.join(' ')})`;
  return variable === '' ? `${debian}.` : `${debian}, and set ${variable} where it is in no usual place.`;
};
