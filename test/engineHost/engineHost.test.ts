import { EMPTY, ignoreElements, map, merge, mergeMap, type Observable, Subject, tap, timer } from 'rxjs';

import { canon } from '../../src/engine/language/canonical';
import { checksumOf } from '../../src/engine/language/checksums';
import type { Definition } from '../../src/engine/language/language';
import type { Effect } from '../../src/engineHost/effects';
import { engineHost } from '../../src/engineHost/engineHost';
import type { LoadParts } from '../../src/engineHost/loadParts';
import { partsAtHand } from '../../src/engineHost/partsAtHand';
import { evaluatedEvents } from '../../src/engineHost/servedEngine';
import * as allServices from '../../src/engineHost/services';
import { uuid } from '../../src/fakePlatform/countedIds';
import type { EngineCommand, EngineMessage, Start } from '../../src/model/engineCommands';
import type { Event, NumberedEvent } from '../../src/model/event';
import type { EventStore } from '../../src/platform/platform';
import { dayMs } from '../../src/primitives/duration';
import { done, newDatabase, storeOf } from '../support/database';
import { eventOf, noon, numberedOf, sourceId, transitionEvents } from '../support/events';
import { contextOf, hostDepsOf, startOf } from '../support/hostDeps';
import { settled, until } from '../support/waiting';

const otherUser = '9d3c1b2a-4e5f-4a6b-8c7d-0e1f2a3b4c5d';
const twoPageviews: Definition = {
  id: '1',
  q: { event: 'Pageview', is: { gte: 2 } },
  activations: { dfp: { trigger: 'EveryTime' } },
};
const threePageviews: Definition = { id: '2', q: { event: 'Pageview', is: { gte: 3 } } };
const twoOrThree = [twoPageviews, threePageviews];
const inThisView: Definition = { id: '3', q: { event: 'LinkClick', within: 'view' } };

interface Page {
  readonly queries?: readonly Definition[];
  readonly start?: Partial<Start>;
  readonly store?: (workspaceId: string, deps: { readonly userId: string }) => EventStore;
  readonly now?: () => number;
  readonly loadServices?: LoadParts['services'];
  /** Events that come while the engine loads. */
  readonly early?: readonly Event[];
}

const noServices: LoadParts['services'] = () => Promise.resolve({ ...allServices, services: () => EMPTY });

const closings: (() => void)[] = [];
let pages = 0;

/** One page of a visitor: a host over the visitor’s own store. */
const open = async ({
  queries = [twoPageviews],
  start = {},
  store = storeOf,
  now = () => noon,
  early = [],
  loadServices = noServices,
}: Page = {}) => {
  const { page = `page ${(pages += 1)}` } = start;
  const numbers = new Map<string, number>();
  /** The event as the page tells it to its engine. */
  const numbered = (event: Event): NumberedEvent => {
    const number = numbers.get(event.id) ?? numbers.size + 1;
    numbers.set(event.id, number);
    return { ...event, page, number };
  };
  const message$ = new Subject<EngineCommand>();
  const said: EngineMessage[] = [];
  const reports: string[] = [];
  const serving = engineHost(
    message$,
    hostDepsOf(queries, {
      store: ({ workspaceId, userId }) => store(workspaceId, { userId }),
      now,
      report: (message) => reports.push(message),
      load: { ...partsAtHand, services: loadServices },
    }),
  ).subscribe((message) => {
    said.push(message);
    if ('transitions' in message)
      queueMicrotask(() =>
        tell(
          ...transitionEvents(message.transitions, page).map((event): EngineCommand => ({
            type: 'track',
            event: numbered(event),
          })),
        ),
      );
  });
  closings.push(() => serving.unsubscribe());
  const count = (type: EngineMessage['type']): number => said.filter((message) => message.type === type).length;
  const tell = (...messages: readonly EngineCommand[]): void => messages.forEach((message) => message$.next(message));
  tell(
    startOf({ ...start, page }),
    ...early.map((event): EngineCommand => ({ type: 'track', event: numbered(event) })),
  );
  await until(() => count('initialised') === 1);
  return {
    page,
    numbered,
    said,
    reports,
    tell,
    track: async (...events: readonly Event[]) => {
      const marks = count('barrierReached');
      tell(...events.map((event): EngineCommand => ({ type: 'track', event: numbered(event) })), {
        type: 'barrier',
        name: '',
      });
      await until(() => count('barrierReached') > marks);
    },
    /** What earlier pages have left is saved at once, so that a page that is left soon does not leave it again. */
    saved: () => until(() => count('saved') > 0),
    /** Saves what was tracked. */
    save: async () => {
      const saves = count('saved');
      tell({ type: 'flush' });
      await until(() => count('saved') > saves);
    },
    /** As a browser ends a page: at once, once its events are written. */
    close: async () => {
      await settled();
      serving.unsubscribe();
    },
    members: () =>
      said.flatMap((message) => ('membership' in message ? [message.membership.members.join()] : [])).at(-1),
    transitions: () =>
      said.flatMap((message) =>
        'transitions' in message ? message.transitions.map(({ id, entry }) => `${entry ? '+' : '-'}${id}`) : [],
      ),
    types: () => said.map(({ type }) => type).filter((type) => type !== 'barrierReached'),
  };
};

