import {
  AnyBoolean,
  AnyNumber,
  AnyString,
  type Codec,
  failure,
  faultsOfFields,
  type Fields,
  isRecord,
  list,
  object,
  type Shape,
  shape,
  table,
  value,
} from './codecs';
import type { QuestionName } from './engineQuestions';
import type { CohortExplanation } from './explanation';
import { type Metric, MetricCodec } from './metric';
import { ownEntry } from './ownFields';

// What the engine's host tells the page. It is not in engineCommands.ts, so that the worker does not load the codec.

/** A membership that was gained (`entry`) or lost; `time` in ms since 1970. */
export interface Transition {
  readonly id: string;
  readonly entry: boolean;
  readonly time: number;
}

/**
 * Who the visitor is to advertisers at one moment: cohort ids, and by platform those of them that are activated there.
 */
export interface Membership {
  readonly members: readonly string[];
  readonly activations: Readonly<Record<string, readonly string[]>>;
}

/**
 * The stored state is loaded and past events are replayed. `transitions` are the cohorts that were entered and left by
 * that. `migrated` says that the stored state was of an older version.
 */
interface Initialised {
  readonly type: 'initialised';
  readonly membership: Membership;
  readonly migrated: boolean;
  readonly transitions: readonly Transition[];
}
interface Changed {
  readonly type: 'changed';
  readonly membership: Membership;
}
interface TransitionsMessage {
  readonly type: 'transitions';
  readonly transitions: readonly Transition[];
}
/** Everything before the barrier of that name has been processed. */
interface BarrierReached {
  readonly type: 'barrierReached';
  readonly name: string;
}
/** The effects of this event, and of all events before it, are in the saved state. */
interface Saved {
  readonly type: 'saved';
  readonly eventId: string;
}
/** An error for `report` on the page, which alone sends reports. */
interface Report {
  readonly type: 'report';
  readonly message: string;
  readonly cause: string;
}
/**
 * A question to the page. `input` has the type that `EngineQuestions` gives for this name; the engine's `Ask` sees to
 * that. The answer carries the same `request`.
 */
interface Ask {
  readonly type: 'ask';
  readonly request: number;
  readonly what: QuestionName;
  readonly input: unknown;
}
/** Answers an `explain` with the same `request`: in words, and in parts. Null where there is no such cohort. */
export interface Explained {
  readonly type: 'explained';
  readonly request: number;
  readonly text: string | null;
  readonly explanation?: CohortExplanation | null;
}
/** All third-party segments that made cohorts true, whenever they change. */
interface Usage {
  readonly type: 'usage';
  readonly usage: readonly { readonly provider: string; readonly id: string }[];
}
/** What was measured since the last message of this kind. */
interface Metrics {
  readonly type: 'metrics';
  readonly items: readonly Metric[];
}

/** Any message of the engine's host to the page. */
export type EngineMessage =
  Initialised | Changed | TransitionsMessage | BarrierReached | Saved | Report | Ask | Explained | Usage | Metrics;

const MembershipCodec = object(
  'Membership',
  shape({ members: list(AnyString), activations: table('activations', list(AnyString)) }),
);
const TransitionList = list(object('Transition', shape({ id: AnyString, entry: AnyBoolean, time: AnyNumber })));
const TextOrNull = value<string | null>('(string | null)', (input) => input === null || typeof input === 'string');
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
const Question = value<QuestionName>('a question', (input) => typeof input === 'string' && Object.hasOwn(names, input));
/** By type, the fields of each message. */
const fieldsOf: Readonly<Record<string, Shape>> = {
  initialised: shape({ membership: MembershipCodec, migrated: AnyBoolean, transitions: TransitionList }),
  changed: shape({ membership: MembershipCodec }),
  transitions: shape({ transitions: TransitionList }),
  barrierReached: shape({ name: AnyString }),
  saved: shape({ eventId: AnyString }),
  report: shape({ message: AnyString, cause: AnyString }),
  ask: shape({ request: AnyNumber, what: Question }),
  explained: shape({ request: AnyNumber, text: TextOrNull }),
  usage: shape({ usage: list(object('usage', shape({ provider: AnyString, id: AnyString }))) }),
  metrics: shape({ items: list(MetricCodec) }),
};

/** Any message. Only the fields of its own type are looked at. */
export const MessageCodec: Codec<EngineMessage> = (input) => {
  const type = isRecord(input) ? input['type'] : undefined;
  const fields = typeof type === 'string' ? ownEntry(fieldsOf, type) : undefined;
  return fields ? faultsOfFields(fields, input as Fields) : failure('FromHost');
};
