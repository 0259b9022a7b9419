import { BehaviorSubject, defer, finalize, type Observable, of, Subject } from 'rxjs';
import { type RunHelpers, TestScheduler } from 'rxjs/testing';

import type { AddonDeps, AddonStreams, AnyAddon } from '../addons/addon';
import type { Activation } from '../model/activation';
import type { Cohorts } from '../model/cohorts';
import { settingsFrom } from '../model/config';
import type { Transition } from '../model/engineCommands';
import type { Event } from '../model/event';
import type { LinkClick } from '../model/pageSignal';
import type { PageExit } from '../model/pageSignal';
import type { PageMessage } from '../model/pageSignal';
import type { FormContent } from '../model/pageSignal';
import type { Tcf } from '../model/tcf';

/* eslint-disable no-restricted-syntax -- plays the runtime and the world: it is part of no bundle */

/** How an addon is tried. */
export interface AddonCheck {
  /** What the page gives `permutive.addon(name, options)`. */
  readonly options?: unknown;
  /** `c` of the activations that the addon is given, one per trigger. */
  readonly config?: Readonly<Record<string, unknown>>;
  /** What the project says of it holds, and is stored, whether the page starts it or not. */
  readonly servesUnstarted?: boolean;
  /** Streams and deps of the addon's own kind. */
  readonly streams?: Partial<AddonStreams>;
  readonly deps?: Partial<AddonDeps>;
}

/** What an addon did to the world, and what it wants tracked, in order. */
type Effects = readonly string[];

const startMs = 100;
const eventsMs = 1000;
const endMs = 20_000;

/**
 * What is wrong with an addon; nothing where it may run on strangers' phones. It must do nothing before it is started, nothing
 * once consent is gone, leave neither listener nor timer behind, do as much when it is started twice as when it is started once,
 * survive effects that throw, and never throw itself. Plays a visit in virtual time; needs no test runner.
 *
 *     expect(faultsOf(myAddon, { config: { pixel_url: 'https://partner.example/p' } })).toEqual([]);
 */
export const checkAddon = (addon: AnyAddon, trial: AddonCheck = {}): readonly string[] => {
  const faults: string[] = [];
  const check = (holds: boolean, fault: string): void => {
    if (!holds) faults.push(`${addon.name}: ${fault}`);
  };
  const play = (visit: Visit): Played => playVisit(addon, trial, visit);

  for (const input of [
    undefined,
    null,
    7,
    'text',
    [],
    {},
    Object.create(null) as unknown,
    { [addon.name]: () => undefined },
  ]) {
    try {
      addon.options(input, () => undefined);
    } catch {
      check(false, `options throws for ${typeof input}`);
    }
  }

  const idle = play({ starts: [] });
  check(
    trial.servesUnstarted === true || idle.effects.length === 0,
    `acts before it is started: ${idle.effects.join(', ')}`,
  );

  const once = play({ starts: [startMs] });
  check(once.thrown === undefined, 'throws');
  check(once.left.length === 0, `leaves behind when it is stopped: ${once.left.join(', ')}`);
  check(once.late.length === 0, `acts after it was stopped: ${once.late.join(', ')}`);

  const stopped = play({ starts: [startMs], stopMs: eventsMs - 1 });
  check(stopped.late.length === 0, `acts without consent: ${stopped.late.join(', ')}`);
  check(stopped.left.length === 0, `leaves behind when consent goes: ${stopped.left.join(', ')}`);

  const twice = play({ starts: [startMs, startMs + 100] });
  const [one, two] = [once, twice].map(({ afterStart }) => [...afterStart].sort().join(', '));
  check(one === two, `started twice, does ${two || 'nothing'} where once is ${one || 'nothing'}`);

  const failing = play({ starts: [startMs], failing: true });
  check(failing.thrown === undefined, 'throws where an effect throws');
  check(failing.left.length === 0, `leaves behind where an effect throws: ${failing.left.join(', ')}`);
  return faults;
};

interface Visit {
  readonly starts: readonly number[];
  readonly stopMs?: number;
  /** Effects throw. */
  readonly failing?: boolean;
}

interface Played {
  readonly effects: Effects;
  /** What was done once it had been started for the last time. */
  readonly afterStart: Effects;
  /** What was done after the stop. */
  readonly late: Effects;
  /** Streams that are still listened to, and timers. */
  readonly left: readonly string[];
  readonly thrown: unknown;
}

