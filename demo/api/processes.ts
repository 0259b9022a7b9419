import cluster from 'node:cluster';
import { once } from 'node:events';

import { onStop } from './onStop';

/** Pause before a process that has ended is replaced, in ms, so that one that cannot run does not fill the machine. */
const replaceMs = 500;

/**
 * Runs this program in several processes that share their port: node hands each connection to the next of them. Answers
 * the port once all of them listen. A process that ends is replaced; where one ends before it has listened, this one
 * ends too.
 *
 * @param args What the processes get as arguments.
 */
export const runProcesses = async (count: number, args: readonly string[]): Promise<number> => {
  let [isStarting, isStopping] = [true, false];
  cluster.setupPrimary({ args: [...args] });
  cluster.on('listening', ({ process: { pid } }) => console.log(`API process ${pid} listens.`));
  cluster.on('exit', ({ process: { pid } }, code, signal: string | null) => {
    if (isStopping) return;
    console.error(`API process ${pid} has ended (${signal ?? code}).`);
    if (isStarting) process.exit(1);
    setTimeout(() => {
      if (!isStopping) cluster.fork();
    }, replaceMs);
  });
  onStop(async () => {
    isStopping = true;
    const running = Object.values(cluster.workers ?? {}).flatMap((worker) => worker ?? []);
    const ended = running.filter((worker) => !worker.isDead()).map((worker) => once(worker, 'exit'));
    for (const worker of running) worker.process.kill('SIGTERM');
    await Promise.all(ended);
  });

  const listening = Array.from({ length: count }, () => once(cluster.fork(), 'listening'));
  const [[{ port }]] = (await Promise.all(listening)) as [[{ readonly port: number }]];
  isStarting = false;
  return port;
};
