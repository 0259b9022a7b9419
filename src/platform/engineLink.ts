import { catchError, from, mergeMap, Observable, type Subscriber } from 'rxjs';

import type { Report } from '../model/report';
import { openWorker } from './openWorker';
import { openOutbox, type Outbox } from './outbox';
import type { EngineLink } from './platform';

/** What a link to the engine needs. */
export interface EngineLinkDeps {
  /** Addresses of the worker's scripts, on the bundle's own origin: definitions, engine. */
  readonly workerUrls: readonly string[];
  /** Loads the engine into the page, where a worker is refused; the port is its end of the conversation. */
  readonly loadOnPage: () => Promise<{ readonly serve: (port: MessagePort) => () => void }>;
  readonly report: Report;
}

/**
 * The engine in a worker; on the page, in slices and after one warning, where the browser or the page's policy refuses
 * a worker. It starts at the first subscription to `message$` and ends with it. What is sent in one turn travels
 * together, as a list. What was sent before the engine first answered is sent again to the engine that takes over.
 */
export const engineLink = (deps: EngineLinkDeps): EngineLink => {
  const outbox = openOutbox(deps.report);
  return {
    message$: fromWorker(outbox, deps).pipe(
      catchError((cause: unknown) => {
        deps.report('WebWorker refused, queries are evaluated on the page', cause);
        return fromPageEngine(outbox, deps);
      }),
    ),
    send: outbox.add,
  };
};

/** What an engine in a worker says. Errors where the worker fails before it has said anything. */
const fromWorker = (outbox: Outbox, { workerUrls, report }: EngineLinkDeps): Observable<unknown> =>
  new Observable((subscriber) => {
    const worker = openWorker(workerUrls);
    // Added before the worker is used, because what follows may throw.
    subscriber.add(() => worker.terminate());
    worker.onmessage = listener(subscriber, outbox);
    worker.onerror = (event) => {
      // Otherwise the page's own onerror would hear of it.
      event.preventDefault();
      const error = new Error(event.message);
      if (outbox.isForgotten()) report('Exception in the worker', error);
      else subscriber.error(error);
    };
    outbox.connect((batch) => worker.postMessage(batch));
  });

/** What an engine on the page says. Errors where it cannot be loaded. */
const fromPageEngine = (outbox: Outbox, { loadOnPage }: EngineLinkDeps): Observable<unknown> =>
  from(loadOnPage()).pipe(
    mergeMap(
      ({ serve }) =>
        new Observable((subscriber) => {
          const { port1, port2 } = new MessageChannel();
          const end = serve(port1);
          port1.start();
          port2.onmessage = listener(subscriber, outbox);
          outbox.connect((batch) => port2.postMessage(batch));
          return () => {
            end();
            port2.close();
          };
        }),
    ),
  );

const listener =
  (subscriber: Subscriber<unknown>, outbox: Outbox) =>
  ({ data }: MessageEvent): void => {
    outbox.forget();
    subscriber.next(data);
  };
