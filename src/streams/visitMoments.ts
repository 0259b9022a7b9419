import { isRight } from 'fp-ts/Either';
import * as t from 'io-ts';
import type { Settings } from '../model/config';
import { decode } from '../model/decode';
import { IsoDate } from '../model/isoDate';
import { type Json, NoJson } from '../model/json';
import type { VisitContext } from '../model/protocol';
import { Uuid } from '../model/uuid';
import type { Report } from '../model/report';
import type { TextStorage } from '../platform/platform';

/** A session ends after half an hour without an event (spec C§9). */
const sessionTimeoutMs = 1_800_000;
/** `last_updated` is stored this often at most: a burst of events is one visit to local storage. */
const storeEveryMs = 1000;
const sessionKey = 'permutive-session';

const StoredSession = t.type({ session_id: Uuid, last_updated: IsoDate }, 'permutive-session');

export interface MomentsDeps {
  readonly local: TextStorage;
  readonly json: Json;
  readonly setting: Settings;
  readonly now: () => number;
  readonly newId: () => string;
  readonly report: Report;
}

/** The session and the view that events of this moment belong to. */
export interface VisitMoments {
  readonly current: () => VisitContext;
  /** Something happened: the session goes on, or a new one begins. */
  readonly touch: () => VisitContext;
  /** Another page view in the same document. */
  readonly openView: () => VisitContext;
}

/** Session from local storage, view from the tag's `viewId`; new ones where those are missing, expired or broken (spec C§4). */
export const visitMoments = (deps: MomentsDeps, firstView: string | undefined): VisitMoments => {
  const { now, newId } = deps;
  const view = (id = newId()): VisitContext['view'] => ({ id, startedAt: now() });
  let stored = { id: '', at: -Infinity };
  let context: VisitContext = { session: { id: '', startedAt: now() }, view: view(Uuid.is(firstView) ? firstView : undefined) };

  const touch = (): VisitContext => {
    // A clock set back makes a session young, never expired.
    if (stored.id !== '' && Math.abs(now() - stored.at) < storeEveryMs) return context;
    const id = readSession(deps) ?? newId();
    if (id !== context.session.id) context = { ...context, session: { id, startedAt: now() } };
    stored = { id, at: now() };
    deps.local.write(sessionKey, deps.json.stringify({ session_id: id, last_updated: new Date(now()).toISOString() }));
    return context;
  };

  return {
    current: () => context,
    touch,
    openView: () => (context = { ...context, view: view() }),
  };
};

/** The stored session while it lasts. Read again each time: another tab may have kept it alive. */
const readSession = ({ local, json, now, report }: MomentsDeps): string | undefined => {
  const text = local.read(sessionKey);
  if (text === null) return undefined;
  const parsed = json.parse(text);
  const session = decode(StoredSession)(parsed === NoJson ? undefined : parsed);
  if (isRight(session)) return now() - Date.parse(session.right.last_updated) < sessionTimeoutMs ? session.right.session_id : undefined;
  report(`Failed to initialise session manager: ${session.left.message}`, session.left);
  return undefined;
};
