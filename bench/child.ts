import { life, limit, matching } from './tasks';
import type { Size } from './workload';

/** What the bench asks of one of its processes. */
export type Task =
  | { readonly task: 'life' | 'limit'; readonly size: Size }
  | { readonly task: 'matching'; readonly subject: string; readonly size: Size };

const run = async (task: Task): Promise<unknown> => {
  switch (task.task) {
    case 'life':
      return life(task.size);
    case 'limit':
      return limit(task.size);
    case 'matching':
      return matching(task.subject, task.size);
  }
};

run(JSON.parse(process.argv[2] ?? '{}') as Task).then(
  (answer) => process.stdout.write(JSON.stringify(answer)),
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = 1;
  },
);
