import { isLeft } from 'fp-ts/Either';
import type { Decoder } from 'io-ts';
import { catchError, defer, map, type Observable, throwError, timeout, TimeoutError } from 'rxjs';

import type { Settings } from '../model/config';
import { decode } from '../model/decode';
import { NetworkError, NotJsonError, StatusError } from '../model/errors';
import { type Json, NoJson } from '../model/json';
import type { Http, HttpAnswer, HttpRequest } from '../platform/platform';
import { type Endpoint, type Input, urlOf } from './endpoint';

export interface CallDeps {
  readonly http: Http;
  readonly setting: Settings;
  readonly json: Json;
}

export interface CallOptions {
  readonly keepalive?: boolean;
}

/**
 * Calls a server and decodes its answer (spec C§7, C§8). Cold, one value. Errors: `NetworkError` when none
 * came within `requestTimeout`, `StatusError` from 400, `DecodeError` or `NotJsonError` for a body that makes no sense.
 */
export const call = <Body, Answer>(
  endpoint: Endpoint<Body, Answer>,
  input: Input<NoInfer<Body>>,
  { http, setting, json }: CallDeps,
  { keepalive = false }: CallOptions = {},
): Observable<Answer> =>
  defer(() =>
    request(
      {
        method: endpoint.method,
        url: urlOf(endpoint, input, setting),
        responseType: endpoint.responseType,
        credentials: endpoint.credentials ?? false,
        keepalive,
        ...(endpoint.body && input.body !== undefined && { body: textOf(endpoint.body.encode(input.body), json) }),
      },
      endpoint.answer,
      setting('requestTimeout'),
      { http, json },
    ),
  );

/** The same for an address that is nobody's endpoint. */
export const request = <Answer>(
  sent: HttpRequest,
  codec: Decoder<unknown, Answer>,
  timeoutMs: number,
  { http, json }: Pick<CallDeps, 'http' | 'json'>,
): Observable<Answer> =>
  http.send(sent).pipe(
    timeout({ first: timeoutMs }),
    catchError((error: unknown) =>
      throwError(() => (error instanceof TimeoutError ? new NetworkError('timeout') : (error as Error))),
    ),
    map((answer) => contentOf(answer, json, sent.responseType)),
    map((content) => {
      const decoded = decode(codec)(content);
      if (isLeft(decoded)) throw decoded.left;
      return decoded.right;
    }),
  );

/** A body that encodes to text, such as a form, goes as it is. */
const textOf = (encoded: unknown, json: Json): string =>
  typeof encoded === 'string' ? encoded : json.stringify(encoded);

const contentOf = (
  { status, body, retryAfterMs }: HttpAnswer,
  json: Json,
  responseType: 'json' | 'text' | 'binary',
): unknown => {
  if (status >= 400) throw new StatusError(status, typeof body === 'string' ? body : '', retryAfterMs);
  if (responseType !== 'json' || typeof body !== 'string') return body;
  if (body === '') return null;
  const parsed = json.parse(body);
  if (parsed === NoJson) throw new NotJsonError(body);
  return parsed;
};
