/** A test of a report of Jest. */
export interface Tested {
  readonly fullName: string;
  readonly status: 'passed' | 'failed' | 'pending' | 'todo';
  readonly failureMessages?: readonly string[];
}

export interface TestedFile {
  readonly path: string;
  readonly seconds: number;
  /** Why the file as a whole has failed, where none of its tests has: it could not be loaded, for example. */
  readonly broken?: string;
  readonly tests: readonly Tested[];
}

/** The part of Jest's report that is read. */
export interface Report {
  readonly testResults?: readonly {
    readonly name: string;
    readonly startTime: number;
    readonly endTime: number;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly Tested[];
  }[];
}

export function filesOf(report: Report): readonly TestedFile[];
export function hasFailed(file: TestedFile): boolean;
export function failedNames(file: TestedFile): string | undefined;
export function afterRepeat(
  file: TestedFile,
  again: TestedFile | undefined,
): { readonly file: TestedFile; readonly repeated: readonly string[] };
export function countsOf(files: readonly TestedFile[]): {
  readonly passed: number;
  readonly failed: number;
  readonly failures: readonly string[];
  readonly impossible: readonly string[];
};
