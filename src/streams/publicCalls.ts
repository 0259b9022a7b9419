import { type Observable, ReplaySubject, Subject } from 'rxjs';
import type { Event, EventDraft } from '../model/event';

/** A call of `permutive.track`; `accepted` hears the event, or null when it was not taken. */
export interface TrackCall {
  readonly draft: EventDraft;
  readonly accepted: (event: Event | null) => void;
}

/** What publishers ask for through the public object, as streams. */
export interface PublicCalls {
  readonly track$: Observable<TrackCall>;
  readonly consent$: Observable<unknown>;
  readonly reset$: Observable<() => void>;
  /** Options of an addon's start. A late reader hears the latest start again: an addon outlives the visit it began in. */
  readonly addon: (name: string) => Observable<unknown>;
  readonly track: (call: TrackCall) => void;
  readonly giveConsent: (consent: unknown) => void;
  readonly reset: (done: () => void) => void;
  readonly startAddon: (name: string, options: unknown) => void;
}

export const publicCalls = (): PublicCalls => {
  const track$ = new Subject<TrackCall>();
  const consent$ = new Subject<unknown>();
  const reset$ = new Subject<() => void>();
  const addons = new Map<string, ReplaySubject<unknown>>();
  const addon = (name: string): ReplaySubject<unknown> => {
    const options$ = addons.get(name) ?? new ReplaySubject<unknown>(1);
    addons.set(name, options$);
    return options$;
  };
  return {
    track$,
    consent$,
    reset$,
    addon,
    track: (call) => track$.next(call),
    giveConsent: (consent) => consent$.next(consent),
    reset: (done) => reset$.next(done),
    startAddon: (name, options) => addon(name).next(options),
  };
};
