import { resolve } from 'node:path';

import { replayProject } from '../../command/replayProject';
import { writeSampleProject } from '../../demo/project/write';
import { readProject } from '../../project/readProject';
import { json } from '../../src/hardening/plainJson';
import { parseLog } from '../../src/inspector/parseLog';
import { outcomes, type ReplayOutcome } from '../../src/inspector/replay/outcomes';
import { replayLog } from '../../src/inspector/replay/replayLog';

/** The transitions and uploaded events of a replay. `project`: path of the definition, else the sample project. */
export const replayedOutcomes = async (log: string, project?: string): Promise<readonly ReplayOutcome[]> => {
  const built = readProject(project === undefined ? writeSampleProject() : resolve(__dirname, '../..', project));
  return outcomes(replayLog(log, await replayProject(built), json));
};

/** Lines of the log itself. */
export const recordedOutcomes = (log: string): readonly ReplayOutcome[] => outcomes(parseLog(log, json).lines);
