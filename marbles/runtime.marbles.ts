import {
  asyncScheduler,
  EMPTY,
  filter,
  ignoreElements,
  map,
  merge,
  mergeMap,
  NEVER,
  type Observable,
  of,
  ReplaySubject,
  tap,
  timer,
} from 'rxjs';

import type { Addon, AnyAddon } from '../src/addons/addon';
import { web } from '../src/addons/web/web';
import { publicApi } from '../src/api/publicApi';
import { cohortServices } from '../src/cohorts/cohortServices';
import { takenAnswer } from '../src/fakePlatform/fakeHttp';
import type { QueuedEvent } from '../src/model/queuedEvent';
import type { HttpAnswer, HttpRequest } from '../src/platform/platform';
import { runtime } from '../src/runtime';
import { eventOf, noon, queuedOf, visitorId } from '../test/support/events';
import { lateParts } from '../test/support/project';
import { noting, type Signal } from '../test/support/visitSignals';
import { engineOf, membershipOf, type TestWorld, type Told, type WorldFacts, worldOf } from '../test/support/world';
import { marble, type MarbleHelpers, marbles } from './support/marbles';

/** The id by which the server knows the visitor, once identified. */
const otherId = '9d3c1b2a-4e5f-4a6b-8c7d-0e1f2a3b4c5d';

// The letters of all diagrams below.

/** What the page and its visitor do. */
const pageActs = (world: TestWorld, done: { reset: () => void; identify: (id: string | null) => void }) => ({
  p: () => world.track('Pageview'),
  l: () => world.track('LinkClick'),
  f: () => world.track('FormSubmission'),
  /** A Pageview of another view. */
  v: () => world.track('Pageview', { view: { isAnother: true, client: {} } }),
  /** An event that is evaluated, and not sent. */
  g: () => world.track('PageviewEngagement', { edgeOnly: true }),
  /** The page starts the addon web, which tracks a Pageview, and a PageviewComplete at page exit. */
  w: () => world.calls.startAddon('web', {}),
  /** The page resets the addon web. */
  z: () => (world.calls.instances['web'] as { reset: () => void }).reset(),
  /** Consent is given; it is withdrawn. */
  y: () => world.giveConsent(true),
  n: () => world.giveConsent(false),
  r: () => world.calls.reset(done.reset),
  u: () => world.calls.identify({ given: [{ tag: 'reader', id: 'A', priority: 0 }], done: done.identify }),
  /** The page is hidden; it exits; it comes back from the back-forward cache; it is shown for the first time. */
  h: () => {
    world.setHidden(true);
    world.fire('document', 'visibilitychange');
  },
  x: () => world.fire('window', 'pagehide'),
  /** The page has asked for another document. */
  a: () =>
    world.fire('navigation', 'navigate', { destination: { url: 'https://www.site.example/b', sameDocument: false } }),
  b: () => world.fire('window', 'pageshow', { persisted: true }),
  o: () => world.fire('window', 'pageshow', { persisted: false }),
});

/** What the latest engine says. */
const engineActs = (world: TestWorld, lastEventId: () => string) => ({
  i: () => engineOf(world).initialise(),
  j: () => engineOf(world).initialise('8'),
  /** The visitor enters cohort 7. */
  e: () => engineOf(world).enter('7'),
  /** The barrier is reached. */
  b: () => engineOf(world).reachBarrier(),
  /** The effects of all events up to the latest are saved; of those up to the event x. */
  s: () => engineOf(world).save(lastEventId()),
  x: () => engineOf(world).save('x'),
  /** The engine asks the page for the models. */
  q: () => engineOf(world).say({ type: 'ask', request: 1, what: 'jsonModels', input: {} }),
});

const eventLetters = {
  p: 'Pageview',
  l: 'LinkClick',
  f: 'FormSubmission',
  g: 'PageviewEngagement',
  m: 'PageviewComplete',
  e: 'SegmentEntry',
  /** An event of the last page. */
  k: 'Left',
};
/** What comes out, each with its letters. */
const letters = {
  /** Events as they are made. */
  tracked: eventLetters,
  /** Events whose delivery was settled. */
  delivered: eventLetters,
  /** Answers of `track`. */
  accepted: { ...eventLetters, n: null },
  /** What engines are told: their start with a user (known, identified, or new), events, and `z` at their end. */
  told: {
    ...eventLetters,
    v: 'start visitor',
    o: 'start other',
    s: 'start new',
    b: 'barrier',
    x: 'flush',
    c: 'context',
    a: 'answer',
    z: 'end',
  },
  /** Requests; a batch is its events. */
  requested: { ...eventLetters, u: 'identify', r: 'reset', d: 'models' },
  /** Whose the events of each batch are. */
  senders: { v: 'visitor', o: 'other', s: 'new' },
  /** Consent, visits and their stages, as observers hear of them. */
  seen: { y: 'given', n: 'withdrawn', u: 'unasked', d: 'refused', v: 'visit', i: 'initialised', r: 'realtime' },
  /** Memberships gained, by the cohort's id, and `x`: cohort 9 is left. */
  published: { 7: '7', 8: '8', x: '-9' },
  /** The visitor's cohorts; `n`: none. */
  cohorts: { n: '', 1: '1', 7: '7', 8: '8' },
  /** Names of events on `window`. */
  dispatched: { y: 'consent-given', n: 'consent-revoked', i: 'permutive:ready', r: 'permutive:realtime' },
  /** Answers of `reset` and `identify`. */
  reset: { d: 'done' },
  identified: { v: 'visitor', o: 'other', n: 'nobody' },
};

