import { defer, delay, map, of } from 'rxjs';

import type { Json } from '../../model/json';
import type { Http, HttpRequest } from '../../platform/platform';
import { type AnswerData, answerOf } from '../httpAnswer';
import type { ParsedLog } from '../parseLog';
import { requestName } from '../watchedHttp';
import type { Playback } from './playback';

/** How long a request takes that the log has not. */
const unknownAnswerMs = 20;

/**
 * Answers requests as they were answered. Where browsers fire timers late, events come in other batches: an answer is
 * made as long as its batch, and a batch that the log has not is taken.
 */
export const replaySend = ({ lines }: ParsedLog, hear: Playback['hear'], json: Json): Http['send'] => {
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
      return hear(name).pipe(
        map((data) => {
          const answer = answerOf(data as AnswerData);
          const results = typeof answer.body === 'string' ? json.parse(answer.body) : undefined;
          const isOther = Array.isArray(events) && Array.isArray(results) && results.length !== events.length;
          return isOther && answer.status === 200 ? { ...answer, body: taken } : answer;
        }),
      );
    });
};
