import { distance } from 'fastest-levenshtein';

/** What a check of a project definition has found at one place (contract: package and command). */
export interface ProjectFinding {
  /** Such as `queries/20101/q/where`: queries are named by their ids. Empty for the definition itself. */
  readonly path: string;
  /** An error is certainly a mistake of the definition. A warning names what the publisher may have meant. */
  readonly severity: 'error' | 'warning';
  /** The mistake, in words. */
  readonly message: string;
  /** What the publisher can do. */
  readonly fix: string;
  /** Where the place stands in the file, both counted from 1; absent where the file is a program. */
  readonly line?: number;
  readonly column?: number;
}

/** What is wrong at a place that the caller knows. */
export type Said = Pick<ProjectFinding, 'severity' | 'message' | 'fix'>;

export const wrong = (message: string, fix: string): Said => ({ severity: 'error', message, fix });
export const doubtful = (message: string, fix: string): Said => ({ severity: 'warning', message, fix });

/** The finding as one line: its place, what is wrong, what to do. */
export const findingLine = ({ path, message, fix }: ProjectFinding): string =>
  `${path || '(root)'}: ${message}${fix && `; ${fix}`}`;

/** The known name that a wrong one was probably meant to be; undefined where none is alike. */
export const nearestName = (name: string, known: Iterable<string>): string | undefined =>
  [...known]
    .map((candidate) => [candidate, distance(candidate.toLowerCase(), name.toLowerCase())] as const)
    // Two letters of a short name may be all that it has.
    .filter(([, steps]) => steps <= Math.min(2, Math.floor(name.length / 3)))
    .sort(([, a], [, b]) => a - b)[0]?.[0];
