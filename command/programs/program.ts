import { existsSync } from 'node:fs';

/** A program that npm does not bring along. */
export interface Program {
  /** As people call it, with the oldest version that will do. */
  readonly title: string;
  /** The environment variable that names its file. */
  readonly variable?: string;
  /** The name under which Playwright downloads the program; absent where it has none that people use. */
  readonly download?: string;
  /** The path of the program; undefined where there is none that will do. */
  readonly file?: () => string | undefined;
  /** The packages of Debian that it lacks; none where it can be used. */
  readonly lacks: () => readonly string[];
}

interface FileProgram extends Omit<Program, 'file' | 'lacks'> {
  readonly variable: string;
  readonly places: () => readonly string[];
  /** Whether the program of a file is new enough. */
  readonly isFit?: (path: string) => boolean;
  /** The package of Debian that has the program. */
  readonly debian: string;
}

/**
 * A program that is one file. The variable wins: where that is set, no other place is looked at. A file that was found
 * is not looked for again.
 */
export const fileProgram = ({ places, isFit = () => true, debian, ...rest }: FileProgram) => {
  let found: string | undefined;
  const file = (): string | undefined => {
    const named = namedBy(rest.variable);
    found ??= (named === undefined ? places() : [named]).find((path) => existsSync(path) && isFit(path));
    return found;
  };
  return { ...rest, file, lacks: () => (file() === undefined ? [debian] : []) } satisfies Program;
};

/** What a variable says; undefined where it is empty. */
export const namedBy = (variable: string | undefined): string | undefined =>
  (variable === undefined ? undefined : process.env[variable]) || undefined;
