import { isRight } from 'fp-ts/Either';
import type * as t from 'io-ts';

import type { Reader } from '../codecs/codecs';
import { decode } from '../codecs/decode';
import { ownFields } from '../hardening/ownFields';
import type { BodyCodec, Endpoint } from './endpoint';

// Endpoints that only parts outside the page script call describe what they send and get by io-ts.

/** A call as data, with the types of what is sent and answered. */
interface TypedCall<Body, Answer> extends Omit<Endpoint<Body, Answer>, 'body' | 'responseType' | 'answer'> {
  readonly body?: t.Type<Body, unknown>;
  /** Default: JSON. */
  readonly responseType?: Endpoint<Body, Answer>['responseType'];
  readonly answer: t.Decoder<unknown, Answer>;
}

/** Makes an endpoint of types of io-ts. Fields that a strict type does not have are left out of what is read. */
export const endpointOf = <Answer, Body = never>(typed: TypedCall<Body, Answer>): Endpoint<Body, Answer> => {
  const { body, responseType = 'json', answer, ...sent } = ownFields(typed);
  return {
    ...sent,
    responseType,
    ...(body && { body: bodyOfType(body) }),
    answer: readerOfType(answer),
  };
};

/** A body of a request by a codec of io-ts. */
export const bodyOfType = <A>(type: t.Type<A, unknown>): BodyCodec<A> => ({
  encode: (body) => type.encode(body),
  read: readerOfType(type),
});

const readerOfType =
  <A>(type: t.Decoder<unknown, A>): Reader<A> =>
  (input) => {
    const decoded = decode(type)(input);
    return isRight(decoded) ? decoded.right : decoded.left;
  };
