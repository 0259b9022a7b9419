import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

import { loadProject } from '../project/loadProject';
import { json } from '../src/hardening/plainJson';
import { obstacleOf, type ParsedLog, parseLog } from '../src/inspector/parseLog';
import { differences, outcomes } from '../src/inspector/replay/outcomes';
import { replayLog } from '../src/inspector/replay/replayLog';
import { command } from './command';
import { replayProject } from './replayProject';
import { definitionFile, loaded, sayFindings } from './support/definition';

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
    const { project, findings } = await loaded(() => loadProject(definition));
    if (project === undefined) {
      sayFindings(findings, io);
      return 1;
    }
    const read = readLog(resolve(io.cwd, file), project.page.workspaceId);
    if ('refused' in read) {
      io.err(read.refused);
      return 2;
    }
    const { text, log } = read;
    const replayed = outcomes(replayLog(text, await replayProject(project), json));
    for (const outcome of replayed) io.out(JSON.stringify(outcome));
    const found = differences(outcomes(log.lines), replayed);
    for (const difference of found) io.err(difference);
    return found.length === 0 ? 0 : 1;
  },
);

/** A log that can be replayed, or why it cannot. */
type ReadLog = { readonly text: string; readonly log: ParsedLog } | { readonly refused: string };

const readLog = (file: string, workspaceId: string): ReadLog => {
  try {
    const text = readFileSync(file, 'utf8');
    const log = parseLog(text, json);
    const refused = obstacleOf(log.header, workspaceId);
    return refused === undefined ? { text, log } : { refused };
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
};
