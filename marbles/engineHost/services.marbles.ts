import { asyncScheduler, defer, filter, map, mergeMap, type Observable, of, timer } from 'rxjs';

import { canon } from '../../src/engine/language/canonical';
import { checksumOf } from '../../src/engine/language/checksums';
import type { Definition } from '../../src/engine/language/language';
import { engineHost } from '../../src/engineHost/engineHost';
import { recountable, services } from '../../src/engineHost/services';
import type { EngineCommand, EngineMessage, Start } from '../../src/model/engineCommands';
import type { NumberedEvent } from '../../src/model/event';
import { eventOf, noon, numberedOf } from '../../test/support/events';
import { hostDepsOf, startOf, storedState } from '../../test/support/hostDeps';
import { keyValueStore } from '../../test/support/keyValueStore';
import { marble, marbles } from '../support/marbles';

const queries: readonly Definition[] = [
  { id: '1', q: { event: 'Pageview', is: { gte: 2 } } },
  { id: '2', q: { and: [{ event: 'Pageview' }, { thirdParty: { provider: 'acme', in: ['7', '8'] } }] } },
  { id: '3', q: { lookup: 'geo', where: { p: 'country', in: ['FR'] } } },
];
const chunkKey = 'permutive-data-queries';
const chunk = { recountable, services };

interface World {
  readonly stored?: Readonly<Record<string, unknown>>;
  readonly answers?: Readonly<Record<string, (input: unknown) => unknown>>;
  readonly lift?: readonly string[];
  readonly definitions?: readonly Definition[];
  readonly now?: () => number;
  readonly yieldThread?: () => Observable<unknown>;
}

/**
 * A host with its services, which are there at once, as they are on the page; a server that answers after 3 ms, or
 * never.
 */
const world = ({
  stored = { [chunkKey]: storedState(queries) },
  answers = {},
  lift,
  definitions = queries,
  now = () => noon + asyncScheduler.now(),
  yieldThread = () => of(undefined),
}: World = {}) => {
  const store = keyValueStore(stored);
  const asked: string[] = [];
  const reports: string[] = [];
  const deps = hostDepsOf(definitions, {
    store: () => store,
    now,
    yieldThread,
    random: () => Math.random() * 0.9 + 0.1,
    report: (message) => reports.push(message),
    ask: (what, input) =>
      defer(() => {
        asked.push(`${asyncScheduler.now()} ${what}`);
        const answer = answers[what];
        return timer(answer === undefined ? Infinity : 3).pipe(map(() => answer?.(input)));
      }),
    // A promise would not wait for the virtual clock.
    loadServices: () =>
      ({ then: (use: (loaded: typeof chunk) => void) => use(chunk) }) as unknown as Promise<typeof chunk>,
  });
  const bundle = { ...deps.bundle, ...(lift !== undefined && { lift: { events: lift } }) };
  return {
    run: (message$: Observable<EngineCommand>) => engineHost(message$, { ...deps, bundle }),
    asked,
    reports,
    chunk: () => JSON.parse(store.texts.get(chunkKey)!) as Readonly<Record<string, unknown>>,
  };
};

const said = <Type extends EngineMessage['type']>(type: Type) =>
  filter((message: EngineMessage): message is Extract<EngineMessage, { type: Type }> => message.type === type);
const track = (id: string, changes: Partial<NumberedEvent> = {}): EngineCommand => ({
  type: 'track',
  event: numberedOf(id, changes),
});
const start = (changes: Partial<Start> = {}): EngineCommand => startOf(changes);
const data = (patch: Extract<EngineCommand, { type: 'data' }>['patch']): EngineCommand => ({ type: 'data', patch });

