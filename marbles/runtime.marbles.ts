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
import { uploadedMark } from '../src/model/delivery';
import type { QueuedEvent } from '../src/model/queuedEvent';
import type { HttpAnswer, HttpRequest } from '../src/platform/platform';
import { runtime } from '../src/runtime';
import { noon, queuedOf, visitorId } from '../test/support/events';
import { lateParts } from '../test/support/project';
import { noting, type Signal } from '../test/support/visitSignals';
import { engineOf, membershipOf, type TestWorld, type Told, type WorldFacts, worldOf } from '../test/support/world';
import { marble, type MarbleHelpers, marbles } from './support/marbles';

/** The id by which the server knows the visitor, once identified. */
const otherId = '9d3c1b2a-4e5f-4a6b-8c7d-0e1f2a3b4c5d';

// The letters of all diagrams below.

/** What the page and its visitor do. */
const pageActs = (
  world: TestWorld,
  done: { reset: () => void; identify: (id: string | null) => void; explain: (words: string | null) => void },
) => ({
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
  e: () => world.calls.explain({ id: '7', done: done.explain }),
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
const engineActs = (world: TestWorld) => ({
  i: () => engineOf(world).initialise(),
  j: () => engineOf(world).initialise('8'),
  /** The visitor enters cohort 7. */
  e: () => engineOf(world).enter('7'),
  /** The barrier is reached. */
  b: () => engineOf(world).reachBarrier(),
  /** The engine asks the page for the models. */
  q: () => engineOf(world).say({ type: 'ask', request: 1, what: 'jsonModels', input: {} }),
  /** The engine has other models. */
  m: () => engineOf(world).say({ type: 'models' }),
});

const eventLetters = {
  p: 'Pageview',
  l: 'LinkClick',
  f: 'FormSubmission',
  g: 'PageviewEngagement',
  m: 'PageviewComplete',
  e: 'SegmentEntry',
  h: 'UpdateLookalikeModels',
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
    e: 'explain',
    j: 'SegmentEntry',
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
  /** Answers of `explain`. */
  explained: { n: 'nothing' },
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
  const api = publicApi({
    ...world,
    hasAnswered: () => false,
    addonNames: ['web'],
    idsByName$: EMPTY,
    dispatch: world.page.dispatch,
    global: world.page.global,
  });
  const [reset, identify, explain] = [effect<[]>(), effect<[id: string | null]>(), effect<[words: string | null]>()];
  expectObservable(runtime(world, [api, noting(note)]), facts.end ?? '1m !').toBe('');
  if (page !== undefined) schedule(page, pageActs(world, { reset, identify, explain }));
  if (engine !== undefined) schedule(engine, engineActs(world));

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
    explained: explain.call$.pipe(map(([words]) => words ?? 'nothing')),
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
    ...world.state().queue.map(({ stored }) => (stored as [string, { event: QueuedEvent }])[1].event),
    ...[...world.records.values()].flatMap((text) => {
      const { events, places } = JSON.parse(String(text)) as { events: QueuedEvent[]; places: [number, number][] };
      return events.filter((_, i) => (Number(places[i]?.[1]) & uploadedMark) === 0);
    }),
  ]
    .map(({ name }) => name)
    .join();
describe('a visit', () => {
  marble('makes events of what is tracked, has them evaluated, sends them, and tracks what they lead to', (helpers) => {
    const page = '      p 39ms l';
    const engine = '    - 9ms  e';
    const accepted = '  p 39ms l';
    const tracked = '   p 39ms l 469ms e';
    const told = '      (sp) 36ms l 469ms j';
    const published = ' - 509ms 7';
    const requested = ' - 49ms (pl) 506ms e';
    const delivered = ' - 149ms (pl) 506ms e';
    const { world, expectOut, see } = play(helpers, { page, engine }, delayed(100));
    expectOut({ accepted, tracked, told, published, requested, delivered });
    see('               - 10s l', queueOf, '- 10s n', { n: '' });
    helpers.flush();
    expect(world.report).not.toHaveBeenCalled();
  });

  marble('has an event for queries where lookalike models have changed, which is not sent', (helpers) => {
    const engine = '    i 9ms m';
    const tracked = '   - 9ms h';
    const told = '      (sb) 6ms h';
    const requested = ' -';
    const deferredParts$ = of(lateParts({ cohortServices }));
    play(helpers, { engine }, { deferredParts$, ...delayed(100) }).expectOut({ tracked, told, requested });
  });

  marble('goes through its stages once', (helpers) => {
    const engine = '    i----ibb';
    const told = '      (sb)';
    const seen = '      (yvi)-r';
    const dispatched = 'i-----r';
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
      const dispatched = `${readyMs}ms i`;
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
  });
});

describe('events that the engine has not saved', () => {
  const initialised = (world: TestWorld, ...ids: readonly string[]): void =>
    engineOf(world).say({
      type: 'initialised',
      membership: membershipOf('7', '8'),
      migrated: false,
      transitions: ids.map((id) => ({ id, entry: id !== '9', time: noon })),
      mayBeTold: true,
    });

  marble('are evaluated again without telling again what the last page has told', (helpers) => {
    const engine = '     a';
    const published = '  500ms (8x)';
    const core = { cohorts: { all: ['7', '9'] } };
    const { world, expectOut } = play(helpers, {}, stored({ core }));
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
      // The SDK hears of answers about consent in other tabs and on other hosts, and of nothing else.
      const heard = 'cookieStore change,document visibilitychange,window pagehide,window pageshow,window storage';
      see(look, () => world.listening().join(), listening, { s: heard });
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
      'cookieStore change,cookieStore change,document DOMContentLoaded,document load,document visibilitychange,document visibilitychange,document visibilitychange,document visibilitychange,navigation navigate,window pagehide,window pagehide,' +
      'window pageshow,window pageshow,window storage,window storage';
    play(helpers, {}).see('- 9ms l', (world) => world.listening().join(), '- 9ms l', { l: listening });
  });

  marble('given, withdrawn and given again: each time it begins with a new visitor and a new engine', (helpers) => {
    const page = '      ----p-n-p-y----p-n--y';
    const engine = '    i-------------i---------i';
    const accepted = '  ----p---n------p';
    const told = '      (sb)p-z---s---bp-z--s---b';
    const seen = '      (yvi)-n---(yv)i--n--(yv)i';
    const dispatched = 'i-----n---y---i--n--y---i';
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
    expect([world.jar.has('permutive-id'), world.erasures()]).toEqual([true, 0]);
  });

  marble('that the page requires after the start ends the visit before an addon tracks more', (helpers) => {
    const page = '   w 1999ms x';
    const tracked = 'p';
    const seen = '   (yv) 1996ms u';
    const { world, expectOut } = requiresLate(helpers, page);
    expectOut({ tracked, seen });
    helpers.flush();
    expect([world.jar.has('permutive-id'), world.erasures()]).toEqual([true, 0]);
  });

  const refuseOnAnotherHost = (world: TestWorld) => (): void =>
    world.cookies.write('permutive-consent=%7B%22opt_in%22%3Afalse%7D; domain=site.example; path=/');

  marble('withdrawn on another host, keeps back what is about to be sent', (helpers) => {
    const page = '     - 9ms p';
    const elsewhere = '- 14ms c';
    const requested = '';
    const seen = '     (yv) 56ms n';
    const { world, expectOut } = play(helpers, { page }, { hasCookieStore: false });
    helpers.schedule(elsewhere, { c: refuseOnAnotherHost(world) });
    expectOut({ requested, seen });
    helpers.flush();
    expect([world.local.all(), world.erasures(), world.records.size]).toEqual([{}, 1, 0]);
  });

  marble(
    'withdrawn on another host, ends the visit when the page is shown, or when the browser tells of it',
    (helpers) => {
      for (const look of [
        (world: TestWorld) => world.fire('document', 'visibilitychange'),
        (world: TestWorld) => world.fire('cookieStore', 'change'),
      ]) {
        const elsewhere = '- 14ms c';
        const told = '     - 19ms l';
        const seen = '     (yv) 16ms n';
        const { world, expectOut } = play(helpers, {});
        helpers.schedule(elsewhere, { c: refuseOnAnotherHost(world) });
        helpers.schedule(told, { l: () => look(world) });
        expectOut({ seen });
      }
    },
  );

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

  marble('that is overtaken by another reset is done with it', (helpers) => {
    const page = '  - 9ms r 9ms r';
    const engine = '- 29ms       i';
    const reset = ' - 29ms (dd)';
    play(helpers, { page, engine }).expectOut({ reset });
  });

  marble('whose user another tab replaces before the visit is initialised is done with the visit after', (helpers) => {
    const page = '     - 9ms r';
    const elsewhere = '- 14ms c';
    const engine = '   - 29ms i';
    const told = '     s 9ms (zs) 1ms (zo) 11ms b';
    const reset = '    - 29ms d';
    const { world, expectOut } = play(helpers, { page, engine });
    const changeElsewhere = (): void => {
      world.local.write('permutive-id-since', String(world.now() + 1));
      world.local.write('permutive-id', otherId);
      world.fire('window', 'storage', { key: 'permutive-id' });
    };
    helpers.schedule(elsewhere, { c: changeElsewhere });
    expectOut({ told, reset });
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
    expect(engineOf(world).heard[0]).toMatchObject({ userId: otherId, given: [{ name: 'Pageview' }] });
  });

  marble('has an engine that is given the data of the page once more', (helpers) => {
    const place = JSON.stringify({ geo_info: { country: 'Germany' } });
    const send = (request: HttpRequest): Observable<HttpAnswer> =>
      request.url.includes('geoip') ? of({ status: 200, body: place }) : identifying(40).send(request);
    const deferredParts$ = of(lateParts({ cohortServices }));
    const facts = { ...known, send, deferredParts$, project: { lookups: ['geo'] as const } };
    const { world } = play(helpers, { page: '- 9ms p 9ms u', engine: 'i' }, facts);
    helpers.flush();
    const places = world.engines.map(({ heard }) =>
      heard.flatMap((message) => {
        const { patch } = message as { readonly patch?: { readonly geo?: unknown } };
        return patch?.geo === undefined ? [] : [patch.geo];
      }),
    );
    expect(places).toEqual([[{ country: 'Germany' }], [{ country: 'Germany' }]]);
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

  describe('before the deferred chunk is there', () => {
    const loadedAt = (ms: number): Facts => ({ ...known, deferredParts$: timer(ms).pipe(map(() => lateParts())) });

    marble('is told to the server once it is', (helpers) => {
      const page = '      - 9ms u';
      const requested = ' 500ms u';
      const identified = '600ms o';
      play(helpers, { page }, loadedAt(500)).expectOut({ requested, identified });
    });

    marble('and leaves, is told by the page that comes back from the back-forward cache', (helpers) => {
      const page = '      - 9ms u 9ms x 79ms b';
      const requested = ' 600ms u';
      const identified = '700ms o';
      play(helpers, { page }, loadedAt(500)).expectOut({ requested, identified });
    });

    marble('and refuses, is nobody', (helpers) => {
      const page = '      - 9ms u 9ms n';
      const requested = '';
      const identified = '- 19ms n';
      play(helpers, { page }, loadedAt(500)).expectOut({ requested, identified });
    });

    marble('and is reset, is nobody', (helpers) => {
      const page = '      - 9ms u 9ms r';
      const requested = '- 19ms r';
      const identified = '- 19ms n';
      play(helpers, { page }, loadedAt(500)).expectOut({ requested, identified });
    });

    marble('is nobody where it does not load, also after a later call', (helpers) => {
      const page = '      - 9ms u 989ms u';
      const requested = '';
      const identified = '500ms n 499ms n';
      const deferredParts$ = timer(500).pipe(ignoreElements());
      play(helpers, { page }, { ...known, deferredParts$ }).expectOut({ requested, identified });
    });
  });

  marble('while the page leaves, is told again by the page that comes back', (helpers) => {
    const page = '      - 9ms u 9ms x 9ms b';
    const requested = ' - 9ms u 19ms u';
    const identified = '- 129ms o';
    play(helpers, { page }, known).expectOut({ requested, identified });
  });

  marble('while the page leaves, is nobody where the page comes back to another visitor', (helpers) => {
    const page = '      - 9ms u 9ms x 9ms b';
    const requested = ' - 9ms u';
    const identified = '- 29ms n';
    const { world, expectOut } = play(helpers, { page }, known);
    helpers.schedule('   - 24ms o', { o: () => world.cookies.write(`permutive-id=${otherId}`) });
    expectOut({ requested, identified });
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
    // The second engine starts with the events of the first visit.
    const told = '     v 9ms p 9ms (mz) 6ms (vp)';
    const seen = '     (yv) 26ms v';
    const requested = '- 19ms (pm) 36ms p';
    const facts = { cookies: { 'permutive-id': visitorId }, addons: [web] };
    const { world, only, expectOut } = play(helpers, { page }, facts);
    expectOut({ tracked, told, seen, requested });
    const views = new Set<unknown>();
    only('event').subscribe(({ event: { name, view_id } }) => name === 'Pageview' && views.add(view_id));
    const given: unknown[] = [];
    world.told$.subscribe((told) => told.type === 'start' && given.push(told.given?.map(({ name }) => name)));
    helpers.flush();
    expect(views.size).toBe(1);
    expect(world.erasures()).toBe(0);
    expect(given).toEqual([[], ['Pageview', 'PageviewComplete']]);
  });

  marble('is not one that is shown for the first time', (helpers) => {
    const page = '- 9ms o';
    const told = 's';
    const seen = '(yv)';
    play(helpers, { page }).expectOut({ told, seen });
  });
});

describe('a page that asks why a visitor is in a cohort', () => {
  marble('and leaves, is answered by the engine that it gets as it comes back', (helpers) => {
    const page = '- 9ms e 9ms x 9ms b';
    const told = 's 9ms e 9ms z 9ms (se)';
    play(helpers, { page }).expectOut({ told, explained: '' });
  });

  marble('as it comes back, is answered by its next engine', (helpers) => {
    const page = '- 9ms x 9ms (be)';
    const told = 's 9ms z 9ms (se)';
    play(helpers, { page }).expectOut({ told });
  });

  marble('and refuses, is told nothing', (helpers) => {
    const page = '     - 9ms e 9ms n';
    const explained = '- 19ms n';
    play(helpers, { page }).expectOut({ explained });
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

  marble('may track an event that the SDK has not processed, and the server is told so', (helpers) => {
    const page = '     p';
    const tracked = '  (pf)';
    // The two events differ in a flag of the request, and requests go one at a time.
    const requested = '- 49ms p 99ms f';
    const handingOver = addonOf('handingOver', ({ event$ }) =>
      event$.pipe(
        filter(({ name }) => name === 'Pageview'),
        map(() => ({ name: 'FormSubmission', sdkProcessed: false })),
      ),
    );
    const { world, expectOut } = play(helpers, { page }, { addons: [handingOver], ...delayed(100) });
    expectOut({ tracked, requested });
    const flags$ = world.request$.pipe(
      filter((request) => batchOf(request).length > 0),
      map(({ url }) => /sdkp=\w+/.exec(url)?.[0]),
    );
    helpers.expectObservable(flags$, '59s !').toBe(requested, { p: 'sdkp=true', f: 'sdkp=false' });
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