const who = (id: unknown): string => (id === visitorId ? 'visitor' : id === otherId ? 'other' : 'new');

const toldLine = ({ type, event, userId }: Told): string =>
  type === 'start' ? `start ${who(userId)}` : (event?.name ?? type);

const batchOf = ({ url, body }: HttpRequest): QueuedEvent[] =>
  url.includes('batch/events') ? (JSON.parse(body ?? '[]') as QueuedEvent[]) : [];

/** What an idle page asks for has a test of its own. */
const isOfIdlePage = ({ url }: HttpRequest): boolean => /v2.0\/(geoip|watson)/.test(url);

const requestLines = (request: HttpRequest): string[] => {
  if (isOfIdlePage(request)) return [];
  return request.url.includes('batch/events')
    ? batchOf(request).map(({ name }) => name)
    : [/(identify|reset|models)(?=$|[/?])/.exec(request.url)?.[0] ?? request.url];
};

const seenLines = (signal: Signal): string[] => {
  if (signal.type === 'consent') return [signal.consent];
  if (signal.type === 'stage') return [signal.stage];
  return signal.type === 'visit' ? ['visit'] : [];
};

interface Facts extends WorldFacts {
  /** The frame at which the test stops the runtime. Default: after a minute. */
  readonly end?: string;
  readonly onSignal?: (signal: Signal, world: TestWorld) => void;
}
type Diagrams<Key extends string> = Readonly<Partial<Record<Key, string>>>;

/**
 * Runs the SDK with what goes in as diagrams, in a world whose time is theirs. `expectOut` compares what comes out;
 * `see` looks into the world at the letters of a diagram.
 */
const play = (helpers: MarbleHelpers, { page, engine }: Diagrams<'page' | 'engine'>, facts: Facts = {}) => {
  const { schedule, effect, hot, expectObservable } = helpers;
  const world = worldOf({ now: () => noon + asyncScheduler.now(), ...facts });
  const signal$ = new ReplaySubject<Signal>(Infinity);
  const names = new Map<string, string>();
  const note = (signal: Signal): void => {
    if (signal.type === 'event') names.set(signal.event.id, signal.event.name);
    signal$.next(signal);
    facts.onSignal?.(signal, world);
  };
  const api = publicApi({ ...world, addonNames: ['web'], idsByName$: EMPTY, dispatch: world.page.dispatch });
  const [reset, identify] = [effect<[]>(), effect<[id: string | null]>()];
  expectObservable(runtime(world, [api, noting(note)]), facts.end ?? '1m !').toBe('');
  if (page !== undefined) schedule(page, pageActs(world, { reset, identify }));
  if (engine !== undefined)
    schedule(
      engine,
      engineActs(world, () => [...names.keys()].at(-1) ?? ''),
    );

  const only = <Type extends Signal['type']>(type: Type): Observable<Extract<Signal, { type: Type }>> =>
    signal$.pipe(filter((signal): signal is Extract<Signal, { type: Type }> => signal.type === type));
  const out: Record<keyof typeof letters, Observable<unknown>> = {
    tracked: only('event').pipe(map(({ event }) => event.name)),
    delivered: only('delivery').pipe(map(({ id }) => names.get(id))),
    accepted: world.accepted$,
    told: world.told$.pipe(map(toldLine)),
    requested: world.request$.pipe(mergeMap(requestLines)),
    senders: world.request$.pipe(mergeMap((request) => batchOf(request).map(({ user_id }) => who(user_id)))),
    seen: signal$.pipe(mergeMap(seenLines)),
    published: only('transition').pipe(map(({ transition: { id, entry } }) => `${entry ? '' : '-'}${id}`)),
    cohorts: only('cohorts').pipe(map(({ cohorts: { members } }) => members.join())),
    dispatched: world.dispatched$,
    reset: reset.call$.pipe(map(() => 'done')),
    identified: identify.call$.pipe(map(([id]) => (id === null ? 'nobody' : who(id)))),
  };
  return {
    world,
    api,
    only,
    expectOut: (diagrams: Diagrams<keyof typeof letters>) => {
      for (const [key, diagram] of Object.entries(diagrams) as [keyof typeof letters, string][])
        // Before the end at which everything is stopped.
        expectObservable(out[key], '59s !').toBe(diagram, letters[key]);
    },
    see: (look: string, read: (world: TestWorld) => string, expected: string, values?: Record<string, string>) =>
      expectObservable(hot(look).pipe(map(() => read(world)))).toBe(expected, values),
  };
};

/** A server that takes everything, after so many ms. */
const delayed = (ms: number) => ({
  send: (request: HttpRequest): Observable<HttpAnswer> => timer(ms).pipe(map(() => takenAnswer(request))),
});
/** A server that never answers. */
const silent = { send: (): Observable<HttpAnswer> => NEVER };
/** A server that knows the reader as another visitor, and says so after so many ms. */
const identifying = (ms: number) => ({
  send: (request: HttpRequest): Observable<HttpAnswer> =>
    timer(ms).pipe(
      map(() =>
        request.url.includes('identify')
          ? { status: 200, body: JSON.stringify({ user_id: otherId }) }
          : takenAnswer(request),
      ),
    ),
});
/** What the last page has left. */
const stored = (state: object) => ({
  local: { 'permutive-id': visitorId, 'permutive-app': JSON.stringify(state) },
});