/** State, or the events of a list. */
const inStore = async (key: string): Promise<unknown> => {
  const store = storeOf('workspace');
  if (key === chunk) return JSON.parse((await done(store.read(key))) ?? 'null');
  const records = (await done(store.records())) ?? [];
  return records.filter((record) => record.key.startsWith(key)).flatMap(({ text }) => JSON.parse(text) as unknown[]);
};
const idsIn = async (key: string): Promise<string> =>
  ((await inStore(key)) as { readonly id: string }[]).map(({ id }) => id).join('');
const untilCached = (key: string, ids: string): Promise<void> => until(async () => (await idsIn(key)) === ids);
const [before, thisPage, chunk] = ['permutive-events-cache', 'permutive-events-for-page', 'permutive-data-queries'];

afterEach(() => {
  for (const close of closings.splice(0)) close();
});
beforeEach(newDatabase);

describe('data of the page', () => {
  const bought: Definition = { id: '1', q: { thirdParty: { provider: 'acme', in: ['7'] } } };
  const page = (): ReturnType<typeof open> => open({ queries: [bought], start: { lookups: ['thirdParty'] } });

  it('decides a cohort once it is there: a stored member stays a member until then', async () => {
    const first = await page();
    first.tell({ type: 'data', patch: { thirdParty: { acme: ['7'] } } });
    await until(() => first.members() === '1');
    // Nothing says that the page is going away: a browser may end it without a word.
    await until(async () => (await inStore(chunk)) !== null);
    await first.close();

    const next = await page();
    expect([next.members(), next.transitions()]).toEqual(['1', []]);
    next.tell({ type: 'data', patch: { thirdParty: {} } });
    await until(() => next.transitions().length > 0);
    expect([next.members(), next.transitions()]).toEqual(['', ['-1']]);
  });
});

describe('events', () => {
  it('are evaluated, and kept at once for the next page', async () => {
    const page = await open();
    await page.track(eventOf('a'), eventOf('b'));
    expect([page.transitions(), page.members()]).toEqual([['+1'], '1']);
    await untilCached(thisPage, 'ab');
    await page.close();
  });

  it('say which cohorts the visitor was in', async () => {
    const page = await open();
    await page.track(eventOf('a'), eventOf('b'));
    await untilCached(thisPage, 'ab');
    await expect(inStore(thisPage)).resolves.toMatchObject([
      { id: 'a', cohorts: [] },
      { id: 'b', cohorts: ['1'] },
    ]);
    await page.close();
  });

  it('of names that are never cached are not kept', async () => {
    const page = await open();
    await page.track(eventOf('a', { name: 'Reaction' }), eventOf('b'));
    await untilCached(thisPage, 'b');
    await page.close();
  });

  it('of the last page are moved to those before', async () => {
    const first = await open();
    await first.track(eventOf('a'));
    await first.close();
    const second = await open();
    await second.track(eventOf('b'));
    await untilCached(before, 'a');
    await untilCached(thisPage, 'b');
    await second.close();
  });

  it('are computed over again for a query that is new or has changed', async () => {
    const first = await open();
    await first.track(eventOf('a'), eventOf('b'), eventOf('c'));
    await first.save();
    await first.close();
    const second = await open({ queries: twoOrThree });
    expect([second.members(), second.transitions()]).toEqual(['1,2', ['+2']]);
    await second.close();
  });

  it('that are broken in the store cost themselves', async () => {
    await done(
      storeOf('workspace').replace(
        [],
        [[before, JSON.stringify([{ ...eventOf('a'), cohorts: [] }, null, { ...eventOf('b'), cohorts: [] }])]],
      ),
    );
    const page = await open();
    expect(page.members()).toBe('1');
    expect(page.reports).toEqual(['Error fetching data from store']);
    await page.close();
  });
});

