import * as t from 'io-ts';

import type { QuestionName } from './engineQuestions';
import { Metric } from './metric';

// What the engine's host tells the page. It is not in engineCommands.ts, so that each side loads only the codecs of the
// messages that it receives.

const tagged = <Tag extends string, P extends t.Props>(type: Tag, props: P) =>
  t.strict({ type: t.literal(type), ...props }, type);

export const Transition = t.strict({ id: t.string, entry: t.boolean, time: t.number }, 'Transition');
export type Transition = Readonly<t.TypeOf<typeof Transition>>;

/** Who the visitor is to advertisers now: cohort ids, and per platform those activated there. */
export const Membership = t.strict(
  { members: t.array(t.string), activations: t.record(t.string, t.array(t.string)) },
  'Membership',
);
export type Membership = Readonly<t.TypeOf<typeof Membership>>;

/**
 * The stored state is evaluated and past events are replayed. `transitions`: the cohorts entered and left by that.
 * `migrated`: the stored state was of an older version.
 */
const Initialised = tagged('initialised', {
  membership: Membership,
  migrated: t.boolean,
  transitions: t.array(Transition),
});
const Changed = tagged('changed', { membership: Membership });
const Transitions = tagged('transitions', { transitions: t.array(Transition) });
const BarrierReached = tagged('barrierReached', { name: t.string });
/** Everything up to this event is in the saved state. */
const Saved = tagged('saved', { eventId: t.string });
const Report = tagged('report', { message: t.string, cause: t.string });
const names: { readonly [Name in QuestionName]: null } = {
  read: null,
  write: null,
  stateSync: null,
  liftEvents: null,
  liftQueries: null,
  binaryModels: null,
  jsonModels: null,
};
/** A question to the page. `input` is as `EngineQuestions` has it for this name: the engine's `Ask` sees to that. */
const Ask = tagged('ask', { request: t.number, what: t.keyof(names), input: t.unknown });
const Explained = tagged('explained', { request: t.number, text: t.union([t.string, t.null]) });
/** All third-party segments that made cohorts true, whenever they change. */
const Usage = tagged('usage', { usage: t.array(t.strict({ provider: t.string, id: t.string })) });
/** Metrics since the last such message. */
const Metrics = tagged('metrics', { items: t.array(Metric) });

export const EngineMessage = t.union(
  [Initialised, Changed, Transitions, BarrierReached, Saved, Report, Ask, Explained, Usage, Metrics],
  'FromHost',
);
export type EngineMessage = t.TypeOf<typeof EngineMessage>;