describe('metrics', () => {
  const named = (message$: Observable<EngineMessage>) =>
    message$.pipe(
      said('metrics'),
      map(({ items }) => items.map(({ name, labels }) => labels['step'] ?? name).join()),
    );

  marble('go to the page at a check every 100 ms, where there are some', ({ hot, expectObservable }) => {
    const message$ = hot<EngineCommand>('s 149ms (ab) 245ms f', {
      s: start(),
      a: track('a'),
      b: track('b'),
      f: { type: 'flush' },
    });
    const unsub = '             ^ 2s !';
    const expected = '          100ms s 99ms e 199ms f';
    expectObservable(named(world().run(message$)), unsub).toBe(expected, {
      s: 'sdk_events_cache_size_total,sdk_events_cache_byte_total,bootstrap,replay',
      e: 'event,event',
      f: 'save',
    });
  });

  marble(
    'say how many events are cached, and their size at 2 bytes a character',
    ({ hot, expectObservable, flush }) => {
      const event = { ...eventOf('a'), cohorts: [] };
      const items: unknown[] = [];
      const { run } = world({ stored: { 'permutive-events-cache': [event, { ...event, id: 'b' }] } });
      expectObservable(
        run(hot<EngineCommand>('s', { s: start() })).pipe(
          said('metrics'),
          map(({ items: some }) => void items.push(...some)),
          filter(() => false),
        ),
        '^ 150ms !',
      ).toBe('-');
      flush();
      expect(items).toEqual(
        expect.arrayContaining([
          { name: 'sdk_events_cache_size_total', value: 2, labels: {} },
          { name: 'sdk_events_cache_byte_total', value: 2 * 2 * JSON.stringify(event).length, labels: {} },
        ]),
      );
    },
  );

  /** The ages that the host counts. */
  const agesOf = (message$: Observable<EngineMessage>) =>
    message$.pipe(
      said('metrics'),
      mergeMap(({ items }) => items),
      filter(({ name }) => name === 'sdk_events_cache_age_seconds'),
      map(({ labels, value }) => `${labels['of']} ${value}`),
    );
  const cachedAt = (...times: readonly number[]) => ({
    'permutive-events-cache': times.map((time, i) => ({
      ...eventOf(`e${i}`, { time: new Date(time).toISOString() }),
      cohorts: [],
    })),
  });

  marble(
    'say after 30 s how old the oldest cached event is, and all of them on average',
    ({ hot, expectObservable }) => {
      // The clock of the third event was ahead.
      const { run } = world({ stored: cachedAt(noon - 90_000, noon - 30_000, noon + 60_000) });
      const expected = '30100ms (om)';
      expectObservable(agesOf(run(hot<EngineCommand>('s', { s: start() }))), '^ 61s !').toBe(expected, {
        o: 'oldest 120',
        m: 'mean 60',
      });
    },
  );

  marble('say no age where no event is cached', ({ hot, expectObservable }) => {
    expectObservable(agesOf(world({ stored: {} }).run(hot<EngineCommand>('s', { s: start() }))), '^ 61s !').toBe('-');
  });

  marble(
    'find the ages of 20 events at a time, and let go of the thread every 50 ms',
    ({ hot, expectObservable, flush }) => {
      // From 30 s on, each look at the clock takes a slice.
      let slept = 0;
      const yieldThread = jest.fn(() => of(undefined));
      const { run } = world({
        stored: cachedAt(...Array.from({ length: 65 }, () => noon)),
        now: () => noon + asyncScheduler.now() + (asyncScheduler.now() < 30_000 ? 0 : (slept += 50)),
        yieldThread,
      });
      const message$ = hot<EngineCommand>('s', { s: start() });
      expectObservable(agesOf(run(message$)), '^ 30101ms !').toBe('30100ms (om)', {
        o: expect.stringContaining('oldest') as string,
        m: expect.stringContaining('mean') as string,
      });
      flush();
      expect(yieldThread).toHaveBeenCalledTimes(3);
    },
  );

  marble('say what steps have taken', ({ hot, expectObservable }) => {
    const message$ = hot<EngineCommand>('s 49ms a', { s: start(), a: track('a') });
    const seconds$ = world()
      .run(message$)
      .pipe(
        said('metrics'),
        mergeMap(({ items }) => items),
        filter(({ labels }) => labels['step'] === 'event'),
        map(({ name, value }) => `${name} ${value}`),
      );
    expectObservable(seconds$, '^ 150ms !').toBe('100ms e', { e: 'sdk_engine_seconds 0' });
  });
});