describe('the state', () => {
  it('goes on on the next page, and entering is said once', async () => {
    const first = await open();
    await first.track(eventOf('a'));
    await first.save();
    await first.close();
    const second = await open();
    await second.track(eventOf('b'));
    expect(second.transitions()).toEqual(['+1']);
    await second.save();
    await second.close();
    const third = await open();
    expect([third.members(), third.transitions()]).toEqual(['1', []]);
    await third.close();
  });

  it('says whose it is, and which events it contains', async () => {
    const page = await open();
    await page.track(eventOf('a'), eventOf('b'), eventOf('c', { name: 'PageviewEngagement' }));
    await page.save();
    await expect(inStore(chunk)).resolves.toMatchObject({
      group_id: startOf().userId,
      // The fourth tells that a cohort was entered.
      counted: { pages: { [page.page]: [2, 4, 0, noon] }, until: 0 },
      'event-source-id': sourceId,
    });
    expect(page.said.at(-1)).toEqual({ type: 'saved', until: { [page.page]: 4 } });
    await page.close();
  });

  it('is saved up to the last event that is in it, though one comes while it is being saved', async () => {
    const slow = (workspaceId: string): EventStore => {
      const store = storeOf(workspaceId);
      return { ...store, readVersion: (key) => timer(20).pipe(mergeMap(() => store.readVersion(key))) };
    };
    const first = await open({ queries: twoOrThree, store: slow });
    await first.track(eventOf('a'));
    first.tell({ type: 'flush' }, { type: 'track', event: first.numbered(eventOf('b')) });
    await until(() => first.said.some(({ type }) => type === 'saved'));
    await settled();
    const saved = first.said.flatMap((message) => (message.type === 'saved' ? [message.until[first.page]] : [])).at(-1);
    await first.close();
    // The page gives the next one what was not saved; nothing may count twice.
    const events = [eventOf('a'), eventOf('b')].map(first.numbered);
    const second = await open({
      queries: twoOrThree,
      start: { given: events.slice(saved) },
    });
    expect(second.members()).toBe('1');
    await second.close();
  });

  it('counts events that the last page could not save, once', async () => {
    const first = await open({ queries: twoOrThree });
    await first.track(eventOf('a'));
    await first.save();
    await first.close();
    // The page before gave all it did not know to be saved.
    const second = await open({
      queries: twoOrThree,
      start: { given: [eventOf('a'), eventOf('b')].map(first.numbered) },
    });
    expect(second.members()).toBe('1');
    await second.saved();
    await second.close();
    const third = await open({ queries: twoOrThree, start: { given: [first.numbered(eventOf('b'))] } });
    expect(third.members()).toBe('1');
    await third.close();
  });

  it('counts events once that were cached and not saved', async () => {
    const first = await open();
    await first.track(eventOf('a'));
    await first.close();
    const second = await open({ start: { given: [first.numbered(eventOf('a'))] } });
    expect(second.members()).toBe('');
    await second.track(eventOf('b'));
    expect(second.members()).toBe('1');
    await second.close();
  });

  describe('after a crash', () => {
    /** A page saved `a`, then evaluated and cached `b`, and crashed at once. */
    const crashed = async (): Promise<NumberedEvent> => {
      const first = await open({ queries: twoOrThree, start: { page: 'first' } });
      await first.track(eventOf('a'));
      await first.save();
      await first.track(eventOf('b'));
      await untilCached(thisPage, 'ab');
      await first.close();
      return first.numbered(eventOf('b'));
    };

    it('counts the events that were cached and not saved, once', async () => {
      await crashed();
      const second = await open({ queries: twoOrThree, start: { page: 'second' } });
      expect([second.members(), second.transitions()]).toEqual(['1', ['+1']]);
      await second.saved();
      await second.close();
      const third = await open({ queries: twoOrThree, start: { page: 'third' } });
      expect(third.members()).toBe('1');
      await third.close();
    });

    it('counts an event once that the page had also left to the next one', async () => {
      const b = await crashed();
      const second = await open({ queries: twoOrThree, start: { page: 'second', given: [b] } });
      expect(second.members()).toBe('1');
      await second.close();
    });

    it('counts what a reset visit of the same page has not saved', async () => {
      await crashed();
      const second = await open({ queries: twoOrThree, start: { page: 'first' } });
      expect(second.members()).toBe('1');
      await second.close();
    });
  });

  it('tells the services of events that have waited for the engine, once', async () => {
    const heard: string[] = [];
    let isLate = false;
    const hear = (name: string, effect$: Observable<Effect>) =>
      evaluatedEvents(effect$).pipe(
        tap(({ id }) => heard.push(`${name} ${id}`)),
        ignoreElements(),
      );
    const services = (effect$: Observable<Effect>) =>
      merge(
        hear('at the start', effect$),
        timer(20).pipe(
          tap(() => (isLate = true)),
          mergeMap(() => hear('later', effect$)),
        ),
      );
    const visitor = await open({
      early: [eventOf('a'), eventOf('b')],
      loadServices: () => timer(20).pipe(map(() => ({ ...allServices, services }))),
    });
    await visitor.track(eventOf('c'));
    await until(() => heard.length === 3 && isLate);
    await visitor.track(eventOf('d'));
    expect(heard).toEqual([...['a', 'b', 'c', 'd'].map((id) => `at the start ${id}`), 'later d']);
    await visitor.close();
  });

  it('evaluates ten thousand events that have waited for the engine', async () => {
    const many: Definition = { id: '7', q: { event: 'Many', is: { gte: 10_000 } } };
    const early = Array.from({ length: 10_000 }, (_, i) => eventOf(String(i), { name: 'Many' }));
    const visitor = await open({ queries: [many], early });
    await visitor.track(eventOf('last'));
    expect(visitor.members()).toBe('7');
    expect(visitor.reports).toEqual([]);
    await visitor.close();
  });

  it('keeps what every tab has counted', async () => {
    const six: Definition = { id: '6', q: { event: 'Pageview', is: { gte: 6 } } };
    const visitor = await open({ queries: [six] });
    await visitor.track(eventOf('a'));
    await visitor.save();
    await visitor.close();
    const [left, right] = [await open({ queries: [six] }), await open({ queries: [six] })];
    await left.track(eventOf('b'), eventOf('c'));
    await right.track(eventOf('d'));
    await left.save();
    await right.save();
    await left.track(eventOf('e'));
    await left.save();
    await Promise.all([left.close(), right.close()]);
    const last = await open({ queries: [six] });
    expect(last.members()).toBe('');
    await last.track(eventOf('f'));
    expect(last.members()).toBe('6');
    await last.close();
  });

  it('contains the events that a page in another tab has not saved, and that page takes over what is saved', async () => {
    const nine: Definition = { id: '9', q: { event: 'Pageview', is: { gte: 9 } } };
    const counted = async (): Promise<unknown> =>
      ((await inStore(chunk)) as { readonly internal_query_states: object }).internal_query_states;
    const checksum = checksumOf(canon(nine));
    const old = await open({ queries: [nine] });
    await old.track(eventOf('a'), eventOf('b'));
    await untilCached(thisPage, 'ab');
    const fresh = await open({ queries: [nine] });
    // The save of what the other page has not saved is not the one that is waited for below.
    await fresh.saved();
    await fresh.track(eventOf('c'));
    await fresh.save();
    await expect(counted()).resolves.toEqual({ 9: [checksum, [3], 0] });
    await old.track(eventOf('d'));
    await old.save();
    await expect(counted()).resolves.toEqual({ 9: [checksum, [4], 0] });
    await fresh.track(eventOf('e'));
    await fresh.save();
    await expect(counted()).resolves.toEqual({ 9: [checksum, [5], 0] });
    await Promise.all([old.close(), fresh.close()]);
  });

  it('is one for two tabs that are both the visitor’s first', async () => {
    const [left, right] = [
      await open({ queries: twoOrThree, start: { newSourceId: uuid(1) } }),
      await open({ queries: twoOrThree, start: { newSourceId: uuid(2) } }),
    ];
    await left.track(eventOf('a'));
    await right.track(eventOf('b'), eventOf('c'));
    await left.save();
    await right.save();
    expect(right.members()).toBe('1,2');
    await expect(inStore(chunk)).resolves.toMatchObject({ 'event-source-id': uuid(1) });
    await Promise.all([left.close(), right.close()]);
  });

  it('goes on from the state as earlier versions wrote it, and writes it without the names of fields', async () => {
    const checksum = checksumOf(canon(twoPageviews));
    const withNames = {
      migration_version: 2,
      rev: 1,
      internal_query_states: { 1: { checksum, state: [1], result: false, activations: [] } },
      external_query_states: {},
      'event-source-id': sourceId,
      group_id: startOf().userId,
    };
    await done(storeOf('workspace').write(chunk, JSON.stringify(withNames)));
    const page = await open();
    await page.track(eventOf('a'));
    await page.save();
    expect([page.transitions(), page.members()]).toEqual([['+1'], '1']);
    await page.close();
    await expect(inStore(chunk)).resolves.toMatchObject({
      'event-source-id': sourceId,
      internal_query_states: { 1: [checksum, [2], 1] },
    });
    const next = await open();
    expect([next.transitions(), next.members(), next.reports]).toEqual([[], '1', []]);
    await next.close();
  });

  it.each([
    ['the clock is a year ahead in one visit', noon + 365 * dayMs],
    ['the clock is right, and the page has dated its event a year ahead', noon],
  ])('ages from the next visit on where %s', async (_what, clock) => {
    const inLastSeconds = (id: string): Definition => ({ id, q: { event: 'Pageview', within: { seconds: 4 } } });
    const ahead = await open({ queries: [inLastSeconds('1')], now: () => clock });
    await ahead.track(eventOf('a', { time: new Date(noon + 365 * dayMs).toISOString() }));
    await ahead.save();
    await ahead.close();
    const right = await open({ queries: [inLastSeconds('1')] });
    expect(right.members()).toBe('1');
    await right.track(eventOf('b', { name: 'LinkClick' }));
    await right.save();
    await right.close();
    const later = await open({ queries: [inLastSeconds('1')], now: () => noon + 4000 });
    expect(later.members()).toBe('');
    await later.close();
    // A query that is new counts the event that is kept.
    const rebuilt = await open({ queries: [inLastSeconds('2')], now: () => noon + 4000 });
    expect(rebuilt.members()).toBe('');
  });

  it('of another user is forgotten, with the events', async () => {
    const first = await open();
    await first.track(eventOf('a'), eventOf('b'));
    await first.save();
    await first.close();
    const second = await open({ start: { userId: otherUser } });
    expect([second.members(), second.transitions()]).toEqual(['', []]);
    await untilCached(before, '');
    await second.track(eventOf('c'));
    await second.save();
    await expect(inStore(chunk)).resolves.toMatchObject({ group_id: otherUser });
    await second.close();
  });

  it('is not written over by a page of an earlier user, whose events the new one never gets', async () => {
    const old = await open({ now: () => noon });
    await old.track(eventOf('a'));
    await old.save();
    const fresh = await open({ start: { userId: otherUser }, now: () => noon + 1000 });
    await fresh.track(eventOf('b'));
    await fresh.save();
    await old.track(eventOf('c'));
    await old.save();
    await old.close();
    await expect(inStore(chunk)).resolves.toMatchObject({ group_id: otherUser });
    await fresh.track(eventOf('d'));
    await fresh.save();
    expect(fresh.members()).toBe('1');
    await fresh.close();
    const next = await open({ queries: [twoPageviews, threePageviews], start: { userId: otherUser } });
    expect([next.members(), next.reports]).toEqual(['1', []]);
    await untilCached(before, 'bd');
    await next.close();
  });

  it.each(['source', '', 7, null])(
    'goes on under another id where its own is no UUID, and that is said: %p',
    async (id) => {
      const old = await open();
      await old.track(eventOf('a'));
      await old.save();
      await old.close();
      const stored = await inStore(chunk);
      await done(storeOf('workspace').write(chunk, JSON.stringify({ ...(stored as object), 'event-source-id': id })));
      const page = await open({ start: { newSourceId: uuid(2) } });
      expect(page.reports).toEqual(['Error fetching data from store']);
      await page.track(eventOf('b'));
      expect([page.transitions(), page.members()]).toEqual([['+1'], '1']);
      await page.save();
      await page.close();
      await expect(inStore(chunk)).resolves.toMatchObject({ 'event-source-id': uuid(2) });
      const next = await open({ start: { newSourceId: uuid(3) } });
      expect([next.members(), next.reports]).toEqual(['1', []]);
      await next.close();
    },
  );

  it.each(['{', '[]', 'null'])('that is broken is nothing, and that is said: %s', async (text) => {
    await done(storeOf('workspace').write(chunk, text));
    const page = await open();
    expect([page.members(), page.reports]).toEqual(['', ['Error fetching data from store']]);
    await page.track(eventOf('a'), eventOf('b'));
    expect(page.members()).toBe('1');
    await page.close();
  });
});

