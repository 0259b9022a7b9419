import { defer, delay, map, of } from 'rxjs';

import type { Http, HttpAnswer, HttpRequest } from '../../platform/platform';
import { mapItems } from '../../primitives/lists';
import { causesOfRequest } from '../causes';
import { type Door, group, read, type ReplayDeps } from './door';

/** How long a request takes that the log has not. */
const unknownAnswerMs = 20;

/** The name of a request in a log: method and path. The number of the subscription tells it from others. */
const requestName = ({ method, url }: Pick<HttpRequest, 'method' | 'url'>): string =>
  `${method} ${/^[a-z]+:\/\/[^/]*([^?#]*)/.exec(url)?.[1] ?? url}`;

const beaconAnswer = read<Parameters<Http['beacon']>, boolean>('beacon', (data) => data !== false);

/** Requests, and their answers. */
export const httpDoor: Door<Http> = group<Http>({
  send: {
    watched:
      (send, { log, recorder, json }) =>
      (request) =>
        defer(() => {
          const causes = causesOfRequest(json.parse(request.body ?? 'null'), log);
          const id = log.note({ lane: 'uploads', type: 'request', data: request, causes });
          return recorder.hear(requestName(request), send(request), {
            lane: 'uploads',
            dataOf: answerData,
            causesOf: () => [id],
          });
        }),
    replayed: (_, deps) => replayedSend(deps),
  },
  beacon: {
    ...beaconAnswer,
    watched: (beacon, deps) => {
      const watched = beaconAnswer.watched(beacon, deps);
      return (url, body) => {
        const causes = causesOfRequest(deps.json.parse(body), deps.log);
        deps.log.note({ lane: 'uploads', type: 'beacon', data: { method: 'POST', url, body }, causes });
        return watched(url, body);
      };
    },
  },
});

/**
 * Answers requests as they were answered. Where browsers fire timers late, events come in other batches: an answer is
 * made as long as its batch, and a batch that the log has not is taken.
 */
const replayedSend = ({ log: { lines }, playback, world: { json } }: ReplayDeps): Http['send'] => {
  const left = new Map<string, number>();
  for (const { lane, type, data } of lines) {
    if (lane !== 'uploads' || type !== 'request') continue;
    const name = requestName(data as HttpRequest);
    left.set(name, (left.get(name) ?? 0) + 1);
  }
  return (request) =>
    defer(() => {
      const name = requestName(request);
      const events = json.parse(request.body ?? 'null');
      const taken = Array.isArray(events) ? json.stringify(events.map(() => ({ code: 200 }))) : '';
      const isKnown = (left.get(name) ?? 0) > 0;
      left.set(name, (left.get(name) ?? 0) - 1);
      if (!isKnown && taken !== '') return of({ status: 200, body: taken }).pipe(delay(unknownAnswerMs));
      return playback.hear(name).pipe(
        map((data) => {
          const answer = answerOf(data as AnswerData);
          const results = typeof answer.body === 'string' ? json.parse(answer.body) : undefined;
          const isOther = Array.isArray(events) && Array.isArray(results) && results.length !== events.length;
          return isOther && answer.status === 200 ? { ...answer, body: taken } : answer;
        }),
      );
    });
};

/** An answer as JSON has it: binary bodies in base 64. */
type AnswerData = Omit<HttpAnswer, 'body'> & ({ readonly body: string } | { readonly base64: string });

const answerData = ({ body, ...answer }: HttpAnswer): AnswerData =>
  typeof body === 'string'
    ? { ...answer, body }
    : { ...answer, base64: btoa(mapItems(new Uint8Array(body), (byte) => String.fromCharCode(byte)).join('')) };

/** The answer of such data. */
const answerOf = (data: AnswerData): HttpAnswer => {
  if ('body' in data) return data;
  const { base64, ...answer } = data;
  return { ...answer, body: new Uint8Array(mapItems(atob(base64), (character) => character.charCodeAt(0))).buffer };
};