/** Names of the events that wait for their upload, wherever they are stored. */
const queueOf = (world: TestWorld): string =>
  [
    ...world.state().queue.map(({ event }) => event),
    ...[...world.records.values()].flatMap((text) => (JSON.parse(String(text)) as { events: QueuedEvent[] }).events),
  ]
    .map(({ name }) => name)
    .join();
const unsavedOf = (world: TestWorld): string =>
  world
    .state()
    .unsaved.map(({ name }) => name)
    .join();

describe('a visit', () => {
  marble('makes events of what is tracked, has them evaluated, sends them, and tracks what they lead to', (helpers) => {
    const page = '      p 39ms l';
    const engine = '    - 9ms  e';
    const accepted = '  p 39ms l';
    const tracked = '   p 39ms l 469ms e';
    const told = '      (sp) 36ms l';
    const published = ' - 509ms 7';
    const requested = ' - 49ms (pl) 506ms e';
    const delivered = ' - 149ms (pl) 506ms e';
    const { world, expectOut, see } = play(helpers, { page, engine }, delayed(100));
    expectOut({ accepted, tracked, told, published, requested, delivered });
    see('               - 10s l', queueOf, '- 10s n', { n: '' });
    helpers.flush();
    expect(world.report).not.toHaveBeenCalled();
  });

  marble('goes through its stages once', (helpers) => {
    const engine = '    i----ibb';
    const told = '      (sb)';
    const seen = '      (yvi)-r';
    const dispatched = '(yi)--r';
    play(helpers, { engine }).expectOut({ told, seen, dispatched });
  });

  it.each([
    [400, 400],
    [999, 999],
    [5000, 1000],
  ])(
    'is ready when the addons that come after %d ms are there, at the latest after 1,000 ms',
    marbles((helpers, deferredMs: number, readyMs: number) => {
      const engine = '    i';
      const dispatched = `y ${readyMs - 1}ms i`;
      const deferredParts$ = timer(deferredMs).pipe(map(() => lateParts()));
      play(helpers, { engine }, { deferredParts$ }).expectOut({ dispatched });
    }),
  );

  marble('hears an engine that is ready before all parts listen once they do', (helpers) => {
    // Each part of the start takes a task. The engine is opened after 30 ms, and the last part begins after 50 ms.
    const engine = '- 44ms i';
    const seen = '  y 39ms v 9ms i';
    play(helpers, { engine }, { yieldThread: () => timer(10) }).expectOut({ seen });
  });

  marble('sends the barrier after all that the page tracks when it is initialised', (helpers) => {
    const engine = '--i';
    const told = '  s-(pb)';
    const onSignal = ({ type }: Signal, { track }: TestWorld): void => {
      if (type === 'stage') track('Pageview');
    };
    play(helpers, { engine }, { onSignal }).expectOut({ told });
  });

  marble('tells the engine of session and view only when they are new', (helpers) => {
    const page = '--plv---l';
    const told = 's-pl(cp)l';
    play(helpers, { page }).expectOut({ told });
  });

  marble('evaluates an event of the edge, and does not send it', (helpers) => {
    const page = '     g';
    const told = '     (sg)';
    const requested = '';
    const { expectOut, see } = play(helpers, { page });
    expectOut({ told, requested });
    see('              59s l', queueOf, '59s n', { n: '' });
  });

  marble('keeps what it has accepted until the server has answered', (helpers) => {
    const page = ' p';
    const look = ' 999ms l - l 1998ms l 1099ms l';
    const queue = '999ms p - p 1998ms p 1099ms n';
    const requested = '50ms p';
    const { expectOut, see } = play(helpers, { page }, delayed(3000));
    expectOut({ requested });
    see(look, queueOf, queue, { n: '', p: 'Pageview' });
  });

  marble('stores an event in the task that accepts it', (helpers) => {
    const page = ' 10ms p';
    const look = ' 9ms l - l';
    const queue = '9ms n - p';
    const { see } = play(helpers, { page }, silent);
    see(look, queueOf, queue, { n: '', p: 'Pageview' });
  });

  marble('sends what the last page could not', (helpers) => {
    const requested = '(kl)';
    const queue = [queuedOf('a', { name: 'Left' }), queuedOf('b', { name: 'LinkClick' })];
    const left = stored({ eventPublication: { eventUpload: queue.map((event) => [event.id, { event }]) } });
    const { expectOut, see } = play(helpers, {}, left);
    expectOut({ requested });
    see('              59s l', queueOf, '59s n', { n: '' });
  });

  marble('starts with the cohorts of the last page, and keeps those of this one', (helpers) => {
    const engine = ' --e';
    const cohorts = '1-7';
    const { world, expectOut } = play(helpers, { engine }, stored({ core: { cohorts: { all: ['1'] } } }));
    expectOut({ cohorts });
    helpers.flush();
    expect(world.state().cohorts).toEqual(['7']);
  });
});

