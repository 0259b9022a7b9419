import type { Observable } from 'rxjs';

/** The world, as everything outside this folder sees it. */

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** Sent as text/plain: anything else would cost a preflight. */
  readonly body?: string;
  readonly credentials?: boolean;
  readonly responseType: 'json' | 'text' | 'binary';
  /** The request may outlive the page; browsers allow 64 KiB of these at a time. */
  readonly keepalive?: boolean;
}

export interface HttpAnswer {
  readonly status: number;
  /** `Retry-After` in ms, where the server sent one and the browser shows it. */
  readonly retryAfterMs?: number;
  /** Text, or an ArrayBuffer when binary was asked for. Always read to its end, else connections starve. */
  readonly body: string | ArrayBuffer;
}

export interface Http {
  /** Cold: sends at subscription, aborts at unsubscription. Errors where no answer came. */
  readonly send: (request: HttpRequest) => Observable<HttpAnswer>;
  /** Queues text with the browser; false when it refused. */
  readonly beacon: (url: string, body: string) => boolean;
}
