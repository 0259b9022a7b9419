import { defer, from, Observable } from 'rxjs';

import { ownGlobal } from '../hardening/ownGlobal';

/** The part of `window.scheduler` that is used; older browsers have none of it. */
interface Scheduler {
  readonly yield?: () => Promise<void>;
}

/**
 * Emits once, in another task: painting and what the visitor does had their turn before. Where the browser has
 * `scheduler.yield`, that task comes before other work that waits in the thread.
 */
export const yieldThread = (): Observable<unknown> => {
  const scheduler = ownGlobal(globalThis, 'scheduler') as Scheduler | undefined;
  return typeof scheduler?.yield === 'function' ? from(scheduler.yield()) : fromMessage();
};

/** Emits once, in a microtask at the end of this task: a page that is being left runs no later task. */
export const endOfTask = (): Observable<unknown> => defer(() => Promise.resolve());

/** Emits once, in the task of a message. A message channel does not have the 4 ms delay of nested timeouts. */
const fromMessage = (): Observable<void> =>
  new Observable((subscriber) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      subscriber.next();
      subscriber.complete();
    };
    port2.postMessage(null);
    return () => port1.close();
  });