describe('page exit', () => {
  marble('has two steps: addons emit their final events, then the engine ends and the events are sent', (helpers) => {
    const page = '     w 29ms x';
    const tracked = '  p 29ms m';
    const told = '     (sp) 26ms (mz)';
    const requested = '- 29ms (pm)';
    const { expectOut, see } = play(helpers, { page }, { addons: [web], ...delayed(400) });
    expectOut({ tracked, told, requested });
    see('              - 30ms l', queueOf, '- 30ms a', { a: 'Pageview,PageviewComplete' });
    see('              - 30ms l', unsavedOf, '- 30ms a', { a: 'Pageview,PageviewComplete' });
  });

  marble('hidden: server and engine hear at once what the view was, for now', (helpers) => {
    const page = '     w 9ms h 19ms x';
    const tracked = '  p 9ms m 19ms m';
    const told = '     (sp) 6ms (mx) 16ms (mz)';
    const requested = '- 9ms (pm)';
    play(helpers, { page }, { addons: [web], ...delayed(400) }).expectOut({ tracked, told, requested });
  });

  marble('foreseen: the server hears of the view before the page goes, and not again', (helpers) => {
    const page = '     w 9ms a 499ms x';
    const tracked = '  p 9ms m 499ms m';
    const told = '     (sp) 6ms (mx) 496ms (mz)';
    const requested = '- 9ms (pm)';
    const delivered = '- 409ms (pm)';
    const { expectOut, see } = play(helpers, { page }, { addons: [web], ...delayed(400) });
    expectOut({ tracked, told, requested, delivered });
    see('              - 510ms l', queueOf, '- 510ms n', { n: '' });
  });

  marble(
    'early: a page that leaves before its engine is initialised keeps and sends what it has tracked',
    (helpers) => {
      const page = '     p 9ms x';
      const told = '     (sp) 6ms z';
      const requested = '- 9ms p';
      const { expectOut, see } = play(helpers, { page }, delayed(400));
      expectOut({ told, requested });
      see('              - 10ms l', queueOf, '- 10ms p', { p: 'Pageview' });
      see('              - 10ms l', unsavedOf, '- 10ms p', { p: 'Pageview' });
    },
  );

  it.each([
    ['as consent is given', '- 9ms ywx', { consentRequired: true }],
    ['while it is set up', '- 10ms wx', { consentRequired: false }],
  ])(
    'early: a page that is left %s sends its Pageview, which waits for no field',
    marbles((helpers, _: string, page: string, config: Facts['config'] & {}) => {
      const requested = '- 11ms p';
      const project = { pageviewFields: { geo_info: '$ip_geo_info' } } as const;
      const slow = { yieldThread: () => timer(5000), deferredParts$: NEVER };
      play(helpers, { page }, { addons: [web], project, config, ...slow }).expectOut({ requested });
    }),
  );

  marble('publishes at once the memberships that wait', (helpers) => {
    const page = '     - 29ms x';
    const engine = '   - 9ms e';
    const published = '- 29ms 7';
    play(helpers, { page, engine }).expectOut({ published });
  });

  marble('stores at once what was accepted when the page is only hidden, and sends it', (helpers) => {
    const page = '     p 9ms h';
    const told = '     (sp) 6ms x';
    const requested = '- 9ms p';
    const { expectOut, see } = play(helpers, { page }, delayed(400));
    expectOut({ told, requested });
    see('              - 10ms l', queueOf, '- 10ms p', { p: 'Pageview' });
    see('              - 10ms l', unsavedOf, '- 10ms n', { n: '' });
  });
});

describe('events that the engine has not saved', () => {
  const lettersOf = { n: '', p: 'Pageview', l: 'LinkClick', k: 'Left', b: 'Left,Pageview' };
  const withUnsaved = stored({ queryLanguage: { unsaved: [eventOf('x', { name: 'Left' })] } });

  marble('are kept for the next page when this one goes, but for those that were saved', (helpers) => {
    const page = '   p 5ms l 3ms x';
    const engine = ' ----- s';
    const look = '   - 10ms l';
    const unsaved = '- 10ms l';
    play(helpers, { page, engine }).see(look, unsavedOf, unsaved, lettersOf);
  });

  marble('are kept once, though the page goes twice', (helpers) => {
    const page = '   p 9ms x 9ms x';
    const look = '   - 10ms l 9ms l';
    const unsaved = '- 10ms p 9ms p';
    play(helpers, { page }).see(look, unsavedOf, unsaved, lettersOf);
  });

  it.each([
    ['at once', 10],
    ['after its state was stored', 2000],
  ])(
    'of the last page are given to the engine, and kept until they are saved, though this page leaves too: %s',
    marbles((helpers, _: string, ms: number) => {
      const page = `   p ${ms - 1}ms x`;
      const look = `   - ${ms}ms l`;
      const unsaved = `- ${ms}ms b`;
      const { world, see } = play(helpers, { page }, withUnsaved);
      see(look, unsavedOf, unsaved, lettersOf);
      helpers.flush();
      expect(engineOf(world).heard[0]).toMatchObject({ unsaved: [{ id: 'x' }] });
    }),
  );

  marble('of the last page are gone once they are saved', (helpers) => {
    const page = '         2s x';
    const engine = ' ----- x';
    const look = '   - 2s    l';
    const unsaved = '- 2s    n';
    play(helpers, { page, engine }, withUnsaved).see(look, unsavedOf, unsaved, lettersOf);
  });

  const initialised = (world: TestWorld, ...ids: readonly string[]): void =>
    engineOf(world).say({
      type: 'initialised',
      membership: membershipOf('7', '8'),
      migrated: false,
      transitions: ids.map((id) => ({ id, entry: id !== '9', time: noon })),
    });

  marble('are evaluated again without telling again what the last page has told', (helpers) => {
    const engine = '     a';
    const published = '  500ms (8x)';
    const core = { cohorts: { all: ['7', '9'] } };
    const { world, expectOut } = play(helpers, {}, stored({ core, queryLanguage: { unsaved: [eventOf('x')] } }));
    helpers.schedule(engine, { a: () => initialised(world, '7', '8', '9') });
    expectOut({ published });
  });

  marble('tell again, to the engine of another visitor, what they lead to', (helpers) => {
    const page = '     700ms u';
    const engine = '   a 899ms a';
    const published = '1400ms 7';
    const { local } = stored({ core: { cohorts: { all: ['7'] } } });
    const { world, expectOut } = play(helpers, { page }, { local, ...identifying(0) });
    helpers.schedule(engine, { a: () => initialised(world, '7') });
    expectOut({ published });
    helpers.flush();
    expect(world.engines).toHaveLength(2);
  });
});

