import { defer } from 'rxjs';

import type { Json } from '../model/json';
import type { Http, HttpRequest } from '../platform/platform';
import { causesOfRequest } from './causes';
import { answerData } from './httpAnswer';
import type { Log } from './log';
import type { Recorder } from './recorder';

export interface WatchHttpDeps {
  readonly log: Log;
  readonly recorder: Recorder;
  readonly json: Json;
}

/** The name of a request in a log: method and path. The number of the subscription tells it from others. */
export const requestName = ({ method, url }: Pick<HttpRequest, 'method' | 'url'>): string =>
  `${method} ${/^[a-z]+:\/\/[^/]*([^?#]*)/.exec(url)?.[1] ?? url}`;

/** Notes each request and its answer. */
export const watchedHttp = (http: Http, { log, recorder, json }: WatchHttpDeps): Http => ({
  send: (request) =>
    defer(() => {
      const id = log.note({
        lane: 'uploads',
        type: 'request',
        data: request,
        causes: causesOfRequest(json.parse(request.body ?? 'null'), log),
      });
      return recorder.hear(requestName(request), http.send(request), {
        lane: 'uploads',
        dataOf: answerData,
        causesOf: () => [id],
      });
    }),
  beacon: (url, body) => {
    const causes = causesOfRequest(json.parse(body), log);
    log.note({ lane: 'uploads', type: 'beacon', data: { method: 'POST', url, body }, causes });
    return recorder.read('beacon', '', http.beacon(url, body));
  },
});
