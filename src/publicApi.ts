import { isRight } from 'fp-ts/Either';
import { filter, ignoreElements, map, type Observable, tap } from 'rxjs';
import { type Listeners, listenersOf } from './listeners';
import { codeOf, isStandard } from './model/cohort';
import { codesFor, type CodeTables, type Cohorts } from './model/cohorts';
import { customerIdentities } from './model/identity';
import type { Report } from './model/report';
import type { PageContext, Signal, Stage } from './model/signal';
import { publicArguments } from './publicArguments';
import type { PublicCalls } from './streams/publicCalls';
import { trackCalls } from './trackCalls';

export interface PublicApiDeps {
  /** Hot. */
  readonly signal$: Observable<Signal>;
  readonly calls: PublicCalls;
  readonly project: CodeTables;
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

/** Makes the public object. No method throws into the page (spec C§4). */
export const publicApi = (deps: PublicApiDeps): PublicApi => {
  const { signal$, calls, report, project, now } = deps;
  const given = publicArguments(report);
  const listeners = listenersOf(report);
  const tracking = trackCalls(calls, given);
  const stages = new Set<Stage>();
  let awaiting: readonly { readonly stage: Stage; readonly go: () => void }[] = [];
  let cohorts = nobody;
  let context: (() => PageContext) | undefined;

  const isMember = (id: string): boolean => cohorts.members.includes(id);
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
      calls.startAddon(name, options);
    },
    identify: (identities) =>
      new Promise<string | null>((resolve) => {
        const given = customerIdentities(identities);
        if (isRight(given)) calls.identify({ given: given.right, done: resolve });
        else {
          report(given.left.message, given.left);
          resolve(null);
        }
      }),
    track: tracking.track,
    trigger: (code, type, onChange) => {
      given.choice('trigger', 1, type, ['result']);
      return listeners.onMembership(given.cohortId('trigger', code), given.callback('trigger', 2, onChange));
    },
    query: (code, type, onResult) => {
      given.choice('query', 1, type, ['result']);
      given.callback('query', 2, onResult)({ result: isMember(given.cohortId('query', code)) });
    },
    segment: (code, onResult) => answer(isMember(given.cohortId('segment', code)), given.callback('segment', 1, onResult)),
    segments: (onResult, type = 'all') => {
      if (typeof type !== 'string') given.wrong('segments', 1, 'a group or platform');
      return answer(codes(typeof type === 'string' ? type : 'all'), given.callback('segments', 0, onResult));
    },
    ready: (onReady, name = 'initialised') =>
      new Promise<void>((resolve) => {
        const stage = given.choice('ready', 1, name, ['initialised', 'realtime']);
        const tell = given.callback('ready', 0, onReady);
        const go = (): void => {
          tell();
          resolve();
        };
        if (stages.has(stage)) go();
        else awaiting = [...awaiting, { stage, go }];
      }),
    explain: (code, onWords) =>
      new Promise<string | null>((resolve) => {
        const tell = given.callback('explain', 1, onWords);
        calls.explain({
          id: given.cohortId('explain', code),
          tell: (words) => {
            tell(words);
            resolve(words);
          },
        });
      }),
    on: (name, onEvent) => listeners.on(name, given.callback('on', 1, onEvent), false),
    once: (name, onEvent) => listeners.on(name, given.callback('once', 1, onEvent), true),
    user: (onUser) => answer(context?.().user_id ?? null, given.callback('user', 0, onUser)),
    consent: (consent) => calls.giveConsent(consent),
    reset: () => new Promise<void>((resolve) => calls.reset(resolve)),
  };

  const announce = (name: string): void => {
    listeners.event({ name, time: new Date(now()).toISOString() });
    deps.dispatch(name, {});
  };
  const reach = (stage: Stage): void => {
    stages.add(stage);
    const due = awaiting.filter((waiting) => waiting.stage === stage);
    awaiting = awaiting.filter((waiting) => waiting.stage !== stage);
    for (const { go } of due) go();
    announce(stage === 'initialised' ? 'permutive:ready' : 'permutive:realtime');
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
        tellTriggers(cohorts, signal.cohorts, listeners);
        cohorts = signal.cohorts;
        return;
      case 'transition':
      case 'metrics':
        return;
      case 'delivery':
        return tracking.settle(signal.id, signal.error);
      case 'consent':
        if (!signal.given) {
          cohorts = nobody;
          context = undefined;
          tracking.forget();
          listeners.forget();
        }
        announce(signal.given ? 'consent-given' : 'consent-revoked');
    }
  };

  return {
    methods: neverThrowing(methods, report),
    addons: calls.instances,
    context: () => context?.() ?? {},
    streams: {
      cohorts$: only(signal$, 'cohorts').pipe(map((signal) => signal.cohorts.members.map(codeOf))),
      transitions$: only(signal$, 'transition').pipe(map(({ transition }) => transition)),
      events$: only(signal$, 'event').pipe(map(({ event }) => event)),
    },
    run$: signal$.pipe(tap(hear), ignoreElements()),
  };
};

/** Triggers follow memberships at once: published transitions come later, and would tell of what `segment` has told already. */
const tellTriggers = (before: Cohorts, after: Cohorts, { membership }: Listeners): void => {
  for (const id of after.members) if (!before.members.includes(id)) membership(id, true);
  for (const id of before.members) if (!after.members.includes(id)) membership(id, false);
};

const only = <Type extends Signal['type']>(signal$: Observable<Signal>, type: Type): Observable<Extract<Signal, { type: Type }>> =>
  signal$.pipe(filter((signal): signal is Extract<Signal, { type: Type }> => signal.type === type));

/** The last line of defence: whatever goes wrong in a method is reported, and the page goes on. */
const neverThrowing = (methods: PublicApi['methods'], report: Report): PublicApi['methods'] =>
  Object.fromEntries(
    Object.entries(methods).map(([name, method]) => [
      name,
      (...args: readonly unknown[]) => {
        try {
          return method(...args);
        } catch (error) {
          report(`Function permutive.${name} caused an error`, error);
          return undefined;
        }
      },
    ]),
  );

/** Tells by callback and by promise. */
const answer = <A>(value: A, tell: (value: A) => void): Promise<A> => {
  tell(value);
  return Promise.resolve(value);
};
