import { defer, finalize, type Observable } from 'rxjs';

import { batchTexts, type EventResult } from '../../endpoints/batchEvents';
import { call, type CallDeps } from '../../endpoints/call';
import { type Input, urlOf } from '../../endpoints/endpoint';
import { type Batch, listText } from './uploadQueue';

/** Browsers allow 64 KiB for all keepalive requests of a page that are under way. */
const maxKeepaliveBytes = 60 * 1024;

/** Requests of batches, and which of them are under way. */
export interface BatchRequests {
  /**
   * Sends a batch and emits the results of its events, in their order. With `keepalive` the request outlives the page.
   */
  readonly post: (batch: Batch, keepalive: boolean) => Observable<readonly EventResult[]>;
  /** Bytes that further keepalive requests may have now. */
  readonly keepaliveRoom: () => number;
  /** The batch whose request is under way without `keepalive`, and ends with the page. */
  readonly exposed: () => Batch | undefined;
  /** Hands a batch to the browser, which sends it some time. There is no answer. */
  readonly beacon: (batch: Batch) => void;
}

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
    exposed: () => exposed,
    beacon: (batch) => void deps.http.beacon(urlOf(batchTexts, inputOf(batch), deps.setting), listText(batch.items)),
  };
};

const inputOf = ({ items, flags }: Batch): Input<string> => ({
  query: [
    ['enrich', String(flags.enrich)],
    ['sdkp', String(flags.sdkProcessed)],
  ],
  body: listText(items),
});
