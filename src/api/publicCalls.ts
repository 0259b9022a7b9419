import { defer, merge, type Observable, ReplaySubject, Subject } from 'rxjs';

import type { Answered } from '../model/answered';
import type { Explained, Unread } from '../model/engineCommands';
import type { Event, EventDraft } from '../model/event';
import type { UnreadIdentifyCall } from '../model/identity';

/** A call of `permutive.track`. */
export interface TrackCall {
  /** The event that the page wants tracked, without id, time and context. */
  readonly draft: EventDraft;
  /** Called once: with the event, or with null when it was not taken. */
  readonly accepted: (event: Event | null) => void;
}

/** A call of `permutive.explain`. */
export interface ExplainCall {
  /** The cohort's id. */
  readonly id: string;
  /** Called once: with the words, or null where nobody knows the cohort or there is no consent; with their parts. */
  readonly done: (words: string | null, answer?: ExplainAnswer) => void;
  /** Who asks does not wait longer for the engine, in ms. Absent: the call is answered once the engine answers. */
  readonly patienceMs?: number;
}

/** What the answer to a call of `explain` says, in parts. */
export interface ExplainAnswer {
  /** What the engine says; undefined where it has not answered in time. */
  readonly said: Explained | Unread | undefined;
  /** What services say. */
  readonly reasons: readonly string[];
  /** How many accepted events no engine of the visitor has counted. */
  readonly waiting: Answered<number>;
}

/**
 * Calls of the public methods as streams, and functions that feed them. The streams are hot: a call that nobody listens
 * to is lost, except for the latest start of each addon, and for calls of `identify` and `explain` without an answer.
 */
export type PublicCalls = ReturnType<typeof publicCalls>;

/** A hot stream, and the function that feeds it. */
const fed = <A>(): readonly [call$: Observable<A>, feed: (call: A) => void] => {
  const call$ = new Subject<A>();
  return [call$, (call) => call$.next(call)];
};

/**
 * A hot stream of calls that each await an answer, the function that feeds it, and one that answers all calls that
 * await one still. A late subscriber also gets these: the visit that was asked may have ended before it could answer.
 */
const answered = <Answer extends readonly unknown[], Call extends { readonly done: (...answer: Answer) => void }>(): [
  call$: Observable<Call>,
  feed: (call: Call) => void,
  answerAll: (...answer: Answer) => void,
] => {
  const [new$, feed] = fed<Call>();
  const waiting = new Set<Call>();
  const ask = (given: Call): void => {
    const done = (...answer: Answer): void => {
      waiting.delete(call);
      given.done(...answer);
    };
    const call: Call = { ...given, done };
    waiting.add(call);
    feed(call);
  };
  return [defer(() => merge([...waiting], new$)), ask, (...answer) => waiting.forEach(({ done }) => done(...answer))];
};

/** Makes the streams and the functions that feed them, once for the page. */
export const publicCalls = () => {
  const recheck$ = new Subject<void>();
  const beforeRequest$ = new Subject<void>();
  const [track$, track] = fed<TrackCall>();
  const [identify$, identify, answerIdentify] = answered<Parameters<UnreadIdentifyCall['done']>, UnreadIdentifyCall>();
  const [explain$, explain] = answered<Parameters<ExplainCall['done']>, ExplainCall>();
  const [consent$, giveConsent] = fed<unknown>();
  const [reset$, reset] = fed<() => void>();
  const addons = new Map<string, ReplaySubject<unknown>>();
  const instances: Record<string, object> = {};
  /** Adds methods to an addon's instance. The object stays the same, because pages keep references to it. */
  const expose = (name: string, methods: object): void => void Object.assign((instances[name] ??= { name }), methods);
  const startsOf = (name: string): ReplaySubject<unknown> => {
    const options$ = addons.get(name) ?? new ReplaySubject<unknown>(1);
    addons.set(name, options$);
    return options$;
  };
  return {
    /** Emits before the SDK does something for the page, which may have changed what it requires meanwhile. */
    recheck$: recheck$ as Observable<void>,
    recheck: (): void => recheck$.next(),
    /** Emits before a request leaves, because another page may have changed what the pages of the site share. */
    beforeRequest$: beforeRequest$ as Observable<void>,
    beforeRequest: (): void => beforeRequest$.next(),
    /** Calls of `track`, in their order. */
    track$,
    /** Calls of `identify`. */
    identify$,
    /** Answers the calls of `identify` that have no answer yet with null: they are about another visitor. */
    dropIdentify: (): void => answerIdentify(null),
    /** Arguments of `consent`, as the page gave them. */
    consent$,
    /** Calls of `reset`; each value is to be called when the new visit is initialised. */
    reset$,
    /** Calls of `explain`. */
    explain$,
    /**
     * Options of each start of an addon. A late subscriber gets the latest start again, because a started addon also
     * runs in later visits.
     */
    addon: (name: string): Observable<unknown> => startsOf(name),
    /** `permutive.addons`: the instances of started addons by name. */
    instances: instances as Readonly<Record<string, object>>,
    ...{ track, identify, giveConsent, reset, explain, expose },
    /** Starts an addon, or gives a running one new options. */
    startAddon: (name: string, options: unknown): void => {
      expose(name, {});
      startsOf(name).next(options);
    },
  };
};
