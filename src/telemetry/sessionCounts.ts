import { isRight } from 'fp-ts/Either';
import * as t from 'io-ts';

import { decode } from '../model/decode';

/** Sessions in this browser, and starts of the SDK and page views in the current session. */
const SessionCounts = t.strict({ id: t.string, sessions: t.number, inits: t.number, views: t.number }, 'SessionCounts');
export type SessionCounts = Readonly<t.TypeOf<typeof SessionCounts>>;

/** The stored counts with something added; a session with another id begins at zero. */
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
