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
  shape,
  table,
  type TypeOf,
  value,
} from '../codecs/codecs';
import { ownEntry } from '../hardening/ownFields';
import type { Failure, QuestionName } from './engineQuestions';
import type { CohortExplanation } from './explanation';
import { Metric } from './metric';

// What the engine's host tells the page. The messages are not in engineCommands.ts, so that the worker does not load
// the codec.

/** A membership that was gained (`entry`) or lost; `time` in ms since 1970. */
export interface Transition {
  readonly id: string;
  readonly entry: boolean;
  readonly time: number;
}
const Transitions = list(
  object<Transition>('Transition', shape({ id: AnyString, entry: AnyBoolean, time: AnyNumber })),
);

/**
 * Who the visitor is to advertisers at one moment: cohort ids, and by platform those of them that are activated there.
 */
export interface Membership {
  readonly members: readonly string[];
  readonly activations: Readonly<Record<string, readonly string[]>>;
}
const Membership = object<Membership>(
  'Membership',
  shape({ members: list(AnyString), activations: table('activations', list(AnyString)) }),
);

/**
 * By cohort that the visitor is in, how it ends if nothing happens: with the view, with the session, or `at` a time in
 * ms since 1970, whichever is first. A cohort that does not end by itself is left out.
 */
export type CohortEnds = Readonly<Record<string, { readonly scope?: 'view' | 'session'; readonly at?: number }>>;

/** The names of `EngineQuestions` as values, which the compiler keeps complete. */
const questionNames: { readonly [Name in QuestionName]: null } = {
  read: null,
  write: null,
  stateSync: null,
  liftEvents: null,
  liftQueries: null,
  binaryModels: null,
  jsonModels: null,
};
const Question = value<QuestionName>(
  'a question',
  (input) => typeof input === 'string' && Object.hasOwn(questionNames, input),
);
const UsageMessage = object('usage', shape({ provider: AnyString, id: AnyString }));
/** By type, what each message has beside its type. All else that concerns messages follows from this table. */
const messages = {
  /** The stored state is loaded and past events are replayed. */
  initialised: shape(
    {
      membership: Membership,
      /** The stored state was of an older version. */
      migrated: AnyBoolean,
      /** The transitions that no event has told: those of the replay, and those that earlier pages left. */
      transitions: Transitions,
    },
    {
      /** Earlier pages may have told some of the transitions, because their journal could not be read. */
      mayBeTold: AnyBoolean,
    },
  ),
  /** The visitor's history could not be read yet, which `text` says. `initialised` follows once it could. */
  unread: shape({ text: AnyString }),
  changed: shape({ membership: Membership }),
  transitions: shape({ transitions: Transitions }),
  /** Everything before the barrier of that name has been processed. */
  barrierReached: shape({ name: AnyString }),
  /**
   * Of each page that has told the engine of events: the last one whose effects are in the saved state, with those of
   * all events before it of its page.
   */
  saved: shape({ until: table('until', AnyNumber) }),
  /** An error for `report` on the page, which alone sends reports. */
  report: shape({ message: AnyString, cause: AnyString }),
  /** A question to the page. The answer carries the same `request`. */
  ask: shape({ request: AnyNumber, what: Question }),
  /** Answers an `explain` with the same `request`: in words, and in parts. Null where there is no such cohort. */
  explained: shape({
    request: AnyNumber,
    text: value('(string | null)', (input) => input === null || typeof input === 'string'),
  }),
  /** All third-party segments that made cohorts true, whenever they change. */
  usage: shape({ usage: list(UsageMessage) }),
  /** When cohorts of the visitor end by themselves, at each change of that. */
  ends: shape({}),
  /** The engine has lookalike models, and they are others than those of before. */
  models: shape({}),
  /** What was measured since the last message of this kind. */
  metrics: shape({ items: list(Metric) }),
};
type Messages = typeof messages;

/** By type, fields that are taken as they are: page and engine are of one build. */
interface Unchecked {
  readonly report: {
    /** Why the page could not answer a question; null for all other errors. */
    readonly kind: Failure['kind'] | null;
  };
  readonly ask: {
    /** Has the type that `EngineQuestions` gives for the question's name; the engine's `Ask` sees to that. */
    readonly input: unknown;
  };
  readonly ends: { readonly ends: CohortEnds };
  readonly explained: {
    readonly explanation?: CohortExplanation | null;
    /** How many of the events of the question the engine has not counted. */
    readonly waiting: number;
  };
}
/** A message of one type. */
type MessageOf<Type extends keyof Messages> = { readonly type: Type } & TypeOf<Messages[Type]> &
  (Type extends keyof Unchecked ? Unchecked[Type] : unknown);
export type Explained = MessageOf<'explained'>;
export type Unread = MessageOf<'unread'>;

/** Any message of the engine's host to the page. */
export type EngineMessage = { readonly [Type in keyof Messages]: MessageOf<Type> }[keyof Messages];

/** Any message. Only the fields of its own type are looked at. */
export const MessageCodec: Codec<EngineMessage> = (input) => {
  const type = isRecord(input) ? input['type'] : undefined;
  const fields = typeof type === 'string' ? ownEntry(messages, type) : undefined;
  return fields ? faultsOfFields(fields, input as Fields) : failure('FromHost');
};