describe('consent', () => {
  const page = '  20ms w 19ms l';
  const engine = '10ms i 19ms e';
  const busy: Facts = { addons: [web], ...delayed(400) };
  const moments = [0, 5, 15, 25, 35, 45, 60, 100, 480, 520, 700, 1100, 3000];

  /** All that goes out after that time. */
  const after = ({ told$, request$ }: TestWorld, ms: number): Observable<unknown> =>
    merge(told$, request$).pipe(filter(() => asyncScheduler.now() > ms));

  it.each(moments)(
    'revoked after %i ms stops everything',
    marbles((helpers, ms: number) => {
      const revoke = `${ms}ms n`;
      const ends = `  ${ms}ms z`;
      const look = `  ${ms}ms - l`;
      const listening = `${ms}ms - s`;
      const { world, see } = play(helpers, { page, engine }, busy);
      helpers.schedule(revoke, { n: () => world.giveConsent(false) });
      helpers
        .expectObservable(world.told$.pipe(filter(({ type }) => type === 'end')))
        .toBe(ends, { z: { type: 'end' } });
      helpers.expectObservable(after(world, ms)).toBe('');
      // The SDK hears of consent given in another tab, and of nothing else.
      see(look, () => world.listening().join(), listening, { s: 'window pagehide,window pageshow,window storage' });
      helpers.flush();
      expect(world.local.all()).toEqual({ 'permutive-consent': '{"opt_in":false}' });
      expect([world.engines.length, [...world.jar.keys()], world.erasures()]).toEqual([1, ['permutive-consent'], 1]);
      expect(world.listening()).toEqual([]);
    }),
  );

  it.each(moments)(
    'given, leaves nothing where everything is stopped after %i ms',
    marbles((helpers, ms: number) => {
      const look = `   ${ms}ms l`;
      const atEnd = `  ${ms}ms n`;
      const ends = `   ${ms}ms z`;
      const { world, see } = play(helpers, { page, engine }, { ...busy, end: `${ms}ms !` });
      let stored: unknown;
      const note = (): string => {
        stored = world.local.all();
        return world.listening().join();
      };
      see(look, note, atEnd, { n: '' });
      helpers
        .expectObservable(world.told$.pipe(filter(({ type }) => type === 'end')))
        .toBe(ends, { z: { type: 'end' } });
      helpers.expectObservable(after(world, ms)).toBe('');
      helpers.flush();
      expect(world.local.all()).toEqual(stored);
    }),
  );

  marble('given, listens to what the visit needs', (helpers) => {
    // The first two: a consent platform that comes late.
    const listening =
      'document DOMContentLoaded,document load,document visibilitychange,document visibilitychange,navigation navigate,window pagehide,window pagehide,' +
      'window pageshow,window pageshow,window storage,window storage';
    play(helpers, {}).see('- 9ms l', (world) => world.listening().join(), '- 9ms l', { l: listening });
  });

  marble('given, withdrawn and given again: each time it begins with a new visitor and a new engine', (helpers) => {
    const page = '      ----p-n-p-y----p-n--y';
    const engine = '    i-------------i---------i';
    const accepted = '  ----p---n------p';
    const told = '      (sb)p-z---s---bp-z--s---b';
    const seen = '      (yvi)-n---(yv)i--n--(yv)i';
    const dispatched = '(yi)--n---y---i--n--y---i';
    const requested = '';
    const { world, expectOut } = play(helpers, { page, engine });
    expectOut({ accepted, told, seen, dispatched, requested });
    helpers.flush();
    expect(world.erasures()).toBe(2);
  });

  marble('given again, has nothing of the visitor before', (helpers) => {
    const page = ' --n-y-p';
    const told = ' v-z-s-p';
    play(helpers, { page }, { cookies: { 'permutive-id': visitorId } }).expectOut({ told });
  });

  marble('given twice, changes nothing', (helpers) => {
    const page = ' -y-y';
    const told = ' s';
    const seen = ' (yv)';
    play(helpers, { page }).expectOut({ told, seen });
  });

  marble('withdrawn, takes no event', (helpers) => {
    const page = '    ----npl';
    const accepted = '-----nn';
    const told = '    s---z';
    const seen = '    (yv)n';
    const cohorts = ' n';
    play(helpers, { page }).expectOut({ accepted, told, seen, cohorts });
  });

  marble('withdrawn, lets a reset be done at once', (helpers) => {
    const page = ' n-r';
    const reset = '--d';
    play(helpers, { page }).expectOut({ reset });
  });

  marble('withdrawn, aborts the request that is under way', (helpers) => {
    const page = ' p 99ms n';
    const abort = '- 99ms a';
    const aborted = helpers.effect<[]>();
    play(helpers, { page }, { send: () => NEVER.pipe(tap({ unsubscribe: () => aborted() })) });
    helpers.expectObservable(aborted.call$).toBe(abort, { a: [] });
  });

  marble('not given where it is required, opens no engine, stores nothing, sends nothing', (helpers) => {
    const page = '     p';
    const told = '     ';
    const seen = '     u';
    const dispatched = '';
    const requested = '';
    const { world, expectOut } = play(helpers, { page }, { config: { consentRequired: true } });
    expectOut({ told, seen, dispatched, requested });
    helpers.flush();
    expect([world.engines.length, world.local.keys(), world.jar.size]).toEqual([0, [], 0]);
  });

  marble('not asked yet, erases nothing: another host of the site may have consent', (helpers) => {
    const known = { 'permutive-id': visitorId, _pdfps: '["7"]' };
    const { world } = play(helpers, {}, { config: { consentRequired: true }, cookies: known, local: known });
    helpers.flush();
    expect([Object.fromEntries(world.jar), world.local.all(), world.erasures()]).toEqual([known, known, 0]);
  });

  marble('given at last, goes on with the visitor of the site', (helpers) => {
    const page = '--y';
    const told = '--v';
    const seen = 'u-(yv)';
    const known = { 'permutive-id': visitorId };
    play(helpers, { page }, { config: { consentRequired: true }, cookies: known }).expectOut({ told, seen });
  });

  const requiresLate = (helpers: MarbleHelpers, page: string) => {
    const config: Record<string, unknown> = {};
    helpers.schedule('1s r', { r: () => (config['consentRequired'] = true) });
    return play(helpers, { page }, { addons: [web], config });
  };

  marble('that the page requires after the start ends the visit with the page’s next call', (helpers) => {
    const page = '   w';
    const calling = '2s p';
    const seen = '   (yv) 1996ms u';
    const { world, api, expectOut } = requiresLate(helpers, page);
    const asked = helpers.effect<[unknown]>();
    helpers.schedule(calling, { p: () => void api.methods['segments']?.((codes: unknown) => asked(codes)) });
    expectOut({ seen });
    helpers.expectObservable(asked.call$).toBe(calling, { p: [[]] });
    helpers.flush();
    expect([world.jar.size, world.erasures()]).toEqual([1, 0]);
  });

  marble('that the page requires after the start ends the visit before an addon tracks more', (helpers) => {
    const page = '   w 1999ms x';
    const tracked = 'p';
    const seen = '   (yv) 1996ms u';
    const { world, expectOut } = requiresLate(helpers, page);
    expectOut({ tracked, seen });
    helpers.flush();
    expect([world.jar.size, world.erasures()]).toEqual([1, 0]);
  });

  marble('given in another tab, starts this one too', (helpers) => {
    const elsewhere = '10ms a';
    const told = '     10ms s';
    const { world, expectOut } = play(helpers, {}, { config: { consentRequired: true } });
    const giveElsewhere = (): void => {
      world.local.write('permutive-consent', '{"opt_in":true,"token":"t"}');
      world.fire('window', 'storage', { key: 'permutive-consent' });
    };
    helpers.schedule(elsewhere, { a: giveElsewhere });
    expectOut({ told });
  });
});

