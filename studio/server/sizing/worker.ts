// The thread that plays visitors: asked by `pool.ts`, one task at a time.
import { parentPort } from 'node:worker_threads';

import type { EventTable } from '../visits/eventTable';
import { type Task, TaskRunner } from './tasks';

/** The events from now on, or a task with its number. */
export type ToWorker =
  | { readonly type: 'table'; readonly table: EventTable }
  | { readonly type: 'task'; readonly number: number; readonly task: Task };

const runner = new TaskRunner();
let table: EventTable | undefined;

parentPort!.on('message', (message: ToWorker) => {
  if (message.type === 'table') {
    ({ table } = message);
    return;
  }
  const { number, task } = message;
  try {
    parentPort!.postMessage({ number, result: runner.run(table!, task) });
  } catch (error) {
    parentPort!.postMessage({ number, error: error instanceof Error ? error.message : String(error) });
  }
});
