import { DecodeError, type Fault } from '../../src/codecs/codecs';
import type { BodyCodec, Endpoint } from '../../src/endpoints/endpoint';
import { NoJson } from '../../src/hardening/json';
import { json } from '../../src/hardening/plainJson';

/** One request as a route sees it. */
export interface Call<Body> {
  readonly body: Body;
  /** Size of the body on the wire. */
  readonly bytes: number;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly headers: Headers;
  readonly address: string;
  readonly answerHeaders: Headers;
}

/**
 * The request, or an event of it, is not accepted, however often it is sent. It is answered with this status and kept
 * for `/bad`.
 */
export class Refused extends Error {
  constructor(
    readonly status: 400 | 404 | 413,
    message: string,
    readonly faults: readonly Fault[] = [],
  ) {
    super(message);
  }
}

/** The request may be accepted later. It is answered with 503, so that the SDK sends it again. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** An endpoint of the SDK with the code that answers it. */
export interface Route {
  readonly endpoint: Pick<Endpoint<never, unknown>, 'method' | 'host' | 'path' | 'credentials' | 'responseType'>;
  /** The answer, or a promise of it. Throws or rejects with `Refused` or `Unavailable`. */
  readonly respond: (call: Omit<Call<never>, 'body'>, text: string) => unknown;
}

/** Answers an endpoint. Its own codec reads the body, so what the SDK would not send is refused. */
export const served = <Body, Answer>(
  endpoint: Endpoint<Body, Answer>,
  answer: (call: Call<Body>) => Answer | Promise<Answer>,
): Route => ({
  endpoint,
  respond: (call, text) =>
    answer({ ...call, body: endpoint.body === undefined ? (undefined as Body) : bodyOf(endpoint.body, text) }),
});

const bodyOf = <Body>({ read }: BodyCodec<Body>, text: string): Body => {
  // Forms are no JSON: their codecs read text.
  const parsed = json.parse(text);
  const body = read(parsed === NoJson ? text : parsed);
  if (body instanceof DecodeError)
    throw new Refused(400, parsed === NoJson ? `not JSON; ${body.message}` : body.message, body.faults);
  return body;
};
