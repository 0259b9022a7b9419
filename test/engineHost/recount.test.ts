import { asapScheduler, asyncScheduler, EMPTY, map, NEVER, of, Subject, throwError, timer } from 'rxjs';
import { TestScheduler } from 'rxjs/testing';

import type { Definition } from '../../src/engine/language/language';
import { packChunk } from '../../src/engine/state/packedChunk';
import { engineEvent } from '../../src/engineHost/cachedEvent';
import { engineHost } from '../../src/engineHost/engineHost';
import type { LoadParts } from '../../src/engineHost/loadParts';
import { partsAtHand } from '../../src/engineHost/partsAtHand';
import { recountable } from '../../src/engineHost/recount';
import * as services from '../../src/engineHost/services';
import type { EngineCommand, EngineMessage } from '../../src/model/engineCommands';
import type { Event, NumberedEvent } from '../../src/model/event';
import { dayMs } from '../../src/primitives/duration';
import { eventOf, noon, numberedOf, sourceId, transitionEvents, visitorId } from '../support/events';
import { hostDepsOf, newEngine, startOf } from '../support/hostDeps';
import { type FakeStore, keyValueStore } from '../support/keyValueStore';

const [cacheKey, chunkKey] = ['permutive-events-cache', 'permutive-data-queries'];

/** An event of so many days ago. */
const ago = (id: string, days: number, changes: Partial<Event> = {}): Event =>
  eventOf(id, { time: new Date(noon - days * dayMs).toISOString(), ...changes });
const inDays = (id: string, days: number, event = 'Pageview'): Definition => ({
  id,
  q: { event, within: { days }, is: { gte: 100 } },
});
const week = inDays('1', 7);
const everSince: Definition = { id: '2', q: { event: 'Pageview', is: { gte: 100 } } };

/** An engine that has counted these events, each as often as it is listed. */
const engineAfter = (queries: readonly Definition[], events: readonly Event[]): ReturnType<typeof newEngine> => {
  const engine = newEngine(sourceId, queries);
  engine.bootstrap();
  engine.replay([]);
  engine.process(events.map(engineEvent), noon);
  // What is stored has no buckets outside the windows.
  engine.snapshot();
  return engine;
};

describe('The queries that can be counted anew', () => {
  const anew = (queries: readonly Definition[], counted: readonly Event[], cached: readonly Event[]): string =>
    recountable(engineAfter(queries, counted).parts.machine, cached.map(engineEvent))
      .map(({ id }) => id)
      .join();
  const history = [ago('a', 5), ago('b', 3), ago('c', 1)];

  it.each<[string, string, readonly Definition[], readonly Event[], readonly Event[]]>([
    ['are those that the cached events reach', '1', [week], history, history],
    ['are those that the cached events reach by far', '1', [week], history, [ago('z', 300), ...history]],
    ['are those in whose oldest bucket the oldest cached event is', '1', [week], history, [ago('z', 4.999)]],
    ['are none whose oldest bucket is older than the cached events', '', [week], history, history.slice(1)],
    ['are none that have counted something while nothing is cached', '', [week], history, []],
    ['are those that have counted nothing', '1', [week], [], []],
    ['are no life-time counts, which do not say how far they reach', '1', [week, everSince], history, history],
    [
      'are distinct values as counts are',
      '1',
      [{ id: '1', q: { event: 'Pageview', distinct: 'path', within: { days: 7 }, is: { gte: 9 } } }],
      [ago('a', 5, { properties: { path: '/' } })],
      history,
    ],
    [
      'are no distinct values whose oldest bucket is not reached',
      '',
      [{ id: '1', q: { event: 'Pageview', distinct: 'path', within: { days: 7 }, is: { gte: 9 } } }],
      [ago('a', 5, { properties: { path: '/' } })],
      history.slice(1),
    ],
    [
      'are no latest events and sequences of any time',
      '1',
      [
        week,
        { id: '2', q: { last: { event: 'Pageview' }, is: { p: 'path', eq: '/' } } },
        { id: '3', q: { sequence: [{ event: 'Pageview' }, { event: 'LinkClick' }] } },
      ],
      history,
      history,
    ],
    [
      'are those of the session and of the view',
      '1,2',
      [
        { id: '1', q: { event: 'Pageview', within: 'session', is: { gte: 9 } } },
        { id: '2', q: { event: 'Pageview', within: 'view', is: { gte: 9 } } },
      ],
      [eventOf('a')],
      [],
    ],
    ...['PageviewEngagement', 'AdRequest', 'SlotRendered'].map(
      (name): [string, string, readonly Definition[], readonly Event[], readonly Event[]] => [
        `are none that count events which are not cached: ${name}`,
        '1',
        [week, inDays('2', 7, name)],
        [...history, ago('e', 1, { name })],
        history,
      ],
    ),
    [
      'are none that count entries and exits of cohorts',
      '1',
      [week, { id: '2', q: { entered: '1', is: { gte: 9 } } }, { id: '3', q: { exited: '1', is: { gte: 9 } } }],
      history,
      history,
    ],
    [
      'are none that count in part what is not cached',
      '',
      [{ id: '1', q: { or: [week.q, inDays('', 7, 'PageviewEngagement').q] } }],
      history,
      history,
    ],
    [
      'are none that the server counts for, be it in part',
      '',
      [
        { id: '1', q: { event: 'Pageview', remote: true, is: { gte: 9 } } },
        { id: '2', q: { and: [week.q, { event: 'LinkClick', remote: true, within: { days: 7 } }] } },
      ],
      history,
      history,
    ],
  ])('%s', (_, expected, queries, counted, cached) => {
    expect(anew(queries, counted, cached)).toBe(expected);
  });
});