const playVisit = (addon: AnyAddon, trial: AddonCheck, { starts, stopMs = endMs, failing = false }: Visit): Played => {
  const deeds: { readonly at: number; readonly what: string }[] = [];
  const listened = new Map<string, number>();
  const scheduler = new TestScheduler(() => undefined);
  let thrown: unknown;
  const rest: { readonly left: string[] } = { left: [] };

  const attempt = (act: () => void): void => {
    try {
      act();
    } catch (error) {
      thrown ??= error;
    }
  };
  const visit = ({ flush }: RunHelpers): void => {
    const at = (ms: number, act: () => void): void => void scheduler.schedule(act, ms);
    const did = (what: string): void => void deeds.push({ at: scheduler.now(), what });
    const effect =
      (name: string) =>
      (first?: unknown): void => {
        did(`${name}(${typeof first === 'string' ? first : ''})`);
        if (failing) throw new Error(`${name} failed`);
      };
    const world = worldOf(listened);
    const deps: AddonDeps = {
      report: () => undefined,
      configured: {},
      activations: (['EveryTime', 'OnEntry', 'OnExit'] as const).map((tt): Activation => ({
        id: tt,
        short_id: tt,
        sc: 7,
        tt,
        c: { ...trial.config },
      })),
      context: () => ({ url: 'https://site.example/', domain: 'site.example', type: 'web' }),
      now: () => scheduler.now(),
      isVisible: () => true,
      scrollDepth: () => 0.5,
      visitor: () => ({ userId: 'visitor', viewId: 'view', workspaceId: 'workspace', sdkType: 'web' }),
      codesFor: (_, { members }) => members,
      codesOf: (ids) => ids,
      recall: () => null,
      remember: effect('remember'),
      readKey: () => null,
      writeKey: effect('writeKey'),
      loadPixel: effect('loadPixel'),
      runScript: (code) => {
        effect('runScript')(code);
        return true;
      },
      openLayer: () => {
        effect('openLayer')();
        throw new Error('no document here');
      },
      writeCookie: effect('writeCookie'),
      forget: effect('forget'),
      random: () => 0,
      setting: settingsFrom({ page: () => ({}), overrides: {}, project: {}, report: () => undefined }),
      origin: () => 'https://site.example',
      adIn: () => undefined,
      global: () => undefined,
      // Where the page finds it, and nothing that anybody else notices.
      expose: () => undefined,
      ...trial.deps,
    };
    const options$ = new Subject<unknown>();
    const running = addon
      .run({ ...world.streams, ...trial.streams }, counted('options$', options$, listened), deps)
      .subscribe({ next: ({ name }) => did(name), error: () => undefined });
    for (const ms of starts)
      at(ms, () => attempt(() => options$.next(addon.options(trial.options ?? {}, () => undefined))));
    world.script.forEach((act, i) => at(eventsMs + i * 700, () => attempt(act)));
    at(stopMs, () => {
      running.unsubscribe();
      rest.left.push(...[...listened].filter(([, count]) => count > 0).map(([name]) => name));
    });
    flush();
  };
  // Also what throws where nobody has subscribed for it.
  attempt(() => scheduler.run(visit));
  const what = (from: number, to = Infinity): Effects =>
    deeds.filter((deed) => deed.at >= from && deed.at < to).map((deed) => deed.what);
  return { effects: what(0), afterStart: what(eventsMs, stopMs), late: what(stopMs + 1), left: rest.left, thrown };
};

/** The source, with how often it is listened to. */
const counted = <A>(name: string, source$: Observable<A>, listened: Map<string, number>): Observable<A> =>
  defer(() => {
    const change = (by: number): void => void listened.set(name, (listened.get(name) ?? 0) + by);
    change(1);
    return source$.pipe(finalize(() => change(-1)));
  });

const cohortsOf = (isRealtime: boolean, ...members: string[]): Cohorts => ({ members, activations: {}, isRealtime });

/** A page, and what happens on it: a visitor who is known from before, enters and leaves a cohort, and goes. */
const worldOf = (
  listened: Map<string, number>,
): { readonly streams: AddonStreams; readonly script: readonly (() => void)[] } => {
  const cohorts$ = new BehaviorSubject(cohortsOf(false, '7'));
  const event$ = new Subject<Event>();
  const transition$ = new Subject<Transition>();
  const pageExit$ = new Subject<PageExit>();
  const activity$ = new Subject<unknown>();
  const view$ = new BehaviorSubject('view');
  const formSubmission$ = new Subject<FormContent>();
  const linkClick$ = new Subject<LinkClick>();
  const streams = {
    event$,
    transition$,
    transitionsSinceInit$: transition$,
    cohorts$,
    view$,
    pageExit$,
    activity$,
    formSubmission$,
    linkClick$,
    contextual$: of({}),
    message$: new Subject<PageMessage>(),
    focusLoss$: new Subject<unknown>(),
    identities$: of({ byTag: new Map(), ready: true }),
    tcf$: of<Tcf>({ status: 'missing', gdprApplies: false, tcString: '', vendorConsent: () => true }),
  };
  const transition = (entry: boolean) => (): void => transition$.next({ id: '7', entry, time: 0 });
  return {
    streams: {
      ...(Object.fromEntries(
        Object.entries(streams).map(([name, source$]) => [name, counted<unknown>(name, source$, listened)]),
      ) as unknown as typeof streams),
      listen: (type) => counted(type, activity$, listened),
      fromTag: <Tag>() => of({} as Tag),
    },
    script: [
      () => cohorts$.next(cohortsOf(true, '7')),
      transition(true),
      () =>
        event$.next({
          id: 'event',
          name: 'Pageview',
          time: '2026-01-01T12:00:00.000Z',
          properties: {},
          session_id: 'session',
          view_id: 'view',
        }),
      () => activity$.next(true),
      () => formSubmission$.next({ method: 'get', properties: [] }),
      () => linkClick$.next({ dest_url: 'https://partner.example/', leaves: true }),
      () => cohorts$.next(cohortsOf(true)),
      transition(false),
      () => pageExit$.next({ step: 'beforeFlush', isUnloading: true }),
      () => pageExit$.next({ step: 'flush', isUnloading: true }),
    ],
  };
};