describe('a reset', () => {
  marble('tells the server, and begins with a new visitor, state and store', (helpers) => {
    const page = '     - 9ms r 9ms p';
    const told = '     v 9ms (zs) 6ms p';
    const requested = '- 9ms r 59ms p';
    const reset = '';
    const local = {
      ...stored({ core: { cohorts: { all: ['1'] } } }).local,
      'permutive-session': '{}',
      _psegs: '[1]',
      theirs: 'x',
    };
    const { world, expectOut } = play(helpers, { page }, { cookies: { 'permutive-id': visitorId }, local });
    expectOut({ told, requested, reset });
    helpers.flush();
    expect(world.erasures()).toBe(1);
    expect(world.requests[0]).toMatchObject({ method: 'POST', url: expect.stringContaining('/v2.0/reset') as string });
    expect([world.state().cohorts, world.local.read('theirs'), world.local.read('_psegs')]).toEqual([[], 'x', null]);
    expect(world.jar.get('permutive-id')).toBe(world.local.read('permutive-id'));
  });

  marble('is done once the engine of the new visitor is initialised', (helpers) => {
    const page = '  - 9ms r';
    const engine = 'i 20ms i';
    const reset = ' - 20ms d';
    play(helpers, { page, engine }).expectOut({ reset });
  });

  marble('is done where the visit stops before that', (helpers) => {
    const page = ' - 9ms r';
    const reset = '- 19ms d';
    play(helpers, { page }, { end: '20ms !' }).expectOut({ reset });
  });

  marble('is done though the server cannot be told, and that is reported', (helpers) => {
    const page = '     - 9ms r';
    const engine = '   - 10ms i';
    const requested = '- 9ms r';
    const reset = '    - 10ms d';
    const send = (request: HttpRequest) =>
      of(request.url.includes('reset') ? { status: 500, body: '' } : takenAnswer(request));
    const { world, expectOut } = play(helpers, { page, engine }, { send });
    expectOut({ requested, reset });
    helpers.flush();
    expect(world.report.mock.calls.map(([message]) => message)).toEqual(['Error resetting internals']);
  });

  marble('that is overtaken by another reset is done too', (helpers) => {
    const page = '  - 9ms r 9ms r';
    const engine = '- 29ms       i';
    const reset = ' - 19ms d 9ms d';
    play(helpers, { page, engine }).expectOut({ reset });
  });

  marble('that is overtaken by consent that goes is done too', (helpers) => {
    const page = ' - 9ms r 9ms n';
    const told = ' s 9ms (zs) 6ms z';
    const reset = '- 19ms d';
    play(helpers, { page }).expectOut({ told, reset });
  });
});

