import type { NetworkError } from './errors';

// What the engine asks the page, because a worker cannot do it itself: local storage, and server calls with the page's
// settings of that moment.

/** What a question is asked with, and what its answer is. */
interface Signature<Input, Answer> {
  readonly input: Input;
  readonly answer: Answer;
}

/** An event as cloud lift sends it. The lists of its cohorts stay empty (spec S§7). */
interface UncountedEvent {
  readonly id: string;
  readonly name: string;
  readonly time: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly session_id: string;
  readonly view_id: string;
  readonly cohorts: readonly string[];
  readonly segments: readonly number[];
}

/** What a server call sends beside its address. */
interface CallInput<Body = never> {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: readonly (readonly [name: string, value: string])[];
  readonly body?: Body;
}

/**
 * By name, each question that the engine asks the page. The server calls are those of `src/endpoints`, which decode the
 * answers.
 */
export interface EngineQuestions {
  /** Reads a text of local storage; null where there is none. */
  readonly read: Signature<{ readonly key: string }, string | null>;
  /**
   * Writes a text to local storage; null removes the key. With `before`, only where that is what is stored. Answers
   * whether it was written.
   */
  readonly write: Signature<
    { readonly key: string; readonly text: string | null; readonly before?: string | null },
    boolean
  >;
  /** Exchanges state with the server. `state` is JSON text in both directions. */
  readonly stateSync: Signature<
    CallInput<{
      readonly group_id: string;
      readonly event_source_id: string;
      readonly state: string;
      readonly last_seen_offset: number;
    }>,
    { readonly state: string; readonly state_offset: number }
  >;
  /** Has the server evaluate events for cloud-lifted queries. Answers the state by query. */
  readonly liftEvents: Signature<
    CallInput<{ readonly events: readonly UncountedEvent[] }>,
    { readonly result: { readonly state: Readonly<Record<string, unknown>> } }
  >;
  /** Gets the definitions of cloud-lifted queries, still undecoded. */
  readonly liftQueries: Signature<CallInput, { readonly queries: readonly unknown[] }>;
  readonly binaryModels: Signature<CallInput, ArrayBuffer>;
  /** Gets the lookalike models as JSON, where the binary form cannot be had. */
  readonly jsonModels: Signature<CallInput, unknown>;
}

export type QuestionName = keyof EngineQuestions;
/** What the question of that name is asked with. */
export type InputOf<Name extends QuestionName> = EngineQuestions[Name]['input'];
/** What the question of that name is answered with. */
export type AnswerOf<Name extends QuestionName> = EngineQuestions[Name]['answer'];

/**
 * Why a question could not be answered. Failures cross between threads as words, because the classes of errors do not.
 */
export interface Failure {
  /**
   * `quota`: local storage has no room. `unavailable`: local storage keeps nothing, and only the page's memory has the
   * text. `failed` and `timeout`: a network error of that kind. `status`: the server answered with `status`, 400 or
   * above. `unreadable`: the server's answer does not decode.
   */
  readonly kind: 'quota' | 'unavailable' | NetworkError['kind'] | 'status' | 'unreadable' | 'other';
  readonly status: number | null;
  /** For reports. */
  readonly message: string;
}
