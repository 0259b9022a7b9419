import { type Command, type ExitCode, type Io, WrongCall } from './command';

/** The name by which publishers call it. */
export const commandName = 'permutive-web-sdk';

/** All commands, in the order in which a publisher needs them. Each is loaded when it is called. */
const commands: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import('./init')).init,
  check: async () => (await import('./check')).check,
  build: async () => (await import('./build')).build,
  dev: async () => (await import('./dev')).dev,
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

/** Runs `args` as the command line after the command's name. Answers the exit code. */
export const runCommand = async ([name, ...args]: readonly string[], io: Io): Promise<ExitCode> => {
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
    if (!(error instanceof WrongCall)) throw error;
    io.err(`${name}: ${error.message}`);
    io.err(usageLine);
    return 2;
  }
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
