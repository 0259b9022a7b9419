import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import { findingLine, type ProjectFinding } from '../../project/check/finding';
import { type BuildProject, ProjectError } from '../../project/readProject';
import { type Io, WrongCall } from '../command';

/** Names of a definition that a call does not have to name. */
const usualNames = ['project.ts', 'project.json'];

/** The file of the definition: the one that the call names, else the one of the working folder. */
export const definitionFile = (given: string | undefined, { cwd }: Pick<Io, 'cwd'>): string => {
  const file = [given ?? usualNames].flat().find((name) => existsSync(resolve(cwd, name)));
  if (file !== undefined) return resolve(cwd, file);
  throw new WrongCall(
    given === undefined
      ? `there is no ${usualNames.join(' and no ')} here; name the definition, or write one by init`
      : `there is no file ${given}`,
  );
};

/** A definition that is right, or what is wrong with it. */
export type Loaded =
  | { readonly project: BuildProject; readonly findings: readonly ProjectFinding[] }
  | { readonly project: undefined; readonly findings: readonly ProjectFinding[] };

/** Reads a definition, and answers what the check has found instead of throwing it. */
export const loaded = async (read: () => Promise<BuildProject>): Promise<Loaded> => {
  try {
    const project = await read();
    return { project, findings: project.warnings };
  } catch (error) {
    if (error instanceof ProjectError) return { project: undefined, findings: error.findings };
    throw error;
  }
};

/** Writes what the check has found, one finding a line. */
export const sayFindings = (findings: readonly ProjectFinding[], { err }: Pick<Io, 'err'>): void => {
  for (const finding of findings) err(`${finding.severity === 'warning' ? 'warning ' : ''}${findingLine(finding)}`);
};