/** What an older version has stored: it does not say which events the state contains. */
const oldVersion = (
  queries: readonly Definition[],
  counted: readonly Event[],
  cached: readonly Event[],
  through?: string,
): FakeStore =>
  keyValueStore({
    [chunkKey]: {
      ...packChunk(engineAfter(queries, counted).snapshot()),
      group_id: visitorId,
      group_since: noon - 30 * dayMs,
      through: through ?? counted.at(-1)?.id,
      points: { 'an old page': [noon - dayMs, counted.at(-1)?.id ?? ''] },
      writes: { 'an old page': [4, ''] },
    },
    [cacheKey]: cached.map((event) => ({ ...event, cohorts: [], page: 'an old page' })),
  });
/** How often each query has counted, as it is stored. */
const countsIn = (store: FakeStore): Readonly<Record<string, number>> => {
  const { internal_query_states: states } = JSON.parse(store.texts.get(chunkKey) ?? '') as {
    readonly internal_query_states: Readonly<
      Record<string, readonly [string, readonly (number | readonly number[])[]]>
    >;
  };
  const weight = (cell: number | readonly number[] = []): number =>
    typeof cell === 'number' ? cell : cell.reduce((sum, part, i) => (i % 2 === 1 ? sum + part : sum), 0);
  return Object.fromEntries(Object.entries(states).map(([id, [, cells]]) => [id, weight(cells[0])]));
};

interface Visit {
  readonly queries: readonly Definition[];
  readonly loadServices?: LoadParts['services'];
  readonly given?: readonly NumberedEvent[];
  /** Events that come as the page opens. */
  readonly tracked?: readonly string[];
}

/** Services that do nothing but recount. */
const quiet = (recount = recountable) => ({ ...services, services: () => EMPTY, recountable: recount });

