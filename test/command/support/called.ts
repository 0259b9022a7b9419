import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { ExitCode, Io } from '../../../command/command';
import { runCommand } from '../../../command/runCommand';

/** What a call has led to. */
export interface Ended {
  readonly code: ExitCode;
  readonly out: string;
  readonly err: string;
}

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

/** A folder of its own with these files, removed after the tests. */
export const folderWith = (files: Readonly<Record<string, string | Buffer>> = {}): string => {
  const folder = mkdtempSync(join(tmpdir(), 'command-'));
  folders.push(folder);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return folder;
};

/** An `Io` that keeps what is written. */
export const capturedIo = (cwd: string, ask?: Io['ask']): Io & { readonly said: () => Omit<Ended, 'code'> } => {
  const lines = { out: '', err: '' };
  return {
    cwd,
    ask,
    out: (line) => void (lines.out += `${line}\n`),
    err: (line) => void (lines.err += `${line}\n`),
    said: () => ({ ...lines }),
  };
};

/** Calls the command in a folder. */
export const called = async (cwd: string, ...args: readonly string[]): Promise<Ended> => {
  const io = capturedIo(cwd);
  const code = await runCommand(args, io);
  return { code, ...io.said() };
};

/** A definition that is right, with some fields replaced. */
export const definition = (changes: Readonly<Record<string, unknown>> = {}): string =>
  JSON.stringify({
    workspaceId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
    organizationId: 'example',
    apiKey: '0f0f1f90-7425-40de-944b-e07fc1f90ae7',
    config: {},
    queries: [
      {
        id: '20101',
        name: 'Sport fans',
        q: { event: 'Pageview', where: { p: 'article.section', eq: 'sport' }, is: { gte: 2 } },
        activations: { dfp: { trigger: 'EveryTime' } },
      },
      { id: '20102', name: 'Readers', q: { event: 'Pageview' } },
    ],
    activations: {},
    addons: { web: {}, dfp: {} },
    cohortCodes: {},
    platformCohorts: {},
    optimisedActivationsConfig: {},
    models: {},
    tpdProviders: [],
    identityTags: [],
    ...changes,
  });