describe('messages', () => {
  it('says first who the visitor is, with the platforms', async () => {
    const first = await open();
    await first.track(eventOf('a'), eventOf('b'));
    await first.save();
    await first.close();
    const second = await open();
    expect(second.said.at(-1)).toEqual({
      type: 'initialised',
      membership: { members: ['1'], activations: { dfp: ['1'] } },
      migrated: false,
      transitions: [],
    });
    await second.close();
  });

  it('says what was entered as it started, and whether the state was of an older version', async () => {
    const checksum = checksumOf(canon(twoPageviews));
    const old = {
      migration_version: 1,
      internal_query_states: { 1: { checksum, state: [1], result: false, activations: [] } },
      external_query_states: {},
      'event-source-id': sourceId,
      group_id: startOf().userId,
    };
    await done(storeOf('workspace').write(chunk, JSON.stringify(old)));
    await done(
      storeOf('workspace').replace(
        [],
        [[before, JSON.stringify(['a', 'b'].map((id) => ({ ...eventOf(id), cohorts: [] })))]],
      ),
    );
    // Cohort 1 is kept, cohort 2 is computed over the cached events, and one comes that was not saved.
    const page = await open({
      queries: twoOrThree,
      start: { given: [{ ...eventOf('c'), page: 'before', number: 1 }] },
    });
    const { migrated, transitions } = page.said.find((message) => message.type === 'initialised')!;
    expect([migrated, transitions.map(({ id, entry }) => `${entry ? '+' : '-'}${id}`).sort()]).toEqual([
      true,
      ['+1', '+2'],
    ]);
    await page.saved();
    await page.close();
    const next = await open({ queries: twoOrThree });
    expect(next.said.find((message) => message.type === 'initialised')).toMatchObject({
      migrated: false,
      transitions: [],
    });
    await next.close();
  });

  it('answers a mark after all before it', async () => {
    const page = await open();
    page.tell(
      { type: 'track', event: numberedOf('a') },
      { type: 'barrier', name: 'm' },
      { type: 'track', event: numberedOf('b') },
      { type: 'barrier', name: 'n' },
    );
    expect(
      page.said.slice(1).map((message) => (message.type === 'barrierReached' ? message.name : message.type)),
    ).toEqual(['m', 'changed', 'transitions', 'n']);
    await page.close();
  });

  it('leaves a cohort of the view when another one opens', async () => {
    const page = await open({ queries: [inThisView] });
    await page.track(eventOf('a', { name: 'LinkClick' }));
    page.tell({ type: 'context', context: contextOf('session', 'second') });
    expect(page.transitions()).toEqual(['+3', '-3']);
    await page.close();
  });

  it('does not let one definition that cannot be read cost the others', async () => {
    const page = await open({ queries: [{ id: '9', q: { like: 'x' } } as unknown as Definition, twoPageviews] });
    await page.track(eventOf('a'), eventOf('b'));
    expect(page.members()).toBe('1');
    expect(page.reports.some((report) => report.includes('Failed to interpret query 9.'))).toBe(true);
    await page.close();
  });

  it('takes definitions that are published with their checksum', async () => {
    const canonical = canon(twoPageviews);
    const published = {
      id: '1',
      ...canonical,
      canonical: true,
      checksum: checksumOf(canonical),
    } as unknown as Definition;
    const first = await open({ queries: [published] });
    await first.track(eventOf('a'));
    await first.save();
    await first.close();
    const second = await open({ queries: [twoPageviews] });
    await second.track(eventOf('b'));
    expect(second.members()).toBe('1');
    await second.close();
  });
});
