import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';

import { until } from '../../browser/support/until';

/** A program that runs. */
export interface Running {
  readonly process: ChildProcessWithoutNullStreams;
  /** All that it has said until now. */
  readonly said: () => string;
  /** Waits until it says this; rejects with what it has said where it ends before. */
  readonly says: (what: RegExp) => Promise<RegExpExecArray>;
  /** Sends a signal, and resolves with the exit code once it has ended; null where the signal has ended it. */
  readonly end: (signal: 'SIGTERM' | 'SIGKILL') => Promise<number | null>;
}

export const running = (child: ChildProcessWithoutNullStreams): Running => {
  let text = '';
  for (const output of [child.stdout, child.stderr]) output.on('data', (part: Buffer) => (text += part.toString()));
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null;
  return {
    process: child,
    said: () => text,
    says: (what) =>
      until(
        () => {
          const found = what.exec(text);
          if (found === null && hasEnded()) throw new Error(`${child.spawnargs.join(' ')} has ended: ${text}`);
          return found ?? undefined;
        },
        `${what.source} from ${child.spawnargs.join(' ')}`,
      ),
    end: async (signal) => {
      const ended = hasEnded() ? undefined : once(child, 'exit');
      child.kill(signal);
      await ended;
      return child.exitCode;
    },
  };
};

/** Runs a command of this project. */
export const command = (file: string, ...args: readonly string[]): Running =>
  running(spawn(process.execPath, ['--import', 'tsx', file, ...args], { cwd: resolve(__dirname, '../../..') }));
