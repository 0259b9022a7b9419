import { isRight } from 'fp-ts/Either';
import type * as t from 'io-ts';

import type { Reader } from '../codecs/codecs';
import { decode } from '../codecs/decode';
import type { BodyCodec } from './endpoint';

// Endpoints that only parts outside the page script call describe what they send and get by io-ts.

/** Reads an answer by a codec of io-ts. Fields that a strict type does not have are left out. */
export const readerOfType =
  <A>(type: t.Decoder<unknown, A>): Reader<A> =>
  (input) => {
    const decoded = decode(type)(input);
    return isRight(decoded) ? decoded.right : decoded.left;
  };

/** A body of a request by a codec of io-ts. */
export const bodyOfType = <A>(type: t.Type<A, unknown>): BodyCodec<A> => ({
  encode: (body) => type.encode(body),
  read: readerOfType(type),
});
