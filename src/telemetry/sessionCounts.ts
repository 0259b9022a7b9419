import { isRight } from 'fp-ts/Either';
import * as t from 'io-ts';

import { decode } from '../model/decode';

/**
 * Numbers of sessions in this browser, and of SDK starts and page views in the current session. `id` is the session's.
 */
const SessionCounts = t.strict({ id: t.string, sessions: t.number, inits: t.number, views: t.number }, 'SessionCounts');
export type SessionCounts = Readonly<t.TypeOf<typeof SessionCounts>>;

/**
 * The stored counts with something added. Where `id` differs from the stored session's, another session is counted and
 * its starts and views begin at zero. Anything stored in another shape counts as zero.
 */
export const countedSession = (
  stored: unknown,
  id: string,
  added: { readonly inits?: number; readonly views?: number } = {},
): SessionCounts => {
  const decoded = decode(SessionCounts)(stored);
  const last = isRight(decoded) ? decoded.right : { id: '', sessions: 0, inits: 0, views: 0 };
  const { sessions, inits, views } = last.id === id ? last : { sessions: last.sessions + 1, inits: 0, views: 0 };
  return { id, sessions, inits: inits + (added.inits ?? 0), views: views + (added.views ?? 0) };
};
