import type { ProjectFinding } from './finding';

/** Findings as the command prints them for programs: a list in JSON, with a line and column where they are known. */
export const findingsJson = (findings: readonly ProjectFinding[]): string =>
  JSON.stringify(
    findings.map(({ path, severity, message, fix, line, column }) => ({ path, severity, message, fix, line, column })),
    null,
    2,
  );
