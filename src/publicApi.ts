import { filter, ignoreElements, map, type Observable, tap } from 'rxjs';
import { listenersOf } from './listeners';
import { codeOf, isStandard } from './model/cohort';
import { type Cohorts, codesFor } from './model/cohorts';
import type { Event } from './model/event';
import type { PageProject } from './model/project';
import type { Transition } from './model/protocol';
import type { Report } from './model/report';
import type { PageContext, Signal, Stage } from './model/signal';
import type { PublicCalls } from './streams/publicCalls';

export interface PublicApiDeps {
  /** Hot. */
  readonly signal$: Observable<Signal>;
  readonly calls: PublicCalls;
  readonly project: Pick<PageProject, 'platformCohorts' | 'cohortCodes'>;
  readonly addonNames: readonly string[];
  readonly report: Report;
  readonly now: () => number;
  /** Dispatches a CustomEvent on `window`. */
  readonly dispatch: (name: string, detail: unknown) => void;
}

/** The object that publishers see: its methods, its live properties, and the stream that keeps them current. */
export interface PublicApi {
  readonly methods: Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;
  readonly addons: Readonly<Record<string, unknown>>;
  readonly context: () => Partial<PageContext>;
  readonly streams: Readonly<Record<'cohorts$' | 'transitions$' | 'events$', Observable<unknown>>>;
  /** Tells the page what happens. Subscribed by whoever starts the SDK, for as long as it lives. */
  readonly run$: Observable<never>;
}

const nobody: Cohorts = { members: [], activations: {}, own: false };
const eventName = /^\w+$/;
/** Names under which publishers know platforms. */
const platformAliases: Readonly<Record<string, string>> = { appnexus: 'appnexus_adserver', rubicon: 'rubicon_ssp' };

const groups: Readonly<Record<string, (id: string) => boolean>> = {
  all: () => true,
  ql: () => true,
  standard: isStandard,
  qlStandard: isStandard,
  custom: (id) => !isStandard(id),
  qlCustom: (id) => !isStandard(id),
};

interface TrackOptions {
  readonly success: (event: Event) => void;
  readonly error: (errors: readonly string[]) => void;
}

