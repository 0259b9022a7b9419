import { catchError, from, mergeMap, NEVER, Observable, type Subscriber } from 'rxjs';

import type { EngineWorkers } from './engineWorkers';
import { openOutbox, type Outbox } from './outbox';
import type { EngineLink, Tools } from './platform';
import { hasSafariEngine } from './safariEngine';

/** Within this time, a worker that is told so has opened and closed its database. */
const closeMs = 3000;

/** Both places where the engine can run. */
export interface EngineLinkDeps extends Pick<Tools, 'report'> {
  /** Answers a worker. Throws where the browser or the page's policy refuses it. */
  readonly openWorker: EngineWorkers['open'];
  /** Loads the engine into the page, where a worker is refused. `serve` answers a function that ends the engine. */
  readonly loadOnPage: () => Promise<{ readonly serve: (port: MessagePort) => () => void }>;
  /** The browser's name for itself. */
  readonly userAgent: string;
}

/**
 * The engine in a worker; where the browser or the page's policy refuses a worker, the engine on the page, in slices
 * and after one warning. The engine starts at the subscription to `message$` and ends with the subscription.
 *
 * Messages of one turn travel together, as a list. What was sent before the engine first answered is sent again to the
 * engine that takes over, so a worker that never loads loses nothing. Where no engine can be loaded, the link is silent
 * after one report: events are delivered without an engine.
 */
export const engineLink = (deps: EngineLinkDeps): EngineLink => {
  const outbox = openOutbox(deps.report);
  return {
    message$: fromWorker(outbox, deps).pipe(
      catchError((cause: unknown) => {
        deps.report('WebWorker refused, queries are evaluated on the page', cause);
        return fromPageEngine(outbox, deps);
      }),
      catchError((cause: unknown) => {
        deps.report('No engine could be loaded, the cohorts stay as they are', cause);
        // No other engine takes over, so nothing is kept for one.
        outbox.forget();
        return NEVER;
      }),
    ),
    send: outbox.add,
  };
};

/**
 * Messages of an engine in a worker. Errors where no worker opens, or where it fails before its first message; a later
 * failure is reported, and the worker lives on.
 */
const fromWorker = (outbox: Outbox, { openWorker, report, userAgent }: EngineLinkDeps): Observable<unknown> =>
  new Observable((subscriber) => {
    const { worker, failure, answered } = openWorker();
    // Added before anything that may throw, so that the worker ends in any case.
    subscriber.add(endOf(worker, userAgent));
    if (failure) throw failure;
    worker.onmessage = listener(subscriber, outbox, answered);
    worker.onerror = (event) => {
      // Keeps the error from the page's own onerror.
      event.preventDefault();
      const error = new Error(event.message);
      if (outbox.isForgotten()) report('Exception in the worker', error);
      else subscriber.error(error);
    };
    outbox.connect((batch) => worker.postMessage(batch));
  });

/**
 * Ends a worker when it is called. Safari keeps the database locked for later pages where a worker is terminated while
 * it opens that database. So there the worker is told first that the visit has ended, and terminated later. As the page
 * unloads, the worker is terminated at once: Safari stops a worker of the back-forward cache in the middle of a
 * transaction, for which the database of the next page waits.
 */
const endOf = (worker: Worker, userAgent: string) => {
  if (!hasSafariEngine(userAgent)) return () => worker.terminate();
  const onUnload = ({ isTrusted }: Event): void => {
    if (isTrusted) worker.terminate();
  };
  addEventListener('pagehide', onUnload, true);
  return () => {
    worker.onmessage = null;
    worker.postMessage([{ type: 'end' }]);
    setTimeout(() => {
      worker.terminate();
      removeEventListener('pagehide', onUnload, true);
    }, closeMs);
  };
};

/** Messages of an engine on the page. Errors where it cannot be loaded. */
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

/** Passes messages on. The first one shows that the engine runs, so nothing has to be kept for another. */
const listener =
  (subscriber: Subscriber<unknown>, outbox: Outbox, answered: () => void = () => undefined) =>
  ({ data }: MessageEvent): void => {
    if (!outbox.isForgotten()) answered();
    outbox.forget();
    subscriber.next(data);
  };
