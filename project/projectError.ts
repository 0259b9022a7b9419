import { findingLine, type ProjectFinding } from './check/finding';

/** Names every wrong path of a project definition, each with what is wrong there. */
export class ProjectError extends Error {
  override readonly name = 'ProjectError';

  constructor(
    file: string,
    readonly findings: readonly ProjectFinding[],
  ) {
    super(`${file} is no project definition:\n${findings.map((finding) => `  ${findingLine(finding)}`).join('\n')}`);
  }
}
