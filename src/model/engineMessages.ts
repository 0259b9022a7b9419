import * as t from 'io-ts';

import type { QuestionName } from './engineQuestions';
import { Metric } from './metric';

// What the engine's host tells the page. It is not in engineCommands.ts, so that each side loads only the codecs of the
// messages that it receives.

const tagged = <Tag extends string, P extends t.Props>(type: Tag, props: P) =>
  t.strict({ type: t.literal(type), ...props }, type);

/** A membership that was gained (`entry`) or lost; `time` in ms since 1970. */
export const Transition = t.strict({ id: t.string, entry: t.boolean, time: t.number }, 'Transition');
export type Transition = Readonly<t.TypeOf<typeof Transition>>;

/**
 * Who the visitor is to advertisers at one moment: cohort ids, and by platform those of them that are activated there.
 */
export const Membership = t.strict(
  { members: t.array(t.string), activations: t.record(t.string, t.array(t.string)) },
  'Membership',
);
export type Membership = Readonly<t.TypeOf<typeof Membership>>;

/**
 * The stored state is loaded and past events are replayed. `transitions` are the cohorts that were entered and left by
 * that. `migrated` says that the stored state was of an older version.
 */
const Initialised = tagged('initialised', {
  membership: Membership,
  migrated: t.boolean,
  transitions: t.array(Transition),
});
const Changed = tagged('changed', { membership: Membership });
const Transitions = tagged('transitions', { transitions: t.array(Transition) });
/** Everything before the barrier of that name has been processed. */
const BarrierReached = tagged('barrierReached', { name: t.string });
/** The effects of this event, and of all events before it, are in the saved state. */
const Saved = tagged('saved', { eventId: t.string });
/** An error for `report` on the page, which alone sends reports. */
const Report = tagged('report', { message: t.string, cause: t.string });
/** The names of `EngineQuestions` as values, which the compiler keeps complete. */
const names: { readonly [Name in QuestionName]: null } = {
  read: null,
  write: null,
  stateSync: null,
  liftEvents: null,
  liftQueries: null,
  binaryModels: null,
  jsonModels: null,
};
/**
 * A question to the page. `input` has the type that `EngineQuestions` gives for this name; the engine's `Ask` sees to
 * that. The answer carries the same `request`.
 */
const Ask = tagged('ask', { request: t.number, what: t.keyof(names), input: t.unknown });
/** Answers an `explain` with the same `request`; null where there is no such cohort. */
const Explained = tagged('explained', { request: t.number, text: t.union([t.string, t.null]) });
/** All third-party segments that made cohorts true, whenever they change. */
const Usage = tagged('usage', { usage: t.array(t.strict({ provider: t.string, id: t.string })) });
/** What was measured since the last message of this kind. */
const Metrics = tagged('metrics', { items: t.array(Metric) });

/** Any message of the engine's host to the page. The page decodes it. */
export const EngineMessage = t.union(
  [Initialised, Changed, Transitions, BarrierReached, Saved, Report, Ask, Explained, Usage, Metrics],
  'FromHost',
);
export type EngineMessage = t.TypeOf<typeof EngineMessage>;
