import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

import { replayProject } from '../../command/replayProject';
import { writeSampleProject } from '../../demo/project/write';
import { readProject } from '../../project/readProject';
import { recordVisit } from '../inspector/support/recordedVisit';

const folder = mkdtempSync(join(tmpdir(), 'replay-'));
afterAll(() => rmSync(folder, { recursive: true }));

const replay = (log: string) => {
  const file = join(folder, 'log.ndjson');
  writeFileSync(file, log);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', resolve(__dirname, '../../scripts/sampleCommand.ts'), 'replay', file],
    { encoding: 'utf8' },
  );
  return { status, stdout, stderr };
};

const recorded = async (): Promise<string> =>
  recordVisit(
    {
      engineMs: 3,
      answers: [{ kind: 'taken', ms: 20 }],
      acts: [{ at: 1200, act: ({ track }) => track('Click', { properties: { n: 1 } }) }],
    },
    await replayProject(readProject(writeSampleProject())),
  ).text();

describe('npm run replay', () => {
  it('writes the transitions and uploads of the replay', async () => {
    const { status, stdout, stderr } = replay(await recorded());
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.split('\n').filter((line) => line.includes('"Click"'))).toEqual([
      expect.stringMatching(/^\{"lane":"uploads","type":"Click","event":"[^"]+","properties":\{"n":1,/),
    ]);
  });

  it('names what is different', async () => {
    const changed = (await recorded())
      .split('\n')
      .map((line) => (line.includes('"request"') ? line.replace('Click', 'Clock') : line));
    const { status, stderr } = replay(changed.join('\n'));
    expect(status).toBe(1);
    expect(stderr).toMatch(/^only in the log: .*Clock.*\nonly in the replay: .*Click/);
  });

  it('refuses a log that began late, and says what to do', async () => {
    const late = (await recorded()).replace('"complete":true', '"complete":false');
    expect(replay(late)).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(
        /^The log began when the page was running already.* Open the page with \?__permutive\.inspector=true/,
      ) as string,
    });
  });

  it('names the line that is wrong', () => {
    expect(replay('{"v":2}')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/^Line 1 of the log: v: /) as string,
    });
  });
});
