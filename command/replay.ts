// npm run replay -- FILE [--project PATH]
// Runs the SDK and its engine in virtual time on a log of the inspector, and writes the transitions and the uploads of
// the replay, one in a line. Differences from the log are named on stderr, and the exit code is then 1. A log that
// cannot be replayed is refused with the reason, and the exit code 2.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { writeSampleProject } from '../demo/project/write';
import { readProject } from '../project/readProject';
import { json } from '../src/hardening/plainJson';
import { obstacleOf, parseLog } from '../src/inspector/parseLog';
import { differences, outcomes } from '../src/inspector/replay/outcomes';
import { replayLog } from '../src/inspector/replay/replayLog';
import { replayProject } from './replayProject';

const say = (line: string): boolean => process.stderr.write(`${line}\n`);

const run = async (file: string, projectFile: string | undefined): Promise<boolean> => {
  const text = readFileSync(file, 'utf8');
  const log = parseLog(text, json);
  const built = readProject(projectFile === undefined ? writeSampleProject() : resolve(projectFile));
  const obstacle = obstacleOf(log.header, built.page.workspaceId);
  if (obstacle !== undefined) throw new Error(obstacle);
  const replayed = outcomes(replayLog(text, await replayProject(built), json));
  for (const outcome of replayed) process.stdout.write(`${JSON.stringify(outcome)}\n`);
  const found = differences(outcomes(log.lines), replayed);
  for (const difference of found) say(difference);
  return found.length === 0;
};

const usage = 'usage: npm run --silent replay -- FILE [--project PATH]';
try {
  const { values, positionals } = parseArgs({ options: { project: { type: 'string' } }, allowPositionals: true });
  const [file, ...others] = positionals;
  if (file === undefined || others.length > 0) throw new Error(usage);
  if (!(await run(file, values.project))) process.exitCode = 1;
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
