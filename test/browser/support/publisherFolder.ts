import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { installPacked, installTools } from '../../support/packedPackage';
import { until } from './until';

/** A site that `permutive-web-sdk dev` serves. */
export interface ServedFolder {
  /** The address of the page, with the inspector. */
  readonly address: string;
  /** What the command has written to stdout so far. */
  readonly said: () => string;
}

/** A folder as a publisher has one: the packed package and its tools are installed, and nothing else. */
export interface PublisherFolder {
  readonly write: (name: string, text: string) => void;
  readonly read: (name: string) => string;
  /** Lets the files of a directory look as if they were last changed an hour ago. */
  readonly makeOld: (directory: string) => void;
  /** Runs the installed command to its end; answers its stdout. Throws what the command says where it fails. */
  readonly run: (...args: readonly string[]) => string;
  /** Starts `permutive-web-sdk dev` on a port of its own. */
  readonly serve: (project: string) => Promise<ServedFolder>;
  /** Ends what was started, and removes the folder. */
  readonly remove: () => Promise<void>;
}

export const publisherFolder = (): PublisherFolder => {
  const folder = mkdtempSync(join(tmpdir(), 'permutive-site-'));
  installPacked(folder);
  installTools(folder);
  const command = join(folder, 'node_modules/permutive-web-sdk/dist/command.mjs');
  const started: ChildProcess[] = [];
  return {
    write: (name, text) => {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    },
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    makeOld: (directory) => {
      const seconds = Date.now() / 1000 - 3600;
      for (const name of readdirSync(join(folder, directory)))
        utimesSync(join(folder, directory, name), seconds, seconds);
    },
    run: (...args) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], {
        cwd: folder,
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`${args.join(' ')} ended with ${String(status)}: ${stderr}`);
      return stdout;
    },
    serve: async (project) => {
      const child = spawn(process.execPath, [command, 'dev', project, '--port', '0'], { cwd: folder });
      started.push(child);
      let [said, failed] = ['', ''];
      child.stdout.on('data', (text: Buffer) => (said += text.toString()));
      child.stderr.on('data', (text: Buffer) => (failed += text.toString()));
      const address = await until(
        () => {
          if (child.exitCode !== null) throw new Error(`dev has ended: ${failed}`);
          return /^Open (\S+)$/m.exec(said)?.[1];
        },
        'the address of dev',
        170_000,
      );
      return { address, said: () => said };
    },
    remove: async () => {
      await Promise.all(
        started.map(async (child) => {
          if (child.exitCode !== null) return;
          const ended = new Promise((resolve) => child.once('exit', resolve));
          child.kill('SIGTERM');
          await ended;
        }),
      );
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
