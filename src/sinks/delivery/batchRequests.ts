import { defer, finalize, type Observable } from 'rxjs';

import { batchTexts, type EventResult } from '../../endpoints/batchTexts';
import { call, type CallDeps } from '../../endpoints/call';
import { type Input, urlOf } from '../../endpoints/endpoint';
import { type Batch, listText } from './uploadQueue';

/** Bytes of keepalive requests at a time. Browsers allow 64 KiB for all of a page's; the rest is left to the page. */
const maxKeepaliveBytes = 60 * 1024;

/** Makes the requests of batches, and knows which of them are under way. */
export interface BatchRequests {
  /**
   * Sends a batch at subscription, and emits the results of its events, in their order. With `keepalive` the request
   * outlives the page. Errors as `call` does.
   */
  readonly post: (batch: Batch, keepalive: boolean) => Observable<readonly EventResult[]>;
  /** Bytes that are left for further keepalive requests now. */
  readonly keepaliveRoom: () => number;
  /** The batch whose request is under way without `keepalive`, and would end with the page. It is answered once. */
  readonly takeExposed: () => Batch | undefined;
  /** Hands a batch to the browser as a beacon. The browser sends it at a time of its own, and there is no answer. */
  readonly beacon: (batch: Batch) => void;
}

/** Makes the requests of one page. */
export const batchRequests = (deps: CallDeps): BatchRequests => {
  let keptAliveBytes = 0;
  let exposed: Batch | undefined;
  return {
    post: (batch, keepalive) =>
      defer(() => {
        if (keepalive) keptAliveBytes += batch.bytes;
        else exposed = batch;
        return call(batchTexts, inputOf(batch), deps, { keepalive });
      }).pipe(
        finalize(() => {
          if (keepalive) keptAliveBytes -= batch.bytes;
          else if (exposed === batch) exposed = undefined;
        }),
      ),
    keepaliveRoom: () => maxKeepaliveBytes - keptAliveBytes,
    takeExposed: () => {
      const batch = exposed;
      exposed = undefined;
      return batch;
    },
    beacon: (batch) => void deps.http.beacon(urlOf(batchTexts, inputOf(batch), deps.setting), listText(batch.items)),
  };
};

/** The input of the call for a batch. The flags of its events are in the query. */
const inputOf = ({ items, flags }: Batch): Input<string> => ({
  query: [
    ['enrich', String(flags.enrich)],
    ['sdkp', String(flags.sdkProcessed)],
  ],
  body: listText(items),
});
