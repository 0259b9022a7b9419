import { Observable } from 'rxjs';

/** One turn of the event loop, without the 4 ms that nested timeouts cost. */
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
