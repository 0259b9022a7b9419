import {
  catchError,
  filter,
  from,
  ignoreElements,
  merge,
  mergeMap,
  NEVER,
  Observable,
  type Subscriber,
  tap,
} from 'rxjs';

import { sessionKeys } from '../model/storageKeys';
import { openWorker, type WorkerFiles } from './openWorker';
import { openOutbox, type Outbox } from './outbox';
import type { EngineLink, TextStorage, Tools } from './platform';
import { hasSafariEngine } from './safariEngine';

/** Within this time, a worker that is told so has opened and closed its database. */
const closeMs = 3000;

/** Where the engine's scripts are, for both places where it can run. */
export interface EngineLinkDeps extends Pick<Tools, 'report' | 'listen'> {
  /** The worker's scripts, on the bundle's own origin. Throws where their address is unknown. */
  readonly workerFiles: () => WorkerFiles;
  /** Loads the engine into the page, where a worker is refused. `serve` answers a function that ends the engine. */
  readonly loadOnPage: () => Promise<{ readonly serve: (port: MessagePort) => () => void }>;
  /** Keeps a refusal by the page's policy for the later pages of the tab. */
  readonly session: Pick<TextStorage, 'read' | 'write'>;
  /** The browser's name for itself. */
  readonly userAgent: string;
}

/**
 * The engine in a worker; where the browser or the page's policy refuses a worker, the engine on the page, in slices
 * and after one warning. The engine starts at the subscription to `message$` and ends with the subscription.
 *
 * Messages of one turn travel together, as a list. What was sent before the engine first answered is sent again to the
 * engine that takes over, so a worker that never loads loses nothing. Where the policy has refused a worker, the later
 * pages of the tab do not ask for one, because each attempt is a violation in the publisher's reports. Where no engine
 * can be loaded, the link is silent after one report: events are delivered without an engine.
 */
export const engineLink = (deps: EngineLinkDeps): EngineLink => {
  const outbox = openOutbox(deps.report);
  return {
    message$: merge(
      rememberRefusal(outbox, deps),
      fromWorker(outbox, deps).pipe(
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
    ),
    send: outbox.add,
  };
};

/**
 * Keeps in session storage that the page's policy has refused the worker. The worker's own failure does not tell this,
 * because a file that did not load fails alike, and some browsers tell of the violation later than of the failure. A
 * policy that only reports lets the worker run, so its violations do not count.
 */
const rememberRefusal = (outbox: Outbox, { session, listen }: EngineLinkDeps): Observable<never> =>
  listen('window', 'securitypolicyviolation').pipe(
    filter((event) => !outbox.isForgotten() && isWorkerRefusal(event as SecurityPolicyViolationEvent)),
    tap(() => session.write(sessionKeys.workerRefused, '1')),
    ignoreElements(),
  );

/** Whether a worker from a Blob was refused. */
const isWorkerRefusal = ({ effectiveDirective, disposition, blockedURI }: SecurityPolicyViolationEvent): boolean =>
  effectiveDirective === 'worker-src' && disposition === 'enforce' && /^blob/.test(blockedURI);

/**
 * Messages of an engine in a worker. Errors where the worker fails before its first message, or where the tab knows
 * that the policy refuses it; a later failure is reported, and the worker lives on.
 */
const fromWorker = (outbox: Outbox, { workerFiles, report, session, userAgent }: EngineLinkDeps): Observable<unknown> =>
  new Observable((subscriber) => {
    if (session.read(sessionKeys.workerRefused) !== null) throw new Error('refused on an earlier page');
    const worker = openWorker(workerFiles());
    // Added before anything that may throw, so that the worker ends in any case.
    subscriber.add(endOf(worker, userAgent));
    worker.onmessage = listener(subscriber, outbox);
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
  (subscriber: Subscriber<unknown>, outbox: Outbox) =>
  ({ data }: MessageEvent): void => {
    outbox.forget();
    subscriber.next(data);
  };
