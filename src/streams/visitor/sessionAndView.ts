import { DecodeError, object, readAs, shape } from '../../codecs/codecs';
import { NoJson } from '../../hardening/json';
import type { VisitContext } from '../../model/engineCommands';
import type { ClientContext } from '../../model/event';
import { sessionTimeoutMs } from '../../model/pageContext';
import { localKeys } from '../../model/storageKeys';
import type { Tools } from '../../platform/platform';
import { IsoDate, isoText, timeOf } from '../../primitives/isoDate';
import { isUuid, Uuid } from '../../primitives/uuid';

/** A view may go on until this long after its last activity (spec C§9). */
const viewWindowMs = 300_000;
/** Shortest time between two writes of `last_updated`, so that a burst of events costs one write. */
const storeEveryMs = 1000;
const sessionKey = localKeys.session;

/** The session as local storage has it; `last_updated` is ISO 8601 (spec C§3). */
const StoredSession = object(sessionKey, shape({ session_id: Uuid, last_updated: IsoDate }));

export type SessionAndViewDeps = Pick<Tools, 'local' | 'json' | 'now' | 'newId' | 'report'>;

/** What the page was at the Pageview of a view. All events of the view say so, wherever a router has gone since. */
export interface ViewFacts {
  readonly viewId: string;
  readonly client: ClientContext;
  /** The path of the page's address. */
  readonly path: string;
}

/**
 * The latest view of a document, and when its last activity was, in ms since 1970; its beginning is an activity. The
 * visits of the document hand the view on. `facts` are of the latest view that has had a Pageview, which may be the one
 * before.
 */
export interface LastView {
  view: VisitContext['view'] | undefined;
  facts: ViewFacts | undefined;
  at: number;
  /** Addresses with nothing redacted, by the client contexts of events, which have redacted ones. In memory alone. */
  readonly addresses: WeakMap<ClientContext, string>;
}

/** Of a document that has had no view. */
export const noView = (): LastView => ({ view: undefined, facts: undefined, at: 0, addresses: new WeakMap() });

/** The session and the view that events of this moment belong to. */
export interface SessionAndView {
  /** Session and view as the start or the last event has left them. */
  readonly current: () => VisitContext;
  /**
   * Called at each event. Refreshes the session, or begins a new one where it has expired. The view is as young as its
   * last event that is an activity, which its end is not.
   */
  readonly touch: (isActivity?: boolean) => VisitContext;
  /** Begins another page view in the same document, with a new id. */
  readonly openView: () => VisitContext;
  /** The last activity of the view is too long ago for it to go on. */
  readonly isOver: () => boolean;
}

/**
 * The session from local storage, and the view: the one that the visit before has left, where that is not too long
 * ago, else one with the id that the tag gave it (`firstView`). A session that is missing, expired or broken is
 * replaced by a new one at once, and so is an id that is no UUID; the session of a visitor who comes back goes on (spec
 * C§4, C§5). Each event is noted in `last`.
 */
export const sessionAndView = (
  deps: SessionAndViewDeps,
  firstView: string | undefined,
  last: LastView,
): SessionAndView => {
  const { now, newId } = deps;
  const isOver = (): boolean => now() - last.at >= viewWindowMs;
  const newView = (id = newId()): VisitContext['view'] => {
    last.at = now();
    return (last.view = { id, startedAt: last.at });
  };
  // The session id that was written last, and when.
  let stored = { id: '', at: -Infinity };
  let context: VisitContext = {
    session: { id: '', startedAt: now() },
    view: (isOver() ? undefined : last.view) ?? newView(isUuid(firstView) ? firstView : undefined),
  };

  const refreshSession = (): void => {
    // The session is not written again within a second. The absolute value, because a clock that was set back must not
    // stop the writing for long.
    if (stored.id !== '' && Math.abs(now() - stored.at) < storeEveryMs) return;
    const id = readSession(deps) ?? newId();
    if (id !== context.session.id) context = { ...context, session: { id, startedAt: now() } };
    stored = { id, at: now() };
    deps.local.write(sessionKey, deps.json.stringify({ session_id: id, last_updated: isoText(now()) }));
  };
  refreshSession();

  const touch = (isActivity = true): VisitContext => {
    if (isActivity) last.at = now();
    refreshSession();
    return context;
  };

  return {
    current: () => context,
    touch,
    openView: () => (context = { ...context, view: newView() }),
    isOver,
  };
};

/** The id of the stored session, unless it has expired. Read each time, because another tab may have refreshed it. */
const readSession = ({ local, json, now, report }: SessionAndViewDeps): string | undefined => {
  const text = local.read(sessionKey);
  if (text === null) return undefined;
  const parsed = json.parse(text);
  const session = readAs(StoredSession, parsed === NoJson ? undefined : parsed);
  if (session instanceof DecodeError) {
    report(`Failed to initialise session manager: ${session.message}`, session);
    return undefined;
  }
  // The difference is negative where the clock was set back; the session then counts as young.
  return now() - timeOf(session.last_updated) < sessionTimeoutMs ? session.session_id : undefined;
};
