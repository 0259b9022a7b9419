import fc from 'fast-check';
import { asyncScheduler, Subject, type Subscription, tap, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';

import { init } from '../../src/engine/engine';
import { published } from '../../src/engine/language/canonical';
import type { Definition } from '../../src/engine/language/language';
import { h53 } from '../../src/engine/language/murmur';
import { norm } from '../../src/engine/language/text';
import { engineEvent } from '../../src/engineHost/cachedEvent';
import { engineHost } from '../../src/engineHost/engineHost';
import { uuid } from '../../src/fakePlatform/countedIds';
import type { EngineCommand, EngineMessage, VisitContext } from '../../src/model/engineCommands';
import type { NumberedEvent } from '../../src/model/event';
import type { EventStore } from '../../src/platform/platform';
import { drawing } from '../support/drawing';
import { noon } from '../support/events';
import { hostDepsOf, startOf } from '../support/hostDeps';
import { keyValueStore } from '../support/keyValueStore';
import { lawOf } from '../support/laws';
import { sharedStore, type Weather } from './support/sharedStore';

/** The n-th event adds 4 to the power of n, so a sum tells how often each event has counted. */
const base = 4;
const never = 1e12;
const sumOf = (event: string): Definition['q'] => ({ event, sum: 'amount', is: { gte: never }, within: { days: 7 } });
const sums: readonly Definition[] = [
  { id: '1', q: sumOf('Pageview') },
  // Never cached.
  { id: '2', q: sumOf('PageviewEngagement') },
];
/** Counts that do not depend on the order of the events. */
const unordered: readonly Definition[] = [
  ...sums,
  { id: '3', q: { event: 'Pageview', sum: 'amount', is: { gte: never } } },
  { id: '4', q: { event: 'Pageview', distinct: 'path', is: { gte: 100 }, within: { days: 7 } } },
  { id: '5', q: { event: 'Pageview', within: 'session', is: { gte: 100 } } },
  { id: '6', q: { event: 'Pageview', within: { days: 7 }, is: { gte: 3 } } },
  { id: '7', q: { entered: '6', is: { gte: 9 } } },
  { id: '8', q: { last: { event: 'Pageview' }, is: { p: 'amount', gte: 100 } } },
];
/** Counts that depend on the order of the events, on the session and on the view. */
const ordered: readonly Definition[] = [
  ...sums,
  {
    id: '3',
    q: { sequence: [{ event: 'Pageview' }, { event: 'PageviewEngagement' }], is: { gte: 100 }, within: { days: 7 } },
  },
  {
    id: '4',
    q: {
      sequence: [{ event: 'Pageview' }, { event: 'Pageview' }, { event: 'PageviewEngagement' }],
      is: { gte: 100 },
    },
  },
  { id: '5', q: { event: 'Pageview', within: 'session', is: { gte: 100 } } },
  { id: '6', q: { event: 'Pageview', within: 'view', is: { gte: 100 } } },
  { id: '7', q: { event: 'PageviewEngagement', within: 'session', is: { gte: 100 } } },
];
/** Ms until a page has taken over what pages that have ended have left. */
const takeOverMs = 30;
/** Ms between two looks of a page for the session that is stored. */
const lookMs = 1000;
const chunkKey = 'permutive-data-queries';

type Act = 'open' | 'view' | 'engage' | 'leave' | 'reload' | 'kill' | 'flush' | 'return' | 'session';
interface Step {
  readonly act: Act;
  readonly tab: number;
  readonly waitMs: number;
}
interface Visit {
  readonly steps: readonly Step[];
  /** How slow the store is at most, how often it fails, and how long a worker lives on after its page. */
  readonly slowMs: number;
  readonly failing: number;
  readonly lingerMs: number;
  readonly seed: number;
  /** Whether the engines read the journal in time as they start. */
  readonly readsJournal: boolean;
}
const acts: readonly Act[] = [
  'open',
  'view',
  'view',
  'view',
  'engage',
  'leave',
  'reload',
  'reload',
  'kill',
  'flush',
  'return',
];
const allWaits = fc.constantFrom(0, 1, 20, 300, 1500, 4900, 6000, 11_000);
const visitsOf = (act: fc.Arbitrary<Act>, tab: fc.Arbitrary<number>, waitMs = allWaits): fc.Arbitrary<Visit> =>
  fc.record({
    steps: fc.array(fc.record({ act, tab, waitMs }), {
      minLength: 2,
      maxLength: 14,
    }),
    slowMs: fc.constantFrom(0, 0, 5, 50, 700),
    failing: fc.constantFrom(0, 0, 0.1, 0.4),
    lingerMs: fc.constantFrom(0, 10, 300, 3000),
    seed: fc.nat(),
    readsJournal: fc.boolean(),
  });
/** Up to three tabs, in any order. */
const ofTabs = visitsOf(fc.constantFrom(...acts), fc.nat(2));
/** The next page of a tab begins at least 1 ms after the events of the last one, as their times alone say it. */
const apart = ({ steps, ...visit }: Visit): Visit => ({
  ...visit,
  // What comes later comes out of order.
  readsJournal: true,
  steps: steps.map((step) =>
    ['leave', 'reload', 'kill', 'return'].includes(step.act) ? { ...step, waitMs: Math.max(1, step.waitMs) } : step,
  ),
});
/** In one of two tabs the session ends, as a logout ends it. That tab begins another one, which the other joins. */
const ofSessions = fc
  .record({
    before: visitsOf(fc.constantFrom(...acts), fc.nat(1)),
    waitMs: fc.constantFrom(1, 20, 1500),
    after: visitsOf(fc.constantFrom(...acts, 'view', 'view'), fc.nat(1), fc.constantFrom(0, 0, 1, 20, 300)),
  })
  .map(({ before, waitMs, after: { steps } }): Visit => {
    const opened = [0, 1].map((tab): Step => ({ act: 'open', tab, waitMs: 0 }));
    return {
      ...before,
      steps: [...before.steps.slice(0, 6), ...opened, { act: 'session', tab: 0, waitMs }, ...steps.slice(0, 8)],
    };
  });
/** One page after the other. A new session may begin on each of them. */
const ofOneTab = visitsOf(fc.constantFrom(...acts, 'engage', 'session'), fc.constant(0)).map(apart);

/** A page in a tab, as its script sees it. */
interface Page {
  readonly id: string;
  readonly message$: Subject<EngineCommand>;
  readonly serving: Subscription;
  /** Nobody hears the worker any more. */
  isGone: boolean;
  number: number;
  context: VisitContext;
  /** When the page has looked last which session is stored. */
  lookedAt: number;
}

/** A store, and what is in it. */
interface Stage {
  readonly store: EventStore;
  readonly texts: ReadonlyMap<string, string>;
}
/** The encrypted store: slow, and it fails at times. */
const encrypted = (weather: Weather): Stage => {
  const { store, texts } = sharedStore(weather);
  return { store, texts };
};
/** Local storage, which answers at once. */
const local = (): Stage => {
  const store = keyValueStore();
  return { store, texts: store.texts };
};

/** What is played. */
interface Play {
  readonly queries: readonly Definition[];
  readonly stageOf: (weather: Weather) => Stage;
}

/** What a visit has come to. */
interface Outcome {
  /** The stored chunk in the end, and each that was stored before. */
  readonly chunks: readonly string[];
  readonly events: readonly NumberedEvent[];
  readonly now: number;
  /** Session and view of the last page. */
  readonly context: VisitContext;
}

const play = ({ steps, slowMs, failing, lingerMs, seed, readsJournal }: Visit, { queries, stageOf }: Play): Outcome => {
  let outcome: Outcome | undefined;
  new TestScheduler(() => undefined).run(({ flush }) => {
    const draw = drawing(seed);
    let isFair = false;
    const { store, texts } = stageOf({
      delayMs: () => (isFair ? 0 : Math.floor(draw() * slowMs)),
      fails: () => !isFair && draw() < failing,
    });
    const chunks: string[] = [];
    const watched: typeof store = {
      ...store,
      swap: (key, version, text) => store.swap(key, version, text).pipe(tap(() => chunks.push(texts.get(key) ?? ''))),
    };
    const clock = (): number => noon + asyncScheduler.now();
    const deps = hostDepsOf(queries, { store: () => watched, now: clock });
    const events: NumberedEvent[] = [];
    let [pages, sessions] = [0, 0];
    let session = { id: 'session', startedAt: noon };
    let last: VisitContext | undefined;
    /** The events of the journal that no engine has counted, as far as the journal knows. */
    let uncounted: readonly NumberedEvent[] = [];
    /** Those of pages that have ended, or of this one. */
    const leftTo = (own: string): readonly NumberedEvent[] =>
      uncounted.filter(({ page }) => page === own || !tabs.some((tab) => tab?.id === page));
    const tabs: (Page | undefined)[] = [];

    const open = (tab: number, id = `page ${(pages += 1)}`, number = 0): void => {
      const message$ = new Subject<EngineCommand>();
      const hear = (message: EngineMessage): void => {
        if (message.type !== 'saved' || page.isGone) return;
        uncounted = uncounted.filter((event) => event.number > (message.until[event.page] ?? 0));
      };
      const serving = engineHost(message$, deps).subscribe(hear);
      // Each visit of a page is a view of its own.
      const context = { session, view: { id: `${id} at ${clock()}`, startedAt: clock() } };
      const page: Page = { id, message$, serving, number, isGone: false, context, lookedAt: clock() };
      tabs[tab] = page;
      last = context;
      message$.next(
        startOf({
          page: id,
          newSourceId: uuid(Number(id.split(' ')[1])),
          given: readsJournal ? leftTo(id) : [],
          context,
          lookups: [],
        }),
      );
      // Later the page takes the same events over.
      timer(takeOverMs).subscribe(() => {
        if (page.isGone || tabs[tab] !== page) return;
        for (const event of leftTo('')) message$.next({ type: 'track', event });
      });
      if (number > 0) for (const event of uncounted) if (event.page === id) message$.next({ type: 'track', event });
    };
    /** Takes over the session that another tab has begun; a page looks for one once a second at most. */
    const joinSession = (page: Page): void => {
      if (clock() - page.lookedAt < lookMs) return;
      page.lookedAt = clock();
      if (page.context.session.id !== session.id) enterSession(page, { ...session, startedAt: clock() });
    };
    const enterSession = (page: Page, joined: typeof session): void => {
      last = page.context = { ...page.context, session: joined };
      page.message$.next({ type: 'context', context: page.context });
    };
    const track = (page: Page, name: string): void => {
      joinSession(page);
      const index = events.length;
      const event: NumberedEvent = {
        id: `event ${index}`,
        name,
        time: new Date(clock()).toISOString(),
        properties: { amount: base ** index, path: `/${index}` },
        session_id: page.context.session.id,
        view_id: page.context.view.id,
        page: page.id,
        number: (page.number += 1),
      };
      events.push(event);
      uncounted = [...uncounted, event];
      page.message$.next({ type: 'track', event });
    };
    /** The page goes; its worker may live on for a while. */
    const leave = (tab: number, page: Page): void => {
      page.message$.next({ type: 'flush' });
      page.isGone = true;
      tabs[tab] = undefined;
      timer(Math.floor(draw() * lingerMs)).subscribe(() => page.serving.unsubscribe());
    };
    const kill = (tab: number, page: Page): void => {
      tabs[tab] = undefined;
      page.serving.unsubscribe();
    };
    const act = ({ act: what, tab }: Step): void => {
      const page = tabs[tab];
      if (page === undefined) {
        if (what !== 'kill') open(tab);
        return;
      }
      if (what === 'view' || what === 'open') {
        if (events.length < 18) track(page, 'Pageview');
      } else if (what === 'engage') {
        if (events.length < 18) track(page, 'PageviewEngagement');
      } else if (what === 'leave') leave(tab, page);
      else if (what === 'kill') kill(tab, page);
      else if (what === 'flush') page.message$.next({ type: 'flush' });
      else if (what === 'session') {
        session = { id: `session ${(sessions += 1)}`, startedAt: clock() };
        page.lookedAt = clock();
        enterSession(page, session);
      } else {
        leave(tab, page);
        // A return from the back-forward cache is another visit of the same page.
        if (what === 'return') open(tab, page.id, page.number);
        else open(tab);
      }
    };

    const script: (readonly [ms: number, action: () => void])[] = [];
    let at = 0;
    for (const step of steps) {
      at += step.waitMs;
      script.push([at, () => act(step)]);
    }
    // Everything comes to rest: the store is well, all pages go, and after that one page is opened, looked at and left.
    at += 100;
    script.push([at, () => (isFair = true)]);
    script.push([at + 100, () => tabs.forEach((page, tab) => page !== undefined && leave(tab, page))]);
    script.push([at + 20_000, () => open(0)]);
    script.push([at + 25_000, () => track(tabs[0] as Page, 'Pageview')]);
    script.push([at + 25_100, () => track(tabs[0] as Page, 'PageviewEngagement')]);
    script.push([at + 32_000, () => leave(0, tabs[0] as Page)]);
    script.push([
      at + 40_000,
      () => {
        outcome = {
          chunks: [...chunks, texts.get(chunkKey) ?? '{}'],
          events,
          now: clock(),
          context: last as VisitContext,
        };
      },
    ]);
    for (const [ms, action] of script) timer(ms).subscribe(action);
    flush();
  });
  return outcome as unknown as Outcome;
};

/** How often each event has counted, by the sum of query 1 and 2. */
const timesCounted = (chunk: string, events: readonly NumberedEvent[]): readonly number[] => {
  const { internal_query_states: states = {} } = JSON.parse(chunk) as {
    internal_query_states?: Record<string, [string, readonly number[][]]>;
  };
  const sum = ['1', '2'].reduce((all, id) => {
    const cell = states[id]?.[1]?.[0] ?? [];
    return all + BigInt(cell.reduce((total, weight, i) => (i % 2 === 1 ? total + weight : total), 0));
  }, 0n);
  return events.map((_, i) => Number((sum / 1000n / BigInt(base) ** BigInt(i)) % BigInt(base)));
};

/** The cells of an engine that has counted these events from nothing, in the session and the view of the last page. */
const recount = (
  queries: readonly Definition[],
  events: readonly NumberedEvent[],
  { now, context }: Pick<Outcome, 'now' | 'context'>,
): Readonly<Record<string, unknown>> => {
  const engine = init({
    event_source_id: 'source',
    now: noon,
    bundle: { v: 1, id: 'bundle', seed: 0, queries: queries.map(published) },
    state: null,
    context,
    lookups: {},
    pending: [],
  });
  engine.bootstrap();
  engine.replay([]);
  for (const event of events) engine.process([engineEvent(event)], Date.parse(event.time));
  engine.tick(now);
  return cellsOf(
    JSON.parse(JSON.stringify(engine.snapshot().internal_query_states)) as Record<string, { state: unknown }>,
  );
};
const cellsOf = (states: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(states).map(([id, state]) => [
      id,
      Array.isArray(state) ? (state as unknown[])[1] : (state as { state: unknown }).state,
    ]),
  );

/**
 * The same cells; those of a session have what was counted in the last one. Since when a tab has taken part in it is
 * left out, because each tab takes a moment of its own.
 */
const ofLastSession = (
  cells: Readonly<Record<string, unknown>>,
  queries: readonly Definition[],
  { context: { session } }: Pick<Outcome, 'context'>,
): Readonly<Record<string, unknown>> => {
  const hash = h53(norm(session.id), 0);
  const ids = queries.flatMap(({ id, q }) => (JSON.stringify(q).includes('"within":"session"') ? [id] : []));
  const countedIn = (cell: unknown): unknown => {
    const [component] = cell as readonly [readonly number[] | 0];
    const i = component === 0 ? -1 : component.indexOf(hash);
    return i < 0 ? 0 : (component as readonly number[])[i + 1];
  };
  return { ...cells, ...Object.fromEntries(ids.map((id) => [id, id in cells ? countedIn(cells[id]) : 0])) };
};

/** Each event has counted once in the end, and never more than once. */
const expectCountedOnce = (visit: Visit, played: Play): void => {
  const { chunks, events, ...end } = play(visit, played);
  const most = Math.max(0, ...chunks.flatMap((chunk) => timesCounted(chunk, events)));
  expect(most).toBeLessThanOrEqual(1);
  const last = chunks.at(-1) ?? '{}';
  const times = timesCounted(last, events);
  const missing = events.filter((_, i) => times[i] !== 1).map(({ id }) => id);
  expect(missing).toEqual([]);
  const counted = events.filter((_, i) => times[i] === 1);
  const { internal_query_states: states = {} } = JSON.parse(last) as {
    internal_query_states?: Record<string, unknown>;
  };
  const compared = (cells: Readonly<Record<string, unknown>>): unknown => ofLastSession(cells, played.queries, end);
  expect(compared(cellsOf(states))).toEqual(compared(recount(played.queries, counted, end)));
};

describe('Pages, tabs, reloads, kills and returns of one visitor', () => {
  it.each<[string, fc.Arbitrary<Visit>, Play, number]>([
    ['over a store that is slow and fails', ofTabs, { queries: unordered, stageOf: encrypted }, 5000],
    ['in their order, session and view, one tab at a time', ofOneTab, { queries: ordered, stageOf: encrypted }, 1000],
    ['over local storage', ofTabs, { queries: unordered, stageOf: local }, 1000],
    ['in sessions of several tabs', ofSessions, { queries: unordered, stageOf: encrypted }, 3000],
    ['over local storage, one tab at a time', ofOneTab, { queries: ordered, stageOf: local }, 1000],
  ])(
    'count each event once in the end, and never more than once: %s',
    (_, visits, played, nightly) =>
      lawOf(nightly, { quick: nightly / 20 })(visits, (visit) => expectCountedOnce(visit, played))(),
    300_000,
  );
});
