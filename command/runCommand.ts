import { type Command, type ExitCode, type Io, WrongCall } from './command';
import { plainLines } from './support/plainText';
import { sdkPackage } from './support/sdk';

/** The name by which publishers call it. */
export const commandName = 'permutive-web-sdk';

/** All commands, in the order in which a publisher needs them. A command is loaded when it is called. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import('./init')).init,
  check: async () => (await import('./check')).check,
  build: async () => (await import('./build')).build,
  dev: async () => (await import('./dev')).dev,
  studio: async () => (await import('./studio')).studio,
  types: async () => (await import('./types')).types,
  import: async () => (await import('./importCohorts')).importCohorts,
  hash: async () => (await import('./hash')).hash,
  models: async () => (await import('./models')).models,
  sizes: async () => (await import('./sizes')).sizes,
  diff: async () => (await import('./diff')).diff,
  publish: async () => (await import('./publish')).publish,
  replay: async () => (await import('./replay')).replay,
  doctor: async () => (await import('./doctor')).doctor,
  companion: async () => (await import('./companion')).companion,
};

const isAskedFor = (args: readonly string[]): boolean => args.includes('--help') || args.includes('-h');

/**
 * Runs `args` as the command line after the command's name. Answers the exit code. Nothing that is written has a
 * character that a terminal would obey, whoever has said it.
 */
export const runCommand = async ([name, ...args]: readonly string[], terminal: Io): Promise<ExitCode> => {
  const io: Io = {
    ...terminal,
    out: (line) => terminal.out(plainLines(line)),
    err: (line) => terminal.err(plainLines(line)),
  };
  const load = name === undefined || !Object.hasOwn(commands, name) ? undefined : commands[name];
  if (name === undefined || name === 'help' || isAskedFor([name])) {
    io.out(await overview());
    return name === undefined ? 2 : 0;
  }
  if (load === undefined) {
    io.err(`There is no ${name}. There are: ${Object.keys(commands).join(', ')}`);
    return 2;
  }
  const { usage, summary, run } = await load();
  const usageLine = `usage: ${commandName} ${name}${usage && ` ${usage}`}`;
  if (isAskedFor(args)) {
    io.out(`${summary}\n${usageLine}`);
    return 0;
  }
  try {
    return await run(args, io);
  } catch (error) {
    const missing = missingPackage(error);
    if (missing !== undefined) {
      io.err(`${name}: a package is not installed; install it by: npm install --save-dev ${missing}`);
      return 2;
    }
    io.err(`${name}: ${error instanceof Error ? error.message : String(error)}`);
    if (!(error instanceof WrongCall)) return 1;
    io.err(usageLine);
    return 2;
  }
};

/** The package that an import has not found, as `npm install` takes it; undefined for any other error. */
const missingPackage = (error: unknown): string | undefined => {
  if (!(error instanceof Error) || (error as { readonly code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND')
    return undefined;
  const [, name] = /Cannot find package '([^']+)'/.exec(error.message) ?? [];
  const { tools = {} } = sdkPackage();
  return name && (tools[name] === undefined ? name : `${name}@${tools[name]}`);
};

const overview = async (): Promise<string> => {
  const lines = await Promise.all(
    Object.entries(commands).map(async ([name, load]) => {
      const { usage, summary } = await load();
      return `  ${name}${usage && ` ${usage}`}\n      ${summary}`;
    }),
  );
  return [
    `usage: ${commandName} COMMAND …`,
    '',
    ...lines,
    '',
    'Exit codes: 0, 1 where a definition or a page is wrong, 2 where the call is wrong.',
  ].join('\n');
};