describe('data of the page', () => {
  const entered = (message$: Observable<EngineMessage>) =>
    message$.pipe(
      said('transitions'),
      map(({ transitions }) => transitions.map(({ id, entry }) => (entry ? id : `-${id}`)).join()),
    );

  marble('decides the queries that wait for it', ({ hot, expectObservable }) => {
    const message$ = hot('s--g--h', {
      s: start(),
      g: data({ geo: { country: 'FR' } }),
      h: data({ geo: { country: 'DE' } }),
    });
    expectObservable(entered(world().run(message$)), '^-------!').toBe('---a--x', { a: '3', x: '-3' });
  });

  marble('counts as empty where nobody provides it, and is taken when it comes', ({ hot, expectObservable }) => {
    const not: Definition = {
      id: '4',
      q: { and: [{ event: 'Pageview' }, { not: { thirdParty: { provider: 'acme', in: ['7'] } } }] },
    };
    const message$ = hot('s--a--t', { s: start(), a: track('a'), t: data({ thirdParty: { acme: [7] } }) });
    expectObservable(entered(world({ stored: {}, definitions: [not] }).run(message$)), '^-------!').toBe('---a--x', {
      a: '4',
      x: '-4',
    });
  });
});

describe('data that the page is to provide', () => {
  const strangers: Definition = {
    id: '4',
    q: { and: [{ event: 'Pageview' }, { not: { thirdParty: { provider: 'acme', in: ['7'] } } }] },
  };
  const lookups = ['thirdParty'] as const;

  marble('holds the queries that read it, until it comes or is empty', ({ hot, expectObservable }) => {
    const message$ = hot('s--a--t', { s: start({ lookups }), a: track('a'), t: data({ thirdParty: {} }) });
    const entered$ = world({ stored: {}, definitions: [strangers] })
      .run(message$)
      .pipe(
        said('transitions'),
        map(({ transitions }) => transitions.map(({ id }) => id).join()),
      );
    expectObservable(entered$, '^-------!').toBe('------a', { a: '4' });
  });
});

describe('usage', () => {
  marble('is told whenever it changes: by data, and by an entry', ({ hot, expectObservable }) => {
    const message$ = hot('s-t-a-b-u-u-n', {
      s: start(),
      t: data({ thirdParty: { acme: ['7'] } }),
      a: track('a'),
      b: track('b'),
      u: data({ thirdParty: { acme: ['8', '7'], other: ['7'] } }),
      n: data({ thirdParty: {} }),
    });
    const usage$ = world()
      .run(message$)
      .pipe(
        said('usage'),
        map(({ usage }) => usage.map(({ provider, id }) => provider + id).join()),
      );
    expectObservable(usage$, '^----------------!').toBe('----a---u---n', { a: 'acme7', u: 'acme7,acme8', n: '' });
  });
});

