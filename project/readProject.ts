import { readFileSync } from 'node:fs';

import { decodeFinding } from './check/decodeFinding';
import type { ProjectFinding } from './check/finding';
import { type BuildProject, type CheckedProject, checkProject } from './checkProject';
import { readJson } from './json/readJson';
import { ProjectError } from './projectError';

export { type BuildProject } from './checkProject';
export { ProjectError } from './projectError';

/**
 * Reads and checks a project definition in JSON. Throws `ProjectError` with all its faults. `outside`: names of addons
 * that are built in beside those of the list.
 */
export const readProject = (file: string, outside: readonly string[] = []): BuildProject =>
  projectOrThrow(file, checkText(textOf(file), outside));

/** Checks a text in JSON. Each finding has its line and column. */
export const checkText = (text: string, outside: readonly string[] = []): CheckedProject => {
  const { value, faults, placed } = readJson(text);
  const { project, findings } =
    value === undefined ? { project: undefined, findings: [] } : checkProject(value, outside);
  const all = [...faults, ...findings].map(placed);
  return faults.length > 0
    ? { project: undefined, findings: all }
    : { project: project && { ...project, warnings: all }, findings: all };
};

/** The project of a check; throws its errors, or all findings where the file cannot be read. */
export const projectOrThrow = (file: string, { project, findings }: CheckedProject): BuildProject => {
  if (project !== undefined) return project;
  throw new ProjectError(
    file,
    findings.filter(({ severity }) => severity === 'error'),
  );
};

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new ProjectError(file, [unreadable(error)]);
  }
};

/** A file that cannot be read. */
export const unreadable = (error: unknown): ProjectFinding =>
  decodeFinding({ path: '', expected: `a file that can be read (${messageOf(error)})` }, undefined);

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
