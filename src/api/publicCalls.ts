import { type Observable, ReplaySubject, Subject } from 'rxjs';

import type { Explained } from '../model/engineCommands';
import type { Event, EventDraft } from '../model/event';
import type { IdentifyCall } from '../model/identity';

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
  /**
   * Called once: with the words, or with null where there is no such cohort or no consent. Where the engine was asked,
   * its answer comes with them; they begin with its text.
   */
  readonly tell: (words: string | null, answer?: Explained) => void;
}

/**
 * Calls of the public methods as streams. The streams are hot: a call that nobody listens to is lost, except for the
 * latest start of each addon. The functions feed the streams.
 */
export type PublicCalls = ReturnType<typeof publicCalls>;

/** A hot stream, and the function that feeds it. */
const fed = <A>(): readonly [call$: Observable<A>, feed: (call: A) => void] => {
  const call$ = new Subject<A>();
  return [call$, (call) => call$.next(call)];
};

/** Makes the streams and the functions that feed them, once for the page. */
export const publicCalls = () => {
  const recheck$ = new Subject<void>();
  const [track$, track] = fed<TrackCall>();
  const [identify$, identify] = fed<IdentifyCall>();
  const [consent$, giveConsent] = fed<unknown>();
  const [reset$, reset] = fed<() => void>();
  const [explain$, explain] = fed<ExplainCall>();
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
    /** Calls of `track`, in their order. */
    track$,
    /** Calls of `identify` whose argument can be used. */
    identify$,
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
