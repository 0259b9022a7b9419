import * as t from 'io-ts';

import type { Endpoint } from './endpoint';

/** One name of the visitor. 0 is the highest priority (spec C§5). */
const Alias = t.strict({ tag: t.string, id: t.string, priority: t.number }, 'Alias');
export type Alias = Readonly<t.TypeOf<typeof Alias>>;

export const IdentifyRequest = t.strict({ user_id: t.string, aliases: t.readonlyArray(Alias) }, 'IdentifyRequest');
export type IdentifyRequest = Readonly<t.TypeOf<typeof IdentifyRequest>>;

/** Whose the aliases are: the id sent, or the one that an alias already belonged to. */
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
