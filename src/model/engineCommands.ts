import * as t from 'io-ts';

import { Failure } from './engineQuestions';
import { ClientContext, Event, Properties } from './event';

export type { EngineMessage, Membership, Transition } from './engineMessages';

// The conversation between the page and the engine's host. Both sides decode what they receive: a worker's
// messages cross a boundary like any other.

const Moment = t.strict({ id: t.string, startedAt: t.number }, 'Moment');

/** Session and view of this moment, as the engine's session and view cells need them. */
export const VisitContext = t.strict({ session: Moment, view: Moment }, 'VisitContext');
export type VisitContext = t.TypeOf<typeof VisitContext>;

const tagged = <Tag extends string, P extends t.Props>(type: Tag, props: P) =>
  t.strict({ type: t.literal(type), ...props }, type);

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
/** Answered with `barrierReached` once everything before it has been processed. */
const Barrier = tagged('barrier', { name: t.string });
/** The page may be going away: save now. */
const Flush = tagged('flush', {});
/** Answers an `ask`. */
const Answer = tagged('answer', {
  request: t.number,
  value: t.unknown,
  error: t.union([Failure, t.null]),
});
/** Why a query holds or does not, in words; answered by `explained`. */
const Explain = tagged('explain', { request: t.number, id: t.string });
/** Data that queries ask for, by the name of the lookup, once the page has it; what is absent stays as it was. */
export type Data = Readonly<Partial<Record<'geo' | 'classification' | 'user' | 'thirdParty' | 'secondParty', unknown>>>;
const Data: t.Type<Data> = Properties;
const Provide = tagged('data', { patch: Data });

export const EngineCommand = t.union([Start, Track, Context, Barrier, Flush, Answer, Explain, Provide], 'ToHost');
export type EngineCommand = t.TypeOf<typeof EngineCommand>;
export type Start = t.TypeOf<typeof Start>;
