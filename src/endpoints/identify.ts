import * as t from 'io-ts';

import type { Endpoint } from './endpoint';

/** An id by which the visitor is known, and who gave it (`tag`). 0 is the highest priority (spec C§3, C§5). */
const Alias = t.strict({ tag: t.string, id: t.string, priority: t.number }, 'Alias');
export type Alias = Readonly<t.TypeOf<typeof Alias>>;

/** The visitor's id in this browser, and the aliases that belong to it. */
export const IdentifyRequest = t.strict({ user_id: t.string, aliases: t.readonlyArray(Alias) }, 'IdentifyRequest');
export type IdentifyRequest = Readonly<t.TypeOf<typeof IdentifyRequest>>;

/** The visitor to whom the aliases belong: the id that was sent, or the one that an alias already belonged to. */
export const IdentifyAnswer = t.type({ user_id: t.string }, 'IdentifyAnswer');
export type IdentifyAnswer = Readonly<t.TypeOf<typeof IdentifyAnswer>>;

/** POST /v2.0/identify, with credentials (spec C§7). */
export const identify: Endpoint<IdentifyRequest, IdentifyAnswer> = {
  method: 'POST',
  version: 'apiVersion',
  path: 'identify',
  credentials: true,
  body: IdentifyRequest,
  responseType: 'json',
  answer: IdentifyAnswer,
};
