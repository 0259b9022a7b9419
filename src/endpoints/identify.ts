import { AnyNumber, AnyString, list, object, readerOf, shape } from '../model/codecs';
import type { Endpoint } from './endpoint';

/** An id by which the visitor is known, and who gave it (`tag`). 0 is the highest priority (spec C§3, C§5). */
export interface Alias {
  readonly tag: string;
  readonly id: string;
  readonly priority: number;
}

/** The visitor's id in this browser, and the aliases that belong to it. */
export interface IdentifyRequest {
  readonly user_id: string;
  readonly aliases: readonly Alias[];
}
const AliasCodec = object<Alias>('Alias', shape({ tag: AnyString, id: AnyString, priority: AnyNumber }));
const IdentifyRequestCodec = object<IdentifyRequest>(
  'IdentifyRequest',
  shape({ user_id: AnyString, aliases: list(AliasCodec) }),
);

/** The visitor to whom the aliases belong: the id that was sent, or the one that an alias already belonged to. */
export interface IdentifyAnswer {
  readonly user_id: string;
}

/** POST /v2.0/identify, with credentials (spec C§7). */
export const identify: Endpoint<IdentifyRequest, IdentifyAnswer> = {
  method: 'POST',
  version: 'apiVersion',
  path: 'identify',
  credentials: true,
  body: {
    // What else an alias has, such as its expiry, is not the server's.
    encode: ({ user_id, aliases }) => ({
      user_id,
      aliases: aliases.map(({ tag, id, priority }) => ({ tag, id, priority })),
    }),
    read: readerOf(IdentifyRequestCodec),
  },
  responseType: 'json',
  answer: readerOf(object<IdentifyAnswer>('IdentifyAnswer', shape({ user_id: AnyString }))),
};
