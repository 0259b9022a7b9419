import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';

import type { EventTable } from '../visits/eventTable';
import type { Task, TaskResult } from './tasks';
import type { ToWorker } from './worker';

/** Smaller numbers come first. */
export type Priority = 0 | 1 | 2;

/** Threads that play visitors. They begin with the first task. */
export interface Pool {
  /** Does a task. Rejects where the thread ends, and where `stop` comes before the task has begun. */
  readonly run: (table: EventTable, task: Task, priority: Priority, stop?: AbortSignal) => Promise<TaskResult>;
  readonly close: () => Promise<void>;
}

interface Waiting {
  readonly table: EventTable;
  readonly task: Task;
  readonly priority: Priority;
  readonly stop: AbortSignal | undefined;
  readonly done: (result: TaskResult) => void;
  readonly fail: (error: Error) => void;
}

interface Thread {
  readonly worker: Worker;
  table: EventTable | undefined;
  doing: Waiting | undefined;
}

/** The thread's program: bundled beside the command where the package is installed, else this folder's, by tsx. */
const startWorker = (): Worker => {
  const bundled = ['../studio/sizingWorker.mjs', 'studio/sizingWorker.mjs']
    .map((path) => resolve(import.meta.dirname, path))
    .find((path) => existsSync(path));
  if (bundled !== undefined) return new Worker(bundled, { execArgv: [] });
  const file = resolve(import.meta.dirname, 'worker.ts');
  return new Worker(
    `import('tsx/esm/api').then(({ tsImport }) => tsImport(${JSON.stringify(file)}, ${JSON.stringify(`file://${file}`)}))`,
    {
      eval: true,
      execArgv: [],
    },
  );
};

/** The reason for which a task was given up. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

export const openPool = (size = Math.max(1, Math.min(2, availableParallelism()))): Pool => {
  const threads: Thread[] = [];
  const waiting: Waiting[] = [];
  let number = 0;
  let isClosed = false;

  const start = (): Thread => {
    const thread: Thread = { worker: startWorker(), table: undefined, doing: undefined };
    threads.push(thread);
    const end = (error: Error): void => {
      const at = threads.indexOf(thread);
      if (at >= 0) threads.splice(at, 1);
      thread.doing?.fail(error);
      thread.doing = undefined;
      next();
    };
    thread.worker.on('error', end);
    thread.worker.on('exit', () => end(new Error('The thread that counts has ended.')));
    thread.worker.on('message', ({ result, error }: { readonly result?: TaskResult; readonly error?: string }) => {
      const { doing } = thread;
      thread.doing = undefined;
      if (result === undefined) doing?.fail(new Error(error));
      else doing?.done(result);
      next();
    });
    return thread;
  };
  const give = (thread: Thread, item: Waiting): void => {
    const post = (message: ToWorker): void => thread.worker.postMessage(message);
    thread.doing = item;
    if (thread.table !== item.table) post({ type: 'table', table: (thread.table = item.table) });
    post({ type: 'task', number: number++, task: item.task });
  };
  const next = (): void => {
    while (!isClosed && waiting.length > 0) {
      const first = waiting.reduce((best, item) => (item.priority < best.priority ? item : best));
      if (first.stop?.aborted === true) {
        waiting.splice(waiting.indexOf(first), 1);
        first.fail(new Stopped('The count was given up.'));
        continue;
      }
      const free = threads.find(({ doing }) => doing === undefined) ?? (threads.length < size ? start() : undefined);
      if (free === undefined) return;
      waiting.splice(waiting.indexOf(first), 1);
      give(free, first);
    }
  };
  return {
    run: (table, task, priority, stop) =>
      new Promise((done, fail) => {
        if (isClosed) return fail(new Stopped('Studio ends.'));
        waiting.push({ table, task, priority, stop, done, fail });
        next();
      }),
    close: async () => {
      isClosed = true;
      for (const { fail } of waiting.splice(0)) fail(new Stopped('Studio ends.'));
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
};
