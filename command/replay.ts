import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { json } from '../src/hardening/plainJson';
import { obstacleOf, parseLog } from '../src/inspector/parseLog';
import { differences, outcomes } from '../src/inspector/replay/outcomes';
import { replayLog } from '../src/inspector/replay/replayLog';
import { command, WrongCall } from './command';
import { replayProject } from './replayProject';
import { definitionFile, loadDefinition, loaded, sayFindings } from './support/definition';

/**
 * Runs the SDK and its engine in virtual time on a log of the inspector, and writes the transitions and the uploads of
 * the replay, one in a line. Differences from the log are named, and the exit code is then 1. A log that cannot be
 * replayed is refused with the reason, and the exit code 2.
 */
export const replay = command(
  {
    usage: 'FILE [--project PATH]',
    summary: 'Runs the SDK on a recording, prints transitions and uploads, and says where they differ from it.',
    options: { project: { type: 'string' } },
    operands: [1, 1],
  },
  async ({ values, positionals: [file = ''] }, io) => {
    const definition = definitionFile(values.project, io);
    const { project, findings } = await loaded(() => loadDefinition(definition));
    if (project === undefined) {
      sayFindings(findings, io);
      return 1;
    }
    const { text, log } = read(resolve(io.cwd, file));
    const obstacle = obstacleOf(log.header, project.page.workspaceId);
    if (obstacle !== undefined) throw new WrongCall(obstacle);
    const replayed = outcomes(replayLog(text, await replayProject(project), json));
    for (const outcome of replayed) io.out(JSON.stringify(outcome));
    const found = differences(outcomes(log.lines), replayed);
    for (const difference of found) io.err(difference);
    return found.length === 0 ? 0 : 1;
  },
);

const read = (file: string) => {
  try {
    const text = readFileSync(file, 'utf8');
    return { text, log: parseLog(text, json) };
  } catch (error) {
    throw new WrongCall(error instanceof Error ? error.message : String(error));
  }
};
