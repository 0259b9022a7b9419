import * as t from 'io-ts';

import { Failure } from './engineQuestions';
import { ClientContext, Event, Properties } from './event';

export type { EngineMessage, Membership, Transition } from './engineMessages';

// What the page tells the engine's host. Both sides decode what they receive, because messages cross between threads.
// Messages in the other direction are in engineMessages.ts.

/** A session or a view, and when it began in ms since 1970. */
const Moment = t.strict({ id: t.string, startedAt: t.number }, 'Moment');

/** The present session and view. Queries may count within either of them. */
export const VisitContext = t.strict({ session: Moment, view: Moment }, 'VisitContext');
export type VisitContext = t.TypeOf<typeof VisitContext>;

const tagged = <Tag extends string, P extends t.Props>(type: Tag, props: P) =>
  t.strict({ type: t.literal(type), ...props }, type);

/** The first message to an engine. */
const Start = tagged('start', {
  userId: t.string,
  /** The event-source id of a browser that has none yet. */
  newSourceId: t.string,
  workspaceId: t.string,
  client: ClientContext,
  /** The project has lookalike models to download. */
  hasModels: t.boolean,
  context: VisitContext,
  cacheLimitBytes: t.number,
  cacheTtlDays: t.union([t.number, t.null]),
  /** Events that the last page accepted, and left before the engine confirmed that their effects were saved. */
  unsaved: t.array(Event),
  /** Local storage holds events or state of a visit that could not use the encrypted store. */
  leftBehind: t.boolean,
});
const Track = tagged('track', { event: Event });
/** Another session or view has begun. It is sent before the first event that belongs to it. */
const Context = tagged('context', { context: VisitContext });
/** Answered with `barrierReached` once everything before it has been processed. */
const Barrier = tagged('barrier', { name: t.string });
/** The page may be going away, so state must be saved at once. */
const Flush = tagged('flush', {});
/** Answers an `ask` of the engine with the same `request`. */
const Answer = tagged('answer', {
  request: t.number,
  value: t.unknown,
  error: t.union([Failure, t.null]),
});
/** Asks why a query holds or does not. Answered in words by `explained` with the same `request`. */
const Explain = tagged('explain', { request: t.number, id: t.string });
/** Data that queries look up, by the name of the lookup. An absent lookup keeps the data that it has. */
export type Data = Readonly<Partial<Record<'geo' | 'classification' | 'user' | 'thirdParty' | 'secondParty', unknown>>>;
const Data: t.Type<Data> = Properties;
const Provide = tagged('data', { patch: Data });

/** Any message of the page to the engine's host. The host decodes it. */
export const EngineCommand = t.union([Start, Track, Context, Barrier, Flush, Answer, Explain, Provide], 'ToHost');
export type EngineCommand = t.TypeOf<typeof EngineCommand>;
export type Start = t.TypeOf<typeof Start>;