describe('a visitor who is identified', () => {
  /** The server answers after 100 ms. */
  const known: Facts = {
    cookies: { 'permutive-id': visitorId },
    local: { 'permutive-id': visitorId },
    ...identifying(100),
  };

  marble('has the other id from the answer on; what was accepted before keeps its own', (helpers) => {
    const page = '      - 9ms p 9ms u 39ms l 69ms f';
    const engine = '    i';
    const told = '      (vb) 6ms p 49ms l 59ms (zob) 5ms f';
    const requested = ' - 19ms u 39ms (pl) 116ms f';
    const senders = '   - 59ms (vv) 116ms o';
    const identified = '- 119ms o';
    const look = '      59ms l 69ms l';
    const context = '   59ms v 69ms o';
    const { world, api, expectOut, see } = play(helpers, { page, engine }, known);
    expectOut({ told, requested, senders, identified });
    see(look, () => who(api.context().user_id), context, { v: 'visitor', o: 'other' });
    helpers.flush();
    expect([world.jar.get('permutive-id'), world.local.read('permutive-id')]).toEqual([otherId, otherId]);
  });

  marble('is another user to the engine, which begins anew with what happened on this page', (helpers) => {
    const page = '  - 9ms p 9ms u 109ms l';
    const engine = 'i';
    const told = '  (vb) 6ms p 109ms (zob) 5ms l';
    const { world, expectOut, see } = play(helpers, { page, engine }, known);
    expectOut({ told });
    see('140ms l', ({ engines }) => engines.map((each) => each.isOpen()).join(), '140ms l', { l: 'false,true' });
    helpers.flush();
    expect(engineOf(world).heard[0]).toMatchObject({ userId: otherId, unsaved: [{ name: 'Pageview' }] });
  });

  marble('has an engine that is given the data of the page once more', (helpers) => {
    const place = JSON.stringify({ geo_info: { country: 'Germany' } });
    const send = (request: HttpRequest): Observable<HttpAnswer> =>
      request.url.includes('geoip') ? of({ status: 200, body: place }) : identifying(40).send(request);
    const deferredParts$ = of(lateParts({ cohortServices }));
    const facts = { ...known, send, deferredParts$, project: { lookups: ['geo'] as const } };
    const { world } = play(helpers, { page: '- 9ms p 9ms u', engine: 'i' }, facts);
    helpers.flush();
    const data = { type: 'data', patch: { geo: { country: 'Germany' } } };
    expect(world.engines.map(({ heard }) => heard.filter(({ type }) => type === 'data'))).toEqual([[data], [data]]);
  });

  marble('does not hand on what the last page of another user has left', (helpers) => {
    const page = '- 19ms u';
    const left = stored({ queryLanguage: { unsaved: [eventOf('x', { name: 'Left' })] } }).local;
    const { world } = play(helpers, { page }, { ...known, local: { ...known.local, ...left } });
    helpers.flush();
    expect(world.engines.map(({ heard }) => heard[0])).toMatchObject([
      { unsaved: [{ name: 'Left' }] },
      { userId: otherId, unsaved: [] },
    ]);
  });

  marble('goes through the stages once, where the engine changes before it is initialised', (helpers) => {
    const page = '  u';
    const engine = '- 119ms i 9ms b';
    const told = '  v 99ms (zo) 16ms b';
    const seen = '  (yv) 116ms i 9ms r';
    play(helpers, { page, engine }, known).expectOut({ told, seen });
  });

  marble('goes through the stages once, where the engine changes before it is real-time', (helpers) => {
    const page = '  u';
    const engine = '- 9ms i 109ms i 9ms b 9ms b';
    const told = '  v 9ms b 89ms (zob)';
    const seen = '  (yv) 6ms i 119ms r';
    play(helpers, { page, engine }, known).expectOut({ told, seen });
  });

  marble('answers no question that the engine before had asked', (helpers) => {
    const page = '     u';
    const engine = '   - 49ms q 69ms q';
    const told = '     v 99ms (zo) 116ms a';
    const requested = 'u 49ms d 69ms d';
    play(helpers, { page, engine }, known).expectOut({ told, requested });
  });

  marble('has the cohorts of that user', (helpers) => {
    const page = '   - 9ms u';
    const engine = ' e 119ms j';
    const cohorts = '(n7) 106ms n 9ms 8';
    const { world, expectOut } = play(helpers, { page, engine }, known);
    expectOut({ cohorts });
    helpers.flush();
    expect(world.state().cohorts).toEqual(['8']);
  });

  marble('is the same to the engine when the server says so', (helpers) => {
    const page = '      - 19ms u';
    const told = '      v';
    const identified = '- 19ms v';
    const send = () => of({ status: 200, body: JSON.stringify({ user_id: visitorId }) });
    play(helpers, { page }, { ...known, send }).expectOut({ told, identified });
  });

  marble('without consent is nobody', (helpers) => {
    const page = '      n 9ms u';
    const requested = '';
    const identified = '- 9ms n';
    const { world, expectOut } = play(helpers, { page }, known);
    expectOut({ requested, identified });
    helpers.flush();
    expect(world.local.keys()).toEqual(['permutive-consent']);
  });

  marble('and then refuses, is forgotten, and the call is answered', (helpers) => {
    const page = '      u 49ms n';
    const told = '      v 49ms z';
    const identified = '- 49ms n';
    const { world, expectOut } = play(helpers, { page }, known);
    expectOut({ told, identified });
    helpers.flush();
    expect([world.local.keys(), [...world.jar.keys()]]).toEqual([['permutive-consent'], ['permutive-consent']]);
  });

  marble('and then reset, is nobody known', (helpers) => {
    const page = '   u 149ms r 49ms p';
    const told = '   v 99ms (zo) 46ms (zs) 46ms p';
    const senders = '- 249ms s';
    const { world, expectOut } = play(helpers, { page }, known);
    expectOut({ told, senders });
    helpers.flush();
    expect(world.local.read('permutive-data-misc')).toBeNull();
  });

  it('on the next page is known, and nobody is asked', () => {
    const page = '       u';
    const asked = '      u';
    const identified = ' 100ms o';
    const onNextPage = ' o';
    let left: Facts = {};
    marbles((helpers) => {
      const { world, expectOut } = play(helpers, { page }, known);
      expectOut({ requested: asked, identified });
      helpers.flush();
      left = { cookies: Object.fromEntries(world.jar), local: world.local.all() };
    })();
    marbles((helpers) => {
      play(helpers, { page }, { ...known, ...left }).expectOut({ told: 'o', requested: '', identified: onNextPage });
    })();
  });
});

