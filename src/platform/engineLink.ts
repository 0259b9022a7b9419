import { Observable } from 'rxjs';

import { json } from '../model/plainJson';
import type { Report } from '../model/report';
import type { EngineLink } from './platform';
import { trusted } from './trustedTypes';

/** What a link to the engine needs. */
export interface EngineLinkDeps {
  /** Addresses of the worker's scripts, on the bundle's own origin: definitions, engine. */
  readonly workerUrls: readonly string[];
  /** Loads the engine into the page, where a worker is refused; the port is its end of the conversation. */
  readonly loadOnPage: () => Promise<{ readonly serve: (port: MessagePort) => () => void }>;
  readonly report: Report;
}

/** A message of its own for each event would cost a page that tracks many more than all else; more in one would hold up a page that evaluates itself. */
const maxBatch = 100;

/**
 * The engine in a worker; on the page, in slices and after one warning, where the browser or the page's policy refuses
 * a worker. Starts at the first subscription to `message$` and ends with it. What is sent in one turn travels together, as a
 * list. What was sent before the engine spoke is sent again to the one that takes over.
 */
export const engineLink = ({ workerUrls, loadOnPage, report }: EngineLinkDeps): EngineLink => {
  // Kept until the engine has spoken: whoever takes over must hear it all.
  let unheard: unknown[] | undefined = [];
  let waiting: unknown[] = [];
  let post: ((message: unknown) => void) | undefined;

  const connect = (to: (message: unknown) => void): void => {
    post = to;
    unheard?.forEach(to);
  };

  const postAll = (): void => {
    const messages = waiting;
    waiting = [];
    for (let i = 0; i < messages.length; i += maxBatch) {
      const batch = messages.slice(i, i + maxBatch);
      unheard?.push(batch);
      post?.(batch);
    }
  };

  const message$ = new Observable<unknown>((subscriber) => {
    let stop = (): void => undefined;
    let refused = false;

    const hear = ({ data }: MessageEvent): void => {
      unheard = undefined;
      subscriber.next(data);
    };
    const takeOver = (cause: unknown): void => {
      // A worker that was ended as it started may still say that it failed.
      if (refused || subscriber.closed) return;
      refused = true;
      stop();
      post = undefined;
      report('WebWorker refused, queries are evaluated on the page', cause);
      loadOnPage().then(
        ({ serve }) => {
          if (subscriber.closed) return;
          const { port1, port2 } = new MessageChannel();
          const end = serve(port1);
          port1.start();
          port2.onmessage = hear;
          connect((message) => port2.postMessage(message));
          stop = () => {
            end();
            port2.close();
          };
        },
        (error: unknown) => subscriber.error(error),
      );
    };

    try {
      const worker = openWorker(workerUrls);
      stop = () => worker.terminate();
      worker.onmessage = hear;
      worker.onerror = (event) => {
        // Else the page's own onerror would hear of it.
        event.preventDefault();
        if (unheard === undefined) report('Exception in the worker', new Error(event.message));
        else takeOver(new Error(event.message));
      };
      connect((message) => worker.postMessage(message));
    } catch (cause) {
      takeOver(cause);
    }
    return () => stop();
  });

  return {
    message$,
    send: (message) => {
      // A microtask: a page that leaves has its last one after its last listener.
      if (waiting.push(message) === 1)
        Promise.resolve()
          .then(postAll)
          .catch((cause: unknown) => report('Exception in the worker', cause));
    },
  };
};

/** A Blob is of the page's own origin, as workers must be, and imports the scripts from wherever the bundle lives. */
const openWorker = (workerUrls: readonly string[]): Worker => {
  const blobUrl = URL.createObjectURL(new Blob([workerSource(workerUrls)], { type: 'text/javascript' }));
  try {
    return new Worker(trusted('createScriptURL', blobUrl));
  } finally {
    // The worker has its own hold on it by now.
    URL.revokeObjectURL(blobUrl);
  }
};

/** Imports the scripts, in order and fetched side by side, and leaves their folder for the worker's own chunks. */
const workerSource = (urls: readonly string[]): string => {
  const [first = ''] = urls;
  const base = first.slice(0, first.lastIndexOf('/') + 1);
  return `var u=${json.stringify(urls)};self.permutiveBase=${json.stringify(base)};
if(self.trustedTypes){var p=trustedTypes.createPolicy("permutive",{createScriptURL:function(x){return u.indexOf(x)<0?"":x}});importScripts.apply(self,u.map(function(x){return p.createScriptURL(x)}))}else importScripts.apply(self,u)`;
};