let pages = 0;
/** One page of the visitor, 12 s long, in virtual time. Answers its messages with their times in ms. */
const visit = (store: FakeStore, { queries, loadServices, given = [], tracked = [] }: Visit) => {
  const said: (readonly [ms: number, message: EngineMessage])[] = [];
  const reports: string[] = [];
  const page = `page ${(pages += 1)}`;
  new TestScheduler(() => undefined).run(({ flush }) => {
    const message$ = new Subject<EngineCommand>();
    const serving = engineHost(
      message$,
      hostDepsOf(queries, {
        store: () => store,
        now: () => noon + asyncScheduler.now(),
        load: { ...partsAtHand, services: loadServices ?? (() => of(quiet())) },
        report: (message) => reports.push(message),
      }),
    ).subscribe((message) => {
      said.push([asyncScheduler.now(), message]);
      if ('transitions' in message)
        asapScheduler.schedule(() =>
          transitionEvents(message.transitions, page).forEach((event) => message$.next({ type: 'track', event })),
        );
    });
    message$.next(startOf({ page, lookups: [], given }));
    for (const id of tracked) message$.next({ type: 'track', event: numberedOf(id, { page }) });
    timer(11_500).subscribe(() => message$.next({ type: 'flush' }));
    timer(12_000).subscribe(() => serving.unsubscribe());
    flush();
  });
  return {
    reports,
    initialised: said.find(([, { type }]) => type === 'initialised'),
    transitions: said.flatMap(([, message]) =>
      'transitions' in message ? message.transitions.map(({ id, entry }) => `${entry ? '+' : '-'}${id}`) : [],
    ),
  };
};

