import * as t from 'io-ts';
import { ClientContext, Event } from './event';

// The conversation between the page and the engine's host. Both sides decode what they receive: a worker's
// messages cross a boundary like any other.

const Moment = t.strict({ id: t.string, startedAt: t.number }, 'Moment');

/** Session and view of this moment, as the engine's session and view cells need them. */
export const VisitContext = t.strict({ session: Moment, view: Moment }, 'VisitContext');
export type VisitContext = t.TypeOf<typeof VisitContext>;

const tagged = <Tag extends string, P extends t.Props>(type: Tag, props: P) => t.strict({ type: t.literal(type), ...props }, type);

const Start = tagged('start', {
  userId: t.string,
  /** The event-source id of a browser that has none yet. */
  newSourceId: t.string,
  workspaceId: t.string,
  client: ClientContext,
  /** The project has lookalike models to ask for. */
  hasModels: t.boolean,
  context: VisitContext,
  cacheLimitBytes: t.number,
  cacheTtlDays: t.union([t.number, t.null]),
  /** Accepted by the last page, which went away before the engine had saved what they changed. */
  unsaved: t.array(Event),
  /** Local storage has events or state of a visit that could not use the encrypted store. */
  leftBehind: t.boolean,
});
const Track = tagged('track', { event: Event });
const Context = tagged('context', { context: VisitContext });
/** Answered with the same mark once everything before it has been processed. */
const Mark = tagged('mark', { mark: t.string });
/** The page may be going away: save now. */
const Flush = tagged('flush', {});
/** Answers an `ask`. */
const Answer = tagged('answer', { request: t.number, value: t.unknown, error: t.union([t.strict({ name: t.string, message: t.string }), t.null]) });
/** Why a query holds or does not, in words; answered by `explained`. */
const Explain = tagged('explain', { request: t.number, id: t.string });

export const ToHost = t.union([Start, Track, Context, Mark, Flush, Answer, Explain], 'ToHost');
export type ToHost = t.TypeOf<typeof ToHost>;
export type Start = t.TypeOf<typeof Start>;

export const Transition = t.strict({ id: t.string, entry: t.boolean, time: t.number }, 'Transition');
export type Transition = Readonly<t.TypeOf<typeof Transition>>;

/** Who the visitor is to advertisers now: cohort ids, and per platform those activated there. */
export const Membership = t.strict({ members: t.array(t.string), activations: t.record(t.string, t.array(t.string)) }, 'Membership');
export type Membership = Readonly<t.TypeOf<typeof Membership>>;

/** Bootstrap and replay are done. */
const Initialised = tagged('initialised', { membership: Membership });
const Changed = tagged('changed', { membership: Membership });
const Transitions = tagged('transitions', { transitions: t.array(Transition) });
const Marked = tagged('marked', { mark: t.string });
/** Everything up to this event is in the saved state. */
const Saved = tagged('saved', { eventId: t.string });
const Report = tagged('report', { message: t.string, cause: t.string });
/** What a worker cannot do itself: the page's local storage, and server calls with the page's settings. */
const AskName = t.keyof({ read: null, write: null, stateSync: null, liftEvents: null, liftQueries: null, binaryModels: null, jsonModels: null });
export type AskName = t.TypeOf<typeof AskName>;
const Ask = tagged('ask', { request: t.number, what: AskName, input: t.unknown });
const Explained = tagged('explained', { request: t.number, text: t.union([t.string, t.null]) });

export const FromHost = t.union([Initialised, Changed, Transitions, Marked, Saved, Report, Ask, Explained], 'FromHost');
export type FromHost = t.TypeOf<typeof FromHost>;
