import { AnyNumber, AnyString, list, object, readerOf, shape, type TypeOf } from '../codecs/codecs';
import type { Endpoint } from './endpoint';

/** An id by which the visitor is known (spec C§3, C§5). */
const Alias = object(
  'Alias',
  shape({
    /** Who gave the id. */
    tag: AnyString,
    id: AnyString,
    /** The identity with priority 0 is used first. */
    priority: AnyNumber,
  }),
);
export type Alias = TypeOf<typeof Alias>;

/** The visitor's id in this browser, and the aliases that belong to it. */
const IdentifyRequest = object('IdentifyRequest', shape({ user_id: AnyString, aliases: list(Alias) }));
export type IdentifyRequest = TypeOf<typeof IdentifyRequest>;

/** The visitor to whom the aliases belong: the id that was sent, or the one that an alias already belonged to. */
const IdentifyAnswer = object('IdentifyAnswer', shape({ user_id: AnyString }));
export type IdentifyAnswer = TypeOf<typeof IdentifyAnswer>;

/** POST /v2.0/identify, with credentials (spec C§7). */
export const identify: Endpoint<IdentifyRequest, IdentifyAnswer> = {
  method: 'POST',
  path: '/{apiVersion}/identify',
  credentials: true,
  body: {
    // What else an alias has, such as its expiry, is not the server's.
    encode: ({ user_id, aliases }) => ({
      user_id,
      aliases: aliases.map(({ tag, id, priority }) => ({ tag, id, priority })),
    }),
    read: readerOf(IdentifyRequest),
  },
  responseType: 'json',
  answer: readerOf(IdentifyAnswer),
};