describe('A state of an older version', () => {
  const [a, b, c] = [ago('a', 5), ago('b', 3), ago('c', 1)];
  const both = [week, everSince];

  it.each<[string, readonly Event[], readonly Event[], Readonly<Record<string, number>>]>([
    ['that has counted too much is counted anew', [a, b, b, c, c], [a, b, c], { 1: 3, 2: 5 }],
    ['that has counted too little is counted anew', [a, c], [a, b, c], { 1: 3, 2: 2 }],
    ['that is right stays so', [a, b, c], [a, b, c], { 1: 3, 2: 3 }],
    ['that goes back further than the cached events is kept', [a, b, b, c], [b, c], { 1: 4, 2: 4 }],
    ['without any cached events is kept', [a, b, b, c], [], { 1: 4, 2: 4 }],
  ])('%s', (_, counted, cached, expected) => {
    const store = oldVersion(both, counted, cached);
    const { reports } = visit(store, { queries: both });
    expect([countsIn(store), reports]).toEqual([expected, []]);
  });

  it('is counted anew query by query', () => {
    const engagement = inDays('3', 7, 'PageviewEngagement');
    const month = inDays('4', 28);
    const remote: Definition = { id: '5', q: { event: 'Pageview', remote: true, within: { days: 7 }, is: { gte: 9 } } };
    const entered: Definition = { id: '6', q: { entered: '1', within: { days: 7 }, is: { gte: 9 } } };
    const queries = [...both, engagement, month, remote, entered];
    const e = ago('e', 1, { name: 'PageviewEngagement' });
    const store = oldVersion(queries, [ago('z', 20), a, b, b, c, e, e], [a, b, c]);
    const before = countsIn(store);
    visit(store, { queries });
    // Only the count of seven days is reached, and all its events are cached.
    expect(countsIn(store)).toEqual({ ...before, 1: 3 });
    expect(before).toMatchObject({ 1: 4, 2: 5, 3: 2, 4: 5 });
  });

  it('keeps what the server has counted, and how often cohorts were entered', () => {
    const queries: readonly Definition[] = [
      week,
      { id: '5', q: { event: 'Pageview', remote: true, within: { days: 7 }, is: { gte: 9 } } },
      { id: '6', q: { entered: '7', within: { days: 7 }, is: { gte: 9 } } },
      { id: '7', q: { event: 'Pageview', within: { days: 7 } } },
    ];
    const old = engineAfter(queries, [a, b, b, c]);
    const { checksum } = old.explain('5') ?? {};
    old.appendLifted({ 5: [checksum, [[Math.floor((noon - dayMs) / ((7 * dayMs) / 100)), 6]]] });
    const store = oldVersion(queries, [], [a, b, c]);
    const text = JSON.parse(store.texts.get(chunkKey) ?? '') as object;
    store.texts.set(chunkKey, JSON.stringify({ ...text, ...packChunk(old.snapshot()), group_id: visitorId }));
    expect(countsIn(store)).toEqual({ 1: 4, 5: 6, 6: 1, 7: 1 });
    visit(store, { queries });
    expect(countsIn(store)).toEqual({ 1: 3, 5: 6, 6: 1, 7: 1 });
  });

  it('leaves and enters the cohorts that the true count decides, once', () => {
    const queries: readonly Definition[] = [
      { id: '1', q: { event: 'Pageview', within: { days: 7 }, is: { gte: 4 } } },
      { id: '2', q: { event: 'Pageview', within: { days: 7 }, is: { eq: 3 } } },
    ];
    const store = oldVersion(queries, [a, b, b, c], [a, b, c]);
    expect(visit(store, { queries }).transitions.sort()).toEqual(['+2', '-1']);
    expect(visit(store, { queries }).transitions).toEqual([]);
  });

  it('is counted anew once: the next page takes what is stored', () => {
    const store = oldVersion(both, [a, b, b, c], [a, b, c]);
    const recount = jest.fn(recountable);
    const loadServices = () => of(quiet(recount));
    visit(store, { queries: both, loadServices });
    // What follows is as if other events had been counted, which are no longer cached.
    const { counted } = JSON.parse(store.texts.get(chunkKey) ?? '') as { readonly counted: unknown };
    store.texts.set(
      chunkKey,
      JSON.stringify({
        ...packChunk(engineAfter(both, [a, b, b, b, c]).snapshot()),
        group_id: visitorId,
        counted,
      }),
    );
    visit(store, { queries: both, loadServices });
    visit(store, { queries: both, loadServices });
    expect(countsIn(store)).toEqual({ 1: 5, 2: 5 });
    expect(recount).toHaveBeenCalledTimes(1);
  });

  it('goes on with the events of the page, and with those that the last page has left', () => {
    const store = oldVersion(both, [a, b, b], [a, b, c], 'b');
    // The last page has cached `c` and not saved it, and it has left all that it did not know to be saved.
    visit(store, { queries: both, given: [{ ...c, page: 'before', number: 1 }], tracked: ['d'] });
    // The life-time count has the double one still.
    expect(countsIn(store)).toEqual({ 1: 4, 2: 5 });
    visit(store, { queries: both, given: [{ ...c, page: 'before', number: 1 }], tracked: ['e'] });
    expect(countsIn(store)).toEqual({ 1: 5, 2: 6 });
  });

  it('that is kept goes on behind the last event that it says to contain', () => {
    const store = oldVersion(both, [a, b], [b]);
    visit(store, { queries: both, given: [{ ...c, page: 'before', number: 1 }] });
    expect(countsIn(store)).toEqual({ 1: 3, 2: 3 });
  });

  it('says from then on what it contains, also where an event changes nothing', () => {
    const clicks = [inDays('1', 7, 'LinkClick')];
    const store = oldVersion(clicks, [a, b], [b]);
    const recount = jest.fn(recountable);
    const loadServices = () => of(quiet(recount));
    visit(store, { queries: clicks, loadServices, tracked: ['d'] });
    visit(store, { queries: clicks, loadServices, tracked: ['e'] });
    expect(recount).toHaveBeenCalledTimes(1);
  });

  describe('where the code that recounts', () => {
    it.each<[string, LoadParts['services'], number]>([
      ['never loads, is kept after 1 s', () => NEVER, 1000],
      ['cannot be loaded, is kept at once', () => throwError(() => new Error('no chunk')), 0],
    ])('%s', (_, loadServices, ms) => {
      const store = oldVersion(both, [a, b, b, c], [a, b, c]);
      const { initialised } = visit(store, { queries: both, loadServices, tracked: ['d'] });
      expect(initialised?.[0]).toBe(ms);
      expect(countsIn(store)).toEqual({ 1: 5, 2: 5 });
      // The state now says what it contains, so it is not counted anew any more.
      visit(store, { queries: both });
      expect(countsIn(store)).toEqual({ 1: 5, 2: 5 });
    });

    it('comes late but in time, is counted anew', () => {
      const store = oldVersion(both, [a, b, b, c], [a, b, c]);
      const loadServices = () => timer(999).pipe(map(() => quiet()));
      visit(store, { queries: both, loadServices, tracked: ['d'] });
      expect(countsIn(store)).toEqual({ 1: 4, 2: 5 });
    });
  });

  it('of a new visitor does not wait for it', () => {
    const { initialised } = visit(keyValueStore(), { queries: both, loadServices: () => NEVER });
    expect(initialised?.[0]).toBe(0);
  });
});
