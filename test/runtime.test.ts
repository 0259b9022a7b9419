import { EMPTY, ignoreElements, map, tap, timer } from 'rxjs';

import type { Addon, AnyAddon } from '../src/addons/addon';
import { web } from '../src/addons/web/web';
import type { Event } from '../src/model/event';
import type { PageContext } from '../src/model/pageContext';
import { runtime } from '../src/runtime';
import { noon, visitorId } from './support/events';
import { pagePlayer } from './support/playPage';
import { projectOf } from './support/project';
import { engineOf, type TestWorld, type WorldFacts, worldOf } from './support/world';

const play = pagePlayer(60_000);

const sentEvents = (world: TestWorld): readonly Event[] =>
  world.requests
    .filter(({ url }) => url.includes('batch/events'))
    .flatMap(({ body }) => JSON.parse(body ?? '[]') as Event[]);
const sentNames = (world: TestWorld): readonly string[] => sentEvents(world).map(({ name }) => name);

/** An addon made of what it does. */
const addonOf = (name: string, run: Addon<unknown>['run'], changes: Partial<Addon<unknown>> = {}): AnyAddon => ({
  name,
  autoInit: true,
  options: (input) => input,
  run,
  ...changes,
});

describe('a user who is changed in another tab', () => {
  const other = '9d3c1b2a-4e5f-4a6b-8c7d-0e1f2a3b4c5d';
  const change = (id: string) => (world: TestWorld) => {
    world.cookies.write(`permutive-id=${id}; path=/`);
    world.local.write('permutive-id', id);
    world.fire('window', 'storage', { key: 'permutive-id', newValue: id });
  };
  const usersOf = ({ engines }: TestWorld) => engines.map(({ heard }) => (heard[0] as { userId?: string }).userId);

  it('is the user of another visit, with an engine of its own', () => {
    const world = play({ cookies: { 'permutive-id': visitorId } }, [10, change(other)]);
    expect(usersOf(world)).toEqual([visitorId, other]);
    expect(world.local.read('permutive-id')).toBe(other);
  });

  it('is none where the id is the same, or of no user', () => {
    const world = play({ cookies: { 'permutive-id': visitorId } }, [10, change(visitorId)], [20, change('nobody')]);
    expect(usersOf(world)).toEqual([visitorId]);
  });
});

describe('the context', () => {
  /** What the engine is told at its start, and what the page reads at once and after an event. */
  const contextsOf = (facts: WorldFacts = {}): readonly PageContext[] => {
    const read: PageContext[] = [];
    let context: (() => PageContext) | undefined;
    const world = worldOf({ now: () => noon, ...facts });
    const running = runtime(world, [
      { whileConsent: () => EMPTY, whileVisit: (visit) => ((context = visit.context), EMPTY) },
    ]).subscribe();
    const look = (): void => {
      if (context !== undefined) read.push(context());
    };
    look();
    world.track('Anything');
    look();
    running.unsubscribe();
    return read;
  };

  it('has the path and the view in the client, of which events have neither', () => {
    const [context] = contextsOf();
    expect(context?.client).toMatchObject({ path: '/article/', view_id: context?.view_id });
    const world = play({}, [0, (page) => page.track('Anything')]);
    const [event] = sentEvents(world);
    expect(Object.keys(event?.properties['client'] ?? {}).sort()).toEqual([
      'domain',
      'referrer',
      'title',
      'type',
      'url',
      'user_agent',
    ]);
  });

  it('has a session before the first event, which begins none of its own', () => {
    const [before, after] = contextsOf();
    expect(before?.session_id).toMatch(/^[\da-f-]{36}$/);
    expect(after?.session_id).toBe(before?.session_id);
  });

  it('has the stored session of a visitor who comes back', () => {
    const session_id = '7a1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
    const stored = JSON.stringify({ session_id, last_updated: new Date(noon - 60_000).toISOString() });
    const [before] = contextsOf({
      cookies: { 'permutive-id': visitorId },
      local: { 'permutive-id': visitorId, 'permutive-session': stored },
    });
    expect(before?.session_id).toBe(session_id);
  });
});

describe('a visit', () => {
  it('starts the engine with who, where and when', () => {
    const world = play({ cookies: { 'permutive-id': visitorId }, config: { eventsTTLInDays: 7 } }, [
      0,
      (current) => engineOf(current).initialise(),
    ]);
    const [start] = engineOf(world).heard;
    expect(start).toMatchObject({
      type: 'start',
      userId: visitorId,
      workspaceId: projectOf().workspaceId,
      client: { url: 'https://www.site.example/article', domain: 'site.example' },
      cacheLimitBytes: 2_500_000,
      cacheTtlDays: 7,
      given: [],
      requestTimeout: 5000,
      isMeasured: false,
      leftBehind: false,
    });
    expect(world.report).not.toHaveBeenCalled();
  });

  it('starts the engine before the addons, which take the page’s thread meanwhile', () => {
    const order: string[] = [];
    const addon = addonOf('one', () => {
      order.push('addon');
      return EMPTY;
    });
    play({ addons: [addon], yieldThread: () => timer(1) }, [
      0,
      ({ told$ }) => void told$.subscribe(({ type }) => order.push(type)),
    ]);
    expect(order.slice(0, 2)).toEqual(['start', 'addon']);
  });

  it.each([
    [true, [() => false, () => true]],
    [false, [() => false, undefined]],
    [false, []],
  ])('has its engine measured: %s, where observers want that: %s', (isMeasured, wishes) => {
    const world = worldOf({ now: () => noon });
    const running = runtime(
      world,
      wishes.map((isMeasuring) => ({
        whileConsent: () => EMPTY,
        whileVisit: () => EMPTY,
        ...(isMeasuring && { isMeasuring }),
      })),
    ).subscribe();
    expect(engineOf(world).heard[0]).toMatchObject({ type: 'start', isMeasured });
    running.unsubscribe();
  });

  it('runs from memory where nothing can be stored', () => {
    const world = play(
      {},
      [0, (current) => void (current.local.failure = 'unavailable')],
      [1, (current) => current.track('Pageview')],
    );
    expect(sentNames(world)).toEqual(['Pageview']);
  });

  it('reports a message of the engine that makes no sense, and goes on', () => {
    const world = play(
      {},
      [0, (current) => engineOf(current).say({ type: 'nonsense' } as never)],
      [1, (current) => engineOf(current).enter('7')],
    );
    expect(world.report.mock.calls.map(([message]) => message)).toEqual(['Invalid message from the engine']);
    expect(sentNames(world)).toEqual(['SegmentEntry']);
  });
});

describe('addons', () => {
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
    const world = play({ addons: [addonOf('broken', run), web] }, [20, ({ calls }) => calls.startAddon('web', {})]);
    expect(world.report.mock.calls).toEqual([['Addon broken stopped', new Error('broken')]]);
    expect(sentNames(world)).toEqual(['Pageview']);
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
    const world = play({ addons: [web] }, [5, ({ calls }) => calls.startAddon('web', { page: 7 })]);
    expect(world.report.mock.calls.map(([message]) => message)).toEqual(['Addon web has invalid options']);
    expect(sentNames(world)).toEqual(['Pageview']);
  });
});