/** Makes the public object. No method throws into the page; what is wrong with its arguments is reported by place and type (spec C§4). */
export const publicApi = (deps: PublicApiDeps): PublicApi => {
  const { signal$, calls, report, project, now } = deps;
  let cohorts = nobody;
  let context: (() => PageContext) | undefined;
  const stages = new Set<Stage>();
  let awaiting: readonly { readonly stage: Stage; readonly go: () => void }[] = [];
  const tracked = new Map<string, { readonly event: Event } & TrackOptions>();
  const addons: Record<string, unknown> = {};
  const listeners = listenersOf(report);

  /** The page's function, guarded; nothing where it gave none. */
  const callback = (method: string, index: number, value: unknown): ((...values: readonly unknown[]) => void) => {
    if (typeof value === 'function') return guarded(`Function permutive.${method} caused an error`, value as (...values: readonly unknown[]) => unknown, report);
    if (value !== undefined && value !== null) wrong(method, `${index}: expected a function`);
    return () => undefined;
  };
  const wrong = (method: string, what: string): void => report(`Function permutive.${method} caused an error`, new Error(`${method}/${what}`));
  const cohortId = (method: string, code: unknown): string => {
    if (typeof code === 'number' || typeof code === 'string') return String(code);
    wrong(method, '0: expected a cohort code');
    return '';
  };
  const isMember = (id: string): boolean => cohorts.members.includes(id);
  const answer = <A>(value: A, tell: (value: A) => void): Promise<A> => {
    tell(value);
    return Promise.resolve(value);
  };
  const codes = (type: string): readonly (number | string)[] => {
    const group = Object.hasOwn(groups, type) ? groups[type] : undefined;
    if (group) return cohorts.members.filter(group).map(codeOf);
    const platform = Object.hasOwn(platformAliases, type) ? platformAliases[type] : undefined;
    return codesFor(platform ?? type, cohorts, project).map(codeOf);
  };

  const methods: PublicApi['methods'] = {
    addon: (name, options) => {
      if (typeof name !== 'string' || !deps.addonNames.includes(name)) {
        report('Does not exist', new Error(`permutive.addon(${typeof name === 'string' ? name : typeof name})`));
        return;
      }
      addons[name] ??= { name };
      calls.startAddon(name, options);
    },
    track: (name, properties, options) => track(name, properties, options),
    trigger: (code, type, onChange) => {
      if (type !== 'result') wrong('trigger', '1: expected "result"');
      return listeners.onTransition(cohortId('trigger', code), callback('trigger', 2, onChange));
    },
    query: (code, type, onResult) => {
      if (type !== 'result') wrong('query', '1: expected "result"');
      callback('query', 2, onResult)({ result: isMember(cohortId('query', code)) });
    },
    segment: (code, onResult) => answer(isMember(cohortId('segment', code)), callback('segment', 1, onResult)),
    segments: (onResult, type = 'all') => {
      if (typeof type !== 'string') wrong('segments', '1: expected a group or platform');
      return answer(codes(typeof type === 'string' ? type : 'all'), callback('segments', 0, onResult));
    },
    ready: (onReady, stage = 'initialised') =>
      new Promise<void>((resolve) => {
        if (stage !== 'initialised' && stage !== 'realtime') wrong('ready', '1: expected "initialised" or "realtime"');
        const tell = callback('ready', 0, onReady);
        const go = (): void => {
          tell();
          resolve();
        };
        const wanted: Stage = stage === 'realtime' ? 'realtime' : 'initialised';
        if (stages.has(wanted)) go();
        else awaiting = [...awaiting, { stage: wanted, go }];
      }),
    on: (name, onEvent) => listeners.on(name, callback('on', 1, onEvent), false),
    once: (name, onEvent) => listeners.on(name, callback('once', 1, onEvent), true),
    user: (onUser) => answer(context?.().user_id ?? null, callback('user', 0, onUser)),
    consent: (consent) => calls.giveConsent(consent),
    reset: () => new Promise<void>((resolve) => calls.reset(resolve)),
  };

  const track = (name: unknown, properties: unknown, options: unknown): Promise<Event | null> =>
    new Promise((resolve) => {
      const { success, error } = (typeof options === 'object' && options !== null ? options : {}) as Partial<Record<keyof TrackOptions, unknown>>;
      const onError = callback('track', 2, error);
      if (typeof name !== 'string' || !eventName.test(name)) {
        wrong('track', '0: expected an event name of letters, digits and _');
        onError(['Invalid event name']);
        return resolve(null);
      }
      const isObject = typeof properties === 'object' && properties !== null && !Array.isArray(properties);
      if (!isObject && properties !== undefined && properties !== null) wrong('track', '1: expected an object');
      calls.track({
        draft: { name, properties: isObject ? (properties as Record<string, unknown>) : {} },
        accepted: (event) => {
          if (event !== null) tracked.set(event.id, { event, success: callback('track', 2, success), error: onError });
          resolve(event);
        },
      });
    });

  const reach = (stage: Stage): void => {
    stages.add(stage);
    const due = awaiting.filter((waiting) => waiting.stage === stage);
    awaiting = awaiting.filter((waiting) => waiting.stage !== stage);
    for (const { go } of due) go();
    announce(stage === 'initialised' ? 'permutive:ready' : 'permutive:realtime');
  };
  const announce = (name: string): void => {
    listeners.event({ name, time: new Date(now()).toISOString() });
    deps.dispatch(name, {});
  };

  const hear = (signal: Signal): void => {
    switch (signal.type) {
      case 'visit':
        context = signal.context;
        return;
      case 'stage':
        return reach(signal.stage);
      case 'event':
        return listeners.event(signal.event);
      case 'cohorts':
        cohorts = signal.cohorts;
        return;
      case 'transition':
        return listeners.transition(signal.transition);
      case 'delivery': {
        const waiting = tracked.get(signal.id);
        tracked.delete(signal.id);
        if (signal.error === undefined) waiting?.success(waiting.event);
        else waiting?.error([signal.error]);
        return;
      }
      case 'consent':
        if (!signal.given) {
          cohorts = nobody;
          context = undefined;
          tracked.clear();
          listeners.forget();
        }
        announce(signal.given ? 'consent-given' : 'consent-revoked');
    }
  };

  const only = <Type extends Signal['type']>(type: Type): Observable<Extract<Signal, { type: Type }>> =>
    signal$.pipe(filter((signal): signal is Extract<Signal, { type: Type }> => signal.type === type));

  return {
    methods,
    addons,
    context: () => context?.() ?? {},
    streams: {
      cohorts$: only('cohorts').pipe(map(({ cohorts: { members } }) => members.map(codeOf))),
      transitions$: only('transition').pipe(map(({ transition }): Transition => transition)),
      events$: only('event').pipe(map(({ event }) => event)),
    },
    run$: signal$.pipe(tap(hear), ignoreElements()),
  };
};

const guarded =
  (message: string, action: (...values: readonly unknown[]) => unknown, report: Report) =>
  (...values: readonly unknown[]): void => {
    try {
      action(...values);
    } catch (error) {
      report(message, error);
    }
  };
