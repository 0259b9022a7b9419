import { asyncScheduler, filter, ignoreElements, map, type Observable, of, Subscription, tap, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';

import type { Addon, AnyAddon } from '../src/addons/addon';
import { web } from '../src/addons/web/web';
import type { Event } from '../src/model/event';
import type { HttpAnswer, HttpRequest } from '../src/platform/platform';
import { runtime } from '../src/runtime';
import type { QueuedEvent } from '../src/sinks/delivery/appState';
import { eventOf, noon, visitorId } from './support/events';
import { projectOf } from './support/project';
import { noting, type Signal } from './support/visitSignals';
import { engineOf, membershipOf, type TestWorld, type WorldFacts, worldOf } from './support/world';

interface Setup extends WorldFacts {
  readonly onSignal?: (signal: Signal, stage: Stage) => void;
}

/** What a script of a test can do, and look at. */
interface Stage extends TestWorld {
  readonly stop: () => void;
  readonly signals: Signal[];
  /** Answers of `track`: the event’s name, or null. */
  readonly answers: (string | null)[];
}

/** Plays what happens to a visitor, at which ms, in virtual time; everything is stopped in the end. */
const play = (setup: Setup, ...script: readonly (readonly [ms: number, act: (stage: Stage) => void])[]): Stage => {
  let stage: Stage | undefined;
  new TestScheduler(() => undefined).run(({ flush }) => {
    const running = new Subscription();
    const world = worldOf({ now: () => noon + asyncScheduler.now(), ...setup });
    const current: Stage = { ...world, signals: [], answers: [], stop: () => running.unsubscribe() };
    stage = current;
    running.add(world.accepted$.subscribe((name) => current.answers.push(name)));
    const observer = noting((signal) => {
      current.signals.push(signal);
      setup.onSignal?.(signal, current);
    });
    running.add(
      runtime(world, [observer]).subscribe({
        error: (error: unknown) => world.report('The runtime failed', error),
      }),
    );
    for (const [ms, act] of script) timer(ms).subscribe(() => act(current));
    timer(60_000).subscribe(current.stop);
    flush();
  });
  return stage!;
};

const initialise = (stage: Stage): void => engineOf(stage).initialise();
const enter =
  (id: string) =>
  (stage: Stage): void =>
    engineOf(stage).enter(id);
const revoke = ({ calls }: Stage): void => calls.giveConsent({ opt_in: false });
const leave = (platform: Stage): void => platform.fire('window', 'pagehide');

const heardBy = (stage: Stage, i?: number): string[] => engineOf(stage, i).heard.map(({ type }) => type);
const sentNames = (platform: Stage): string[] =>
  platform.requests
    .filter(({ url }) => url.includes('batch/events'))
    .flatMap(({ body }) => (JSON.parse(body ?? '[]') as Event[]).map(({ name }) => name));
const signalTypes = ({ signals }: Stage): string[] =>
  signals.map((signal) => (signal.type === 'stage' ? signal.stage : signal.type));
const stored = (state: object): Readonly<Record<string, string>> => ({ 'permutive-app': JSON.stringify(state) });
/** An addon made of what it does. */
const addonOf = (name: string, run: Addon<unknown>['run'], changes: Partial<Addon<unknown>> = {}): AnyAddon => ({
  name,
  autoInit: true,
  options: (input) => input,
  run,
  ...changes,
});

describe('a visit', () => {
  it('starts the engine with who, where and when', () => {
    const stage = play({ cookies: { 'permutive-id': visitorId }, config: { eventsTTLInDays: 7 } }, [0, initialise]);
    const [start] = engineOf(stage).heard;
    expect(start).toMatchObject({
      type: 'start',
      userId: visitorId,
      workspaceId: projectOf().workspaceId,
      client: { url: 'https://www.site.example/article', domain: 'site.example' },
      cacheLimitBytes: 2_500_000,
      cacheTtlDays: 7,
      unsaved: [],
      leftBehind: false,
    });
    expect(stage.report).not.toHaveBeenCalled();
  });

  it('runs from memory where nothing can be stored', () => {
    const stage = play(
      {},
      [0, (platform) => void (platform.local.failure = 'unavailable')],
      [1, (current) => current.track('Pageview')],
    );
    expect(sentNames(stage)).toEqual(['Pageview']);
  });

  it('reports a message of the engine that makes no sense, and goes on', () => {
    const stage = play({}, [0, (current) => engineOf(current).say({ type: 'nonsense' } as never)], [1, enter('7')]);
    expect(stage.report.mock.calls.map(([message]) => message)).toEqual(['Invalid message from the engine']);
    expect(sentNames(stage)).toEqual(['SegmentEntry']);
  });
});

describe('a reset', () => {
  const done = jest.fn();
  const reset = ({ calls }: Stage): void => calls.reset(done);
  beforeEach(() => done.mockReset());

  it('tells the server, and begins with a new visitor, state and store', () => {
    const stage = play(
      {
        cookies: { 'permutive-id': visitorId },
        local: {
          ...stored({ core: { cohorts: { all: ['1'] } } }),
          'permutive-session': '{}',
          _psegs: '[1]',
          theirs: 'x',
        },
      },
      [10, reset],
      [20, (current) => current.track('Pageview')],
    );
    expect(done).toHaveBeenCalledTimes(1);
    expect(stage.erasures()).toBe(1);
    expect(stage.requests.some(({ url, method }) => method === 'POST' && url.includes('/v2.0/reset'))).toBe(true);
    expect(stage.engines.map((engine) => engine.isOpen())).toEqual([false, false]);
    expect(engineOf(stage).heard[0]).not.toMatchObject({ userId: visitorId });
    expect([stage.state().cohorts, stage.local.read('theirs'), stage.local.read('_psegs')]).toEqual([[], 'x', null]);
    expect(stage.jar.get('permutive-id')).toBe(stage.local.read('permutive-id'));
  });

  it('is done though the server cannot be told, and that is reported', () => {
    const send = (request: HttpRequest): Observable<HttpAnswer> =>
      of({ status: request.url.includes('reset') ? 500 : 200, body: '[]' });
    const stage = play({ send }, [10, reset]);
    expect(done).toHaveBeenCalledTimes(1);
    expect(stage.report.mock.calls.map(([message]) => message)).toEqual(['Error resetting internals']);
  });

  it('is done once the engine of the new visitor is initialised', () => {
    const seen: number[] = [];
    const count = (): void => void seen.push(done.mock.calls.length);
    play({}, [0, initialise], [10, reset], [20, count], [21, initialise], [22, count]);
    expect(seen).toEqual([0, 1]);
  });

  it.each([
    ['another reset', reset],
    ['consent that goes', revoke],
  ])('that is overtaken by %s is done too', (_, overtake) => {
    const seen: number[] = [];
    play({}, [10, reset], [20, overtake], [21, () => void seen.push(done.mock.calls.length)]);
    expect(seen).toEqual([1]);
  });
});

describe('a visitor who is identified', () => {
  const otherId = '9d3c1b2a-4e5f-4a6b-8c7d-0e1f2a3b4c5d';
  const identified = ({ calls }: Stage): void =>
    calls.identify({ given: [{ tag: 'reader', id: 'A', priority: 0 }], done });
  const done = jest.fn();
  /** The server knows the reader as another visitor, and says so after 100 ms. */
  const known: Setup = {
    cookies: { 'permutive-id': visitorId },
    local: { 'permutive-id': visitorId },
    send: ({ url }) =>
      timer(100).pipe(
        map((): HttpAnswer => ({
          status: 200,
          body: url.includes('identify') ? JSON.stringify({ user_id: otherId }) : '[]',
        })),
      ),
  };
  const sentBy = (platform: Stage): string[] =>
    platform.requests
      .filter(({ url }) => url.includes('batch/events'))
      .flatMap(({ body }) =>
        (JSON.parse(body ?? '[]') as QueuedEvent[]).map(
          ({ name, user_id }) => `${name} ${user_id === visitorId ? 'before' : user_id === otherId ? 'after' : '?'}`,
        ),
      );
  beforeEach(() => done.mockReset());

  it('has the other id from then on, here, in cookie and local storage; what was accepted before keeps its own', () => {
    const stage = play(
      known,
      [0, initialise],
      [10, (current) => current.track('Pageview')],
      [20, identified],
      [60, (current) => current.track('LinkClick')],
      [130, (current) => current.track('FormSubmission')],
    );
    expect(sentBy(stage)).toEqual(['Pageview before', 'LinkClick before', 'FormSubmission after']);
    expect([stage.jar.get('permutive-id'), stage.local.read('permutive-id')]).toEqual([otherId, otherId]);
    expect(stage.signals.flatMap((signal) => (signal.type === 'visit' ? [signal.context().user_id] : []))).toEqual([
      otherId,
    ]);
    expect(done.mock.calls).toEqual([[otherId]]);
  });

  it('is another user to the engine, which begins anew with what happened on this page', () => {
    const open: boolean[] = [];
    const stage = play(
      known,
      [0, initialise],
      [10, (current) => current.track('Pageview')],
      [20, identified],
      [130, (current) => current.track('LinkClick')],
      [140, (platform) => void open.push(...platform.engines.map((engine) => engine.isOpen()))],
    );
    expect(open).toEqual([false, true]);
    expect(heardBy(stage, 0)).toEqual(['start', 'barrier', 'track']);
    expect(heardBy(stage, 1)).toEqual(['start', 'barrier', 'track']);
    expect(engineOf(stage, 1).heard[0]).toMatchObject({ userId: otherId, unsaved: [{ name: 'Pageview' }] });
  });

  it('does not hand on what the last page of another user has left', () => {
    const left = JSON.stringify({ queryLanguage: { unsaved: [eventOf('x', { name: 'Left' })] } });
    const stage = play({ ...known, local: { ...known.local, 'permutive-app': left } }, [20, identified]);
    expect(stage.engines.map(({ heard }) => heard[0])).toMatchObject([
      { unsaved: [{ name: 'Left' }] },
      { userId: otherId, unsaved: [] },
    ]);
  });

  it('goes through the stages once, also where the engine changes before it is initialised', () => {
    const marked = (stage: Stage): void => engineOf(stage).say({ type: 'barrierReached', name: 'realtime' });
    const stagesOf = (stage: Stage): string[] =>
      signalTypes(stage).filter((type) => ['initialised', 'realtime'].includes(type));
    const early = play(known, [0, identified], [120, initialise], [130, marked]);
    const between = play(known, [0, identified], [10, initialise], [120, initialise], [130, marked], [140, marked]);
    expect([stagesOf(early), stagesOf(between)]).toEqual([
      ['initialised', 'realtime'],
      ['initialised', 'realtime'],
    ]);
    expect([heardBy(early), heardBy(between)]).toEqual([
      ['start', 'barrier'],
      ['start', 'barrier'],
    ]);
  });

  it('answers no question that the engine before had asked', () => {
    const ask = (stage: Stage): void => engineOf(stage).say({ type: 'ask', request: 1, what: 'jsonModels', input: {} });
    const stage = play(known, [0, identified], [50, ask], [120, ask]);
    expect(heardBy(stage, 0)).toEqual(['start']);
    expect(heardBy(stage, 1)).toEqual(['start', 'answer']);
    expect(stage.requests.filter(({ url }) => url.includes('models'))).toHaveLength(2);
  });

  it('has the cohorts of that user', () => {
    const stage = play(
      known,
      [0, enter('7')],
      [10, identified],
      [
        120,
        (current) =>
          engineOf(current).say({
            type: 'initialised',
            membership: membershipOf('8'),
            migrated: false,
            transitions: [],
          }),
      ],
    );
    expect(stage.state().cohorts).toEqual(['8']);
  });

  it('is the same to the engine when the server says so', () => {
    const stage = play({ ...known, send: () => of({ status: 200, body: JSON.stringify({ user_id: visitorId }) }) }, [
      20,
      identified,
    ]);
    expect(stage.engines).toHaveLength(1);
    expect(done.mock.calls).toEqual([[visitorId]]);
  });

  it('without consent is nobody', () => {
    const stage = play(known, [0, revoke], [10, identified]);
    expect([done.mock.calls, stage.requests, stage.local.keys()]).toEqual([[[null]], [], ['permutive-consent']]);
  });

  it('and then refuses, is forgotten, and the call is answered', () => {
    const stage = play(known, [0, identified], [50, revoke]);
    expect([done.mock.calls, stage.local.keys(), stage.jar.size]).toEqual([[[null]], ['permutive-consent'], 0]);
  });

  it('and then reset, is nobody known', () => {
    const stage = play(
      known,
      [0, identified],
      [150, ({ calls }) => calls.reset(() => undefined)],
      [200, (current) => current.track('Pageview')],
    );
    expect(stage.local.read('permutive-data-misc')).toBeNull();
    expect(sentBy(stage)).toEqual(['Pageview ?']);
  });

  it('on the next page is known, and nobody is asked', () => {
    const platform = play(known, [0, identified]);
    const next = play({ ...known, cookies: Object.fromEntries(platform.jar), local: platform.local.all() }, [
      0,
      identified,
    ]);
    expect(next.requests.filter(({ url }) => url.includes('identify'))).toEqual([]);
    expect(done.mock.calls).toEqual([[otherId], [otherId]]);
  });
});

describe('a page that comes back from the back-forward cache', () => {
  const comeBack =
    (persisted: boolean) =>
    (platform: Stage): void =>
      platform.fire('window', 'pageshow', { persisted });

  it('has a visit of its own: the same visitor, another view, its addons again', () => {
    const views: (string | undefined)[] = [];
    const stage = play(
      { cookies: { 'permutive-id': visitorId }, addons: [web] },
      [10, ({ calls }) => calls.startAddon('web', { page: { a: 1 } })],
      [20, leave],
      [30, comeBack(true)],
    );
    for (const signal of stage.signals)
      if (signal.type === 'event' && signal.event.name === 'Pageview') views.push(signal.event.view_id);
    expect(sentNames(stage)).toEqual(['Pageview', 'PageviewComplete', 'Pageview']);
    expect(new Set(views).size).toBe(2);
    expect(engineOf(stage).heard[0]).toMatchObject({ userId: visitorId });
    expect(stage.erasures()).toBe(0);
  });

  it('is not one that is shown for the first time', () => {
    expect(play({}, [10, comeBack(false)]).engines).toHaveLength(1);
  });
});

describe('addons', () => {
  it('see each cause before its effects', () => {
    const seen: string[] = [];
    const reacting = addonOf('reacting', ({ event$ }) =>
      event$.pipe(
        filter(({ name }) => name === 'Cause'),
        map(() => ({ name: 'Effect' })),
      ),
    );
    const watching = addonOf('watching', ({ event$ }) =>
      event$.pipe(
        tap(({ name }) => seen.push(name)),
        ignoreElements(),
      ),
    );
    const stage = play({ addons: [reacting, watching] }, [0, (current) => current.track('Cause')]);
    expect(seen).toEqual(['Cause', 'Effect']);
    expect(engineOf(stage).heard.slice(1)).toMatchObject([{ event: { name: 'Cause' } }, { event: { name: 'Effect' } }]);
  });

  it.each([
    [
      'as it starts',
      () => {
        throw new Error('broken');
      },
    ],
    [
      'later',
      () =>
        timer(10).pipe(
          map(() => {
            throw new Error('broken');
          }),
        ),
    ],
  ])('that throw %s cost themselves', (_, run) => {
    const stage = play({ addons: [addonOf('broken', run), web] }, [20, ({ calls }) => calls.startAddon('web', {})]);
    expect(stage.report.mock.calls).toEqual([['Addon broken stopped', new Error('broken')]]);
    expect(sentNames(stage)).toEqual(['Pageview']);
  });

  it.each([
    ['by themselves', {}, true, [{}]],
    ['not where the project says so', { auto_init: false }, true, []],
    ['where the project says so', { auto_init: true, a: 1 }, false, [{ auto_init: true, a: 1 }]],
    ['not by themselves otherwise', { a: 1 }, false, []],
  ])('start %s', (_, options, autoInit, expected) => {
    const started: unknown[] = [];
    const addon = addonOf(
      'one',
      (_streams, options$) =>
        options$.pipe(
          tap((given) => started.push(given)),
          ignoreElements(),
        ),
      { autoInit },
    );
    play({ addons: [addon], project: { addons: { one: options } } });
    expect(started).toEqual(expected);
  });

  it('start again when the page says so, its options over the project’s', () => {
    const started: unknown[] = [];
    const addon = addonOf('one', (_streams, options$) =>
      options$.pipe(
        tap((given) => started.push(given)),
        ignoreElements(),
      ),
    );
    play(
      { addons: [addon], project: { addons: { one: { a: 1, b: 1 } } } },
      [5, ({ calls }) => calls.startAddon('one', { b: 2 })],
      [6, ({ calls }) => calls.startAddon('one', undefined)],
      [7, ({ calls }) => calls.startAddon('one', 'text')],
    );
    expect(started).toEqual([{ a: 1, b: 1 }, { a: 1, b: 2 }, { a: 1, b: 1 }, 'text']);
  });

  it('show the page what they expose, from their start', () => {
    const addon = addonOf(
      'one',
      (_streams, options$, { expose }) =>
        options$.pipe(
          tap((given) => expose({ given: () => given })),
          ignoreElements(),
        ),
      { autoInit: false },
    );
    const seen: unknown[] = [];
    play(
      { addons: [addon] },
      [5, ({ calls }) => void seen.push(calls.instances['one'])],
      [6, ({ calls }) => calls.startAddon('one', { a: 1 })],
      [7, ({ calls }) => void seen.push(calls.instances['one'])],
    );
    expect(seen).toEqual([undefined, { name: 'one', given: expect.any(Function) as unknown }]);
  });

  it('report what is wrong with their options', () => {
    const stage = play({ addons: [web] }, [5, ({ calls }) => calls.startAddon('web', { page: 7 })]);
    expect(stage.report.mock.calls.map(([message]) => message)).toEqual(['Addon web has invalid options']);
    expect(sentNames(stage)).toEqual(['Pageview']);
  });
});
