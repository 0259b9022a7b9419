import { parseArgs, type ParseArgsConfig } from 'node:util';

/** 0: all is well. 1: the definition or the page is wrong. 2: the call is wrong (contract: package and command). */
export type ExitCode = 0 | 1 | 2;

/** What a command knows of its terminal. */
export interface Io {
  /** The folder that relative paths begin from. */
  readonly cwd: string;
  /** Writes a line of the result. */
  readonly out: (line: string) => void;
  /** Writes a line of what is wrong, or of what goes on. */
  readonly err: (line: string) => void;
  /** Asks the person at the terminal; undefined where there is nobody. */
  readonly ask?: ((question: string) => Promise<string>) | undefined;
}

/** A call that cannot be meant. The message says what is expected. */
export class WrongCall extends Error {
  override readonly name = 'WrongCall';
}

/** One of the things that the command does. */
export interface Command {
  /** Arguments and options after the name. */
  readonly usage: string;
  /** What it does, in one sentence. */
  readonly summary: string;
  readonly run: (args: readonly string[], io: Io) => Promise<ExitCode>;
}

type Options = NonNullable<ParseArgsConfig['options']>;
type Parsed<O extends Options> = ReturnType<typeof parseArgs<{ options: O; allowPositionals: true }>>;

interface Described<O extends Options> {
  readonly usage: string;
  readonly summary: string;
  readonly options: O;
  /** How many arguments there may be beside the options; none and any number where it is absent. */
  readonly operands?: readonly [least: number, most: number];
}

/** A command whose arguments are read by `parseArgs`. What does not fit is a wrong call. */
export const command = <const O extends Options>(
  { usage, summary, options, operands: [least, most] = [0, 0] }: Described<O>,
  run: (given: Parsed<O>, io: Io) => Promise<ExitCode> | ExitCode,
): Command => ({
  usage,
  summary,
  run: async (args, io) => {
    const given = parsed(() => parseArgs({ args: [...args], options, allowPositionals: true }));
    const { length } = given.positionals;
    if (length < least) throw new WrongCall('an argument is missing');
    if (length > most) throw new WrongCall(`unexpected argument ${given.positionals[most] ?? ''}`);
    return run(given, io);
  },
});

const parsed = <T>(parse: () => T): T => {
  try {
    return parse();
  } catch (error) {
    throw new WrongCall(error instanceof Error ? error.message : String(error));
  }
};
