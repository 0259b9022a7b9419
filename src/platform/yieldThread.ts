import { Observable } from 'rxjs';

/**
 * Emits once, after other work of the thread had its turn. A message channel does not have the 4 ms delay of nested
 * timeouts.
 */
export const yieldThread = (): Observable<void> =>
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
