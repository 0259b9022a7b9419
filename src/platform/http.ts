import { Observable } from 'rxjs';

import { ownFields } from '../hardening/ownFields';
import { AnswerSizeError, NetworkError } from '../model/errors';
import type { Http, HttpAnswer, HttpRequest } from './platform';

/** The browser's own functions, as they were when the script loaded. */
export interface HttpNatives {
  /** Bound to the window. */
  readonly fetch: typeof fetch;
  /** Absent in browsers without beacons. */
  readonly sendBeacon?: ((url: string, body: string) => boolean) | undefined;
}

/**
 * Requests by `fetch`, as cold streams: sent at subscription, aborted at unsubscription. Requests have no credentials
 * unless the caller asks for them.
 */
export const fetchHttp = ({ fetch, sendBeacon }: HttpNatives): Http => ({
  send: (request) =>
    new Observable<HttpAnswer>((subscriber) => {
      const abort = new AbortController();
      attempt(() => privateFetch(fetch, request.url, requestInit(request, abort.signal)))
        .then((response) => readResponse(response, request.responseType))
        .then(
          (answer) => {
            subscriber.next(answer);
            subscriber.complete();
          },
          (cause: unknown) =>
            subscriber.error(cause instanceof AnswerSizeError ? cause : new NetworkError('failed', cause)),
        );
      return () => abort.abort();
    }),
  beacon: (url, body) => {
    try {
      return sendBeacon?.(url, body) ?? false;
    } catch {
      return false;
    }
  },
});

/** Turns a throw into a rejection: a page's own fetch may throw where the native one rejects. */
const attempt = <A>(action: () => Promise<A>): Promise<A> => new Promise((resolve) => resolve(action()));

/**
 * Fetches with what all requests of the SDK have in common. A server learns the site and not the page, because the
 * page's address may hold secrets. A redirect is an error, because it would hand events and ids to another server. The
 * options have no prototype, because the browser reads all of them, also those left out here.
 */
export const privateFetch = (browser: typeof fetch, url: string, options: RequestInit = {}): Promise<Response> =>
  browser(
    url,
    ownFields<RequestInit>({ credentials: 'omit', redirect: 'error', referrerPolicy: 'origin', ...options }),
  );

/** The options in which a request differs from others. */
const requestInit = (request: HttpRequest, signal: AbortSignal): RequestInit => {
  const { method, body, credentials, keepalive } = ownFields(request);
  return {
    method,
    signal,
    // On requests without a body too (spec S§7). Browsers send this type to other origins without asking first.
    headers: { 'Content-Type': 'text/plain' },
    ...(body !== undefined && { body }),
    // Named only when it is asked for, because some browsers refuse the flag together with an abort signal.
    ...(keepalive && { keepalive }),
    ...(credentials && { credentials: 'include' as const }),
  };
};

/** Reads the whole answer. The text of a failed binary request is kept for the error message. */
const readResponse = async (response: Response, responseType: HttpRequest['responseType']): Promise<HttpAnswer> => {
  const whole = await boundedContent(response);
  const body = await (responseType === 'binary' && response.ok ? whole.arrayBuffer() : whole.text());
  const retryAfterMs = delayOf(response.headers.get('Retry-After'));
  return { status: response.status, body, ...(retryAfterMs !== undefined && { retryAfterMs }) };
};

/** Bytes of an answer that are read at most. No server of ours says as much. */
const maxAnswerBytes = 1_000_000;

/**
 * The content of an answer, which may be read once. Throws where it is larger than answers may be, by its own word or
 * by what has been read; the rest is not waited for. Answers of a `fetch` of the page may have no stream.
 */
const boundedContent = async (response: Response): Promise<Pick<Response, 'text' | 'arrayBuffer'>> => {
  const reader = (response.body as Response['body'] | undefined)?.getReader();
  if (!reader) return response;
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const announced = Number(response.headers.get('Content-Length'));
  let read = 0;
  while (Math.max(announced, read) <= maxAnswerBytes) {
    const { value } = await reader.read();
    // Not a Blob: browsers keep its bytes in another process, which takes the page's thread 3 ms on a slow phone.
    if (value === undefined) return new Response(joinedBytes(parts, read));
    parts.push(value);
    read += value.length;
  }
  void reader.cancel();
  throw new AnswerSizeError();
};

const joinedBytes = (parts: readonly Uint8Array[], length: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
};

// `Retry-After` in ms. Only the form in seconds is read: the other form, a date, depends on the device's clock.
const delayOf = (retryAfter: string | null): number | undefined =>
  retryAfter !== null && /^\d{1,6}$/.test(retryAfter) ? Number(retryAfter) * 1000 : undefined;