describe('cloud lift', () => {
  const q = { event: 'Pageview', remote: true as const, is: { gte: 2 } };
  const remote = { id: '5', q, checksum: checksumOf(canon({ id: '5', q })) };
  const counting = {
    liftEvents: (input: unknown) => ({
      result: {
        state: {
          5: [
            remote.checksum,
            [Math.min(2, (input as { readonly body: { readonly events: readonly unknown[] } }).body.events.length)],
          ],
        },
      },
    }),
  };
  const lifting: World = { stored: {}, definitions: [remote], lift: ['Pageview'] };
  const members = (message$: Observable<EngineMessage>) =>
    message$.pipe(
      filter((message) => 'membership' in message),
      map((message) => ('membership' in message ? message.membership.members.join() || '.' : '')),
    );

  it('counts on the next page what was not answered on this one, once', () => {
    const first = world(lifting);
    marbles(({ hot, expectObservable }) => {
      const message$ = hot<EngineCommand>('s-a-f', { s: start(), a: track('a'), f: { type: 'flush' } });
      expectObservable(members(first.run(message$)), '^-----!').toBe('.');
    })();
    expect(first.chunk()).toMatchObject({ unlifted: ['a'] });

    const second = world({
      ...lifting,
      answers: counting,
      stored: { [chunkKey]: first.chunk(), 'permutive-events-cache': [{ ...eventOf('a'), cohorts: [] }] },
    });
    marbles(({ hot, expectObservable }) => {
      const message$ = hot<EngineCommand>('s----b---f', { s: start(), b: track('b'), f: { type: 'flush' } });
      expectObservable(members(second.run(message$)), '^------------!').toBe('.-------5');
    })();
    expect(second.asked).toEqual(['0 liftEvents', '5 liftEvents']);
    expect(second.chunk()).toMatchObject({ unlifted: [] });
  });

  marble('counts what the last page could not see saved', ({ hot, expectObservable }) => {
    const message$ = hot<EngineCommand>('s', { s: start({ unsaved: [eventOf('a'), eventOf('b')] }) });
    expectObservable(members(world({ ...lifting, answers: counting }).run(message$)), '^-----!').toBe('.--5');
  });

  marble('leaves to other tabs what is theirs', ({ hot, expectObservable, flush }) => {
    const page = world({
      ...lifting,
      stored: { [chunkKey]: { ...(JSON.parse(storedState([remote])) as object), unlifted: ['gone'] } },
    });
    const message$ = hot<EngineCommand>('s-a-f', { s: start(), a: track('a'), f: { type: 'flush' } });
    expectObservable(members(page.run(message$)), '^-----!').toBe('.');
    flush();
    // Not in the cache any more: nobody can count it.
    expect(page.chunk()).toMatchObject({ unlifted: ['a'] });
  });
});

describe('validation', () => {
  marble('is remembered with the state', ({ hot, expectObservable, flush }) => {
    const { run, chunk } = world();
    expectObservable(
      run(hot<EngineCommand>('s-a-f', { s: start(), a: track('a'), f: { type: 'flush' } })).pipe(
        said('saved'),
        map(({ eventId }) => eventId),
      ),
      '^-----!',
    ).toBe('----a');
    flush();
    expect(chunk()).toMatchObject({ validation: 'skipped session' });
  });
});

marble('explains in words', ({ hot, expectObservable }) => {
  const message$ = hot<EngineCommand>('s-x-y', {
    s: start(),
    x: { type: 'explain', request: 4, id: '1' },
    y: { type: 'explain', request: 5, id: 'none' },
  });
  const words$ = world()
    .run(message$)
    .pipe(
      said('explained'),
      map(({ request, text }) => `${request} ${text?.split('\n')[0] ?? 'null'}`),
    );
  expectObservable(words$, '^-----!').toBe('--x-y', { x: '4 Cohort 1: the visitor is not a member.', y: '5 null' });
});

marble('explains in parts, with the events that count of this page', ({ hot, expectObservable }) => {
  const message$ = hot<EngineCommand>('s-a-x-y', {
    s: start(),
    a: track('a'),
    x: { type: 'explain', request: 4, id: '1' },
    y: { type: 'explain', request: 5, id: 'none' },
  });
  const parts$ = world()
    .run(message$)
    .pipe(
      said('explained'),
      map(({ explanation }) => explanation && [explanation.flip, explanation.clause.events]),
    );
  const { name, time } = eventOf('a');
  expectObservable(parts$, '^-------!').toBe('----x-y', {
    x: ['1 more Pageview event', [{ name, time }]],
    y: null,
  });
});
