import type { LogHeader } from '../logEntry';

/** Why a log cannot be replayed with the project of this workspace, and what to do; undefined where it can. */
export const obstacleOf = ({ project, complete, dropped }: LogHeader, workspaceId: string): string | undefined => {
  if (project !== workspaceId) return `The log is of project ${project}, and the definition of ${workspaceId}.`;
  if (!complete)
    return 'The log began when the page was running already, so it has not what the SDK had read before. Open the page with ?__permutive.inspector=true, and record it again.';
  if (dropped > 0) return `The log had no more room, and has lost its first ${dropped} lines. Record a shorter visit.`;
  return undefined;
};
