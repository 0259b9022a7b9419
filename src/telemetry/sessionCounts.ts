import { AnyNumber, AnyString, object, readOr, shape, type TypeOf } from '../codecs/codecs';

/** Numbers of sessions in this browser, and of SDK starts and page views in the current session. */
const SessionCounts = object(
  'SessionCounts',
  shape({
    /** Id of the current session. */
    id: AnyString,
    sessions: AnyNumber,
    inits: AnyNumber,
    views: AnyNumber,
  }),
);
export type SessionCounts = TypeOf<typeof SessionCounts>;

/**
 * The stored counts with something added. Where `id` differs from the stored session's, another session is counted and
 * its starts and views begin at zero. Anything stored in another shape counts as zero.
 */
export const countedSession = (
  stored: unknown,
  id: string,
  added: { readonly inits?: number; readonly views?: number } = {},
): SessionCounts => {
  const none: SessionCounts = { id: '', sessions: 0, inits: 0, views: 0 };
  const last = readOr(SessionCounts, stored, none, () => undefined);
  const { sessions, inits, views } = last.id === id ? last : { sessions: last.sessions + 1, inits: 0, views: 0 };
  return { id, sessions, inits: inits + (added.inits ?? 0), views: views + (added.views ?? 0) };
};