describe('a page that comes back from the back-forward cache', () => {
  marble('has a visit of its own: the same visitor, the same view, its addons again', (helpers) => {
    const page = '     - 9ms w 9ms x 9ms b';
    const tracked = '  - 9ms p 9ms m 9ms p';
    const told = '     v 9ms p 9ms (mz) 6ms (vp)';
    const seen = '     (yv) 26ms v';
    const requested = '- 19ms (pm) 36ms p';
    const facts = { cookies: { 'permutive-id': visitorId }, addons: [web] };
    const { world, only, expectOut } = play(helpers, { page }, facts);
    expectOut({ tracked, told, seen, requested });
    const views = new Set<unknown>();
    only('event').subscribe(({ event: { name, view_id } }) => name === 'Pageview' && views.add(view_id));
    helpers.flush();
    expect(views.size).toBe(1);
    expect(world.erasures()).toBe(0);
  });

  marble('is not one that is shown for the first time', (helpers) => {
    const page = '- 9ms o';
    const told = 's';
    const seen = '(yv)';
    play(helpers, { page }).expectOut({ told, seen });
  });
});

describe('a page view', () => {
  const windowMs = 300_000;
  /** How many views a document has, in which these things happen in this order, the last one so many ms after `w`. */
  const views = (helpers: MarbleHelpers, page: string, facts: Facts = {}): Set<string> => {
    const known = { cookies: { 'permutive-id': visitorId }, addons: [web], end: '21m !' };
    const { only } = play(helpers, { page }, { ...known, ...facts });
    const ids = new Set<string>();
    only('event').subscribe(({ event: { name, view_id } }) => name === 'Pageview' && ids.add(view_id));
    helpers.flush();
    return ids;
  };

  it.each([
    ['goes on', windowMs - 1, 1],
    ['is another', windowMs, 2],
    ['is another', windowMs + 1, 2],
  ])('%s where the page opens it again %d ms after its last activity', (_, ms, count) => {
    marbles((helpers) => {
      expect(views(helpers, `w ${ms - 1}ms w`).size).toBe(count);
    })();
  });

  it.each([
    ['goes on', windowMs - 1, 1],
    ['is another', windowMs, 2],
    ['is another', windowMs + 1, 2],
  ])('%s where the visitor comes back %d ms after its last activity', (_, ms, count) => {
    marbles((helpers) => {
      expect(views(helpers, `w 1m x ${ms - 60_002}ms b`).size).toBe(count);
    })();
  });

  marble('stays young by what the visitor does', (helpers) => {
    expect(views(helpers, `w ${windowMs - 2}ms l ${windowMs - 2}ms w`).size).toBe(1);
  });

  marble('goes on through several returns, each soon after the last', (helpers) => {
    expect(views(helpers, 'w 4m x 30s b 4m x 30s b').size).toBe(1);
  });

  marble('is another at another address, however soon', (helpers) => {
    let url = 'https://www.site.example/first/';
    const page = { url: () => url, host: () => 'www.site.example' };
    helpers.schedule('-m', { m: () => (url = 'https://www.site.example/second/') });
    expect(views(helpers, 'w-w', { page }).size).toBe(2);
  });

  marble('is another of another visitor', (helpers) => {
    expect(views(helpers, 'w-r').size).toBe(2);
  });

  marble('is another after consent that was withdrawn', (helpers) => {
    expect(views(helpers, 'w-ny').size).toBe(2);
  });

  marble('is another where the page resets it', (helpers) => {
    expect(views(helpers, 'w-z').size).toBe(2);
  });
});

describe('addons', () => {
  const addonOf = (name: string, run: Addon<unknown>['run']): AnyAddon => ({
    name,
    autoInit: true,
    options: (input) => input,
    run,
  });

  marble('see each cause before its effects', (helpers) => {
    const page = '     --p';
    const tracked = '  --(pl)';
    const told = '     s-(pl)';
    const heard = '    --(pl)';
    const hear = helpers.effect<[name: string]>();
    const reacting = addonOf('reacting', ({ event$ }) =>
      event$.pipe(
        filter(({ name }) => name === 'Pageview'),
        map(() => ({ name: 'LinkClick' })),
      ),
    );
    const watching = addonOf('watching', ({ event$ }) =>
      event$.pipe(
        tap(({ name }) => hear(name)),
        ignoreElements(),
      ),
    );
    const { expectOut } = play(helpers, { page }, { addons: [reacting, watching] });
    expectOut({ tracked, told });
    helpers.expectObservable(hear.call$).toBe(heard, { p: ['Pageview'], l: ['LinkClick'] });
  });
});
