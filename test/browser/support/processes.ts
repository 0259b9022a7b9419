import { execFileSync } from 'node:child_process';

import { until } from './until';

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}
const processes = (): readonly Process[] =>
  execFileSync('ps', ['-eo', 'pid,ppid,stat,args'], { encoding: 'utf8' })
    .split('\n')
    .flatMap((line) => {
      const [, pid, parent, stat, command = ''] = /^ *(\d+) +(\d+) +(\S+) +(.*)$/.exec(line) ?? [];
      // A zombie has ended.
      return stat === undefined || stat.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent), command }];
    });
const childrenOf = (pid: number, all: readonly Process[]): readonly Process[] =>
  all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...childrenOf(child.pid, all)]);

/** Ends those processes below this one whose command is meant, without a word, and waits until they have ended. */
export const killChildren = async (pid: number, command: RegExp): Promise<void> => {
  const meant = (): readonly Process[] => childrenOf(pid, processes()).filter((child) => command.test(child.command));
  const dying = new Set(meant().map((each) => each.pid));
  for (const each of dying) process.kill(each, 'SIGKILL');
  await until(() => (meant().some((each) => dying.has(each.pid)) ? undefined : true), 'the end of the processes');
};
