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
export interface PublicCalls {
  /** Emits before the SDK does something for the page, which may have changed what it requires meanwhile. */
  readonly recheck$: Observable<void>;
  /** Calls of `track`, in their order. */
  readonly track$: Observable<TrackCall>;
  /** Calls of `identify` whose argument can be used. */
  readonly identify$: Observable<IdentifyCall>;
  /** Arguments of `consent`, as the page gave them. */
  readonly consent$: Observable<unknown>;
  /** Calls of `reset`; each value is to be called when the new visit is initialised. */
  readonly reset$: Observable<() => void>;
  /** Calls of `explain`. */
  readonly explain$: Observable<ExplainCall>;
  /**
   * Options of each start of an addon. A late subscriber gets the latest start again, because a started addon also runs
   * in later visits.
   */
  readonly addon: (name: string) => Observable<unknown>;
  /** `permutive.addons`: the instances of started addons by name. */
  readonly instances: Readonly<Record<string, object>>;
  /** Emits in `recheck$`; the functions below do the same for their streams. */
  readonly recheck: () => void;
  readonly track: (call: TrackCall) => void;
  readonly identify: (call: IdentifyCall) => void;
  readonly giveConsent: (consent: unknown) => void;
  readonly reset: (done: () => void) => void;
  readonly explain: (call: ExplainCall) => void;
  /** Starts an addon, or gives a running one new options. */
  readonly startAddon: (name: string, options: unknown) => void;
  /** Adds methods to an addon's instance. The object stays the same, because pages keep references to it. */
  readonly expose: (name: string, methods: object) => void;
}

/** Makes the streams and the functions that feed them, once for the page. */
export const publicCalls = (): PublicCalls => {
  const recheck$ = new Subject<void>();
  const track$ = new Subject<TrackCall>();
  const identify$ = new Subject<IdentifyCall>();
  const consent$ = new Subject<unknown>();
  const reset$ = new Subject<() => void>();
  const explain$ = new Subject<ExplainCall>();
  const addons = new Map<string, ReplaySubject<unknown>>();
  const instances: Record<string, object> = {};
  const expose = (name: string, methods: object): void => void Object.assign((instances[name] ??= { name }), methods);
  const addon = (name: string): ReplaySubject<unknown> => {
    const options$ = addons.get(name) ?? new ReplaySubject<unknown>(1);
    addons.set(name, options$);
    return options$;
  };
  return {
    recheck$,
    track$,
    identify$,
    consent$,
    reset$,
    explain$,
    addon,
    instances,
    expose,
    recheck: () => recheck$.next(),
    track: (call) => track$.next(call),
    identify: (call) => identify$.next(call),
    giveConsent: (consent) => consent$.next(consent),
    reset: (done) => reset$.next(done),
    explain: (call) => explain$.next(call),
    startAddon: (name, options) => {
      expose(name, {});
      addon(name).next(options);
    },
  };
};
