import { resolve } from 'node:path';

import { writeSampleProject } from '../../demo/project/write';
import { readProject } from '../../scripts/readProject';
import { parseLog } from '../../src/inspector/parseLog';
import { type Outcome, outcomes } from '../../src/inspector/replay/outcomes';
import { replayLog } from '../../src/inspector/replay/replayLog';
import { json } from '../../src/model/plainJson';
import { replayProject } from '../../tools/replayProject';

/** The transitions and uploaded events of a replay. `project`: path of the definition, else the sample project. */
export const replayedOutcomes = async (log: string, project?: string): Promise<readonly Outcome[]> => {
  const built = readProject(project === undefined ? writeSampleProject() : resolve(__dirname, '../..', project));
  return outcomes(replayLog(log, await replayProject(built), json));
};

/** Lines of the log itself. */
export const recordedOutcomes = (log: string): readonly Outcome[] => outcomes(parseLog(log, json).lines);
