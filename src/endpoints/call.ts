import { defer, map, type Observable } from 'rxjs';

import { DecodeError, type Reader } from '../codecs/codecs';
import { type Json, NoJson } from '../hardening/json';
import { ownFields } from '../hardening/ownFields';
import { AnswerSizeError, NetworkError, NotJsonError, StatusError } from '../model/errors';
import { firstWithin } from '../operators/firstWithin';
import type { HttpAnswer, HttpRequest, Tools } from '../platform/platform';
import { type Endpoint, type Input, urlOf } from './endpoint';

/** What a server call is made with. The settings have its address and timeout. */
export type CallDeps = Pick<Tools, 'http' | 'setting' | 'json'>;

/** How one call is sent, beside what its endpoint says. */
export interface CallOptions {
  /** The request may outlive the page. Browsers bound the size of such requests together. Default false. */
  readonly keepalive?: boolean;
}

/**
 * Calls a server and decodes its answer (spec C§7, C§8). Cold: sends at subscription, aborts at unsubscription, emits
 * one value and completes. Errors: `NetworkError` when no answer came or none within `requestTimeout`, `StatusError`
 * from status 400 on, `NotJsonError` for a body that is not JSON, `AnswerSizeError` for one that is too deep,
 * `DecodeError` for one of another shape.
 */
export const call = <Body, Answer>(
  endpoint: Endpoint<Body, Answer>,
  input: Input<NoInfer<Body>>,
  { http, setting, json }: CallDeps,
  options: CallOptions = {},
): Observable<Answer> =>
  defer(() => {
    const { method, responseType, credentials = false, body, answer } = ownFields(endpoint);
    const { body: content } = ownFields(input);
    const { keepalive = false } = ownFields(options);
    const sent = body && content !== undefined && { body: encodedText(body.encode(content), json) };
    return request(
      { method, url: urlOf(endpoint, input, setting), responseType, credentials, keepalive, ...sent },
      answer,
      setting('requestTimeout'),
      { http, json },
    );
  });

/**
 * Sends a request to an address that is no endpoint, such as an identity provider's, and decodes the answer. Errors as
 * `call` does, with `timeoutMs` as the limit.
 */
export const request = <Answer>(
  sent: HttpRequest,
  read: Reader<Answer>,
  timeoutMs: number,
  { http, json }: Pick<CallDeps, 'http' | 'json'>,
): Observable<Answer> =>
  http.send(sent).pipe(
    firstWithin(timeoutMs, () => new NetworkError('timeout')),
    map((answer) => contentOf(answer, json, sent.responseType)),
    map((content) => {
      const answer = read(content);
      if (answer instanceof DecodeError) throw answer;
      return answer;
    }),
  );

/** The text of a body. A body that encodes to text, such as a form, is sent unchanged. */
const encodedText = (encoded: unknown, json: Json): string =>
  typeof encoded === 'string' ? encoded : json.stringify(encoded);

/** Levels of objects and lists inside each other that an answer may have, as an event may. */
const maxAnswerLevels = 64;

/** Whether a value has more levels of objects and lists than that. */
const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1)));

/**
 * What an answer holds: parsed JSON, text or a buffer. An empty JSON body is null (spec C§8). Throws for a status from
 * 400 on, for text that is not JSON, and for JSON that is too deep: nothing deeper can be given to the engine's thread.
 */
const contentOf = (answer: HttpAnswer, json: Json, responseType: 'json' | 'text' | 'binary'): unknown => {
  const { status, body, retryAfterMs } = ownFields(answer);
  if (status >= 400) throw new StatusError(status, typeof body === 'string' ? body : '', retryAfterMs);
  if (responseType !== 'json' || typeof body !== 'string') return body;
  if (body === '') return null;
  const parsed = json.parse(body);
  if (parsed === NoJson) throw new NotJsonError(body);
  if (isDeeper(parsed, maxAnswerLevels)) throw new AnswerSizeError(`${maxAnswerLevels} levels`);
  return parsed;
};
