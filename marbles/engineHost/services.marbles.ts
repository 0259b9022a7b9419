import { asyncScheduler, filter, map, mergeMap, type Observable, of } from 'rxjs';

import { encodeModels } from '../../project/encodeModels';
import { canon } from '../../src/engine/language/canonical';
import { checksumOf } from '../../src/engine/language/checksums';
import type { Definition } from '../../src/engine/language/language';
import type { EngineCommand, EngineMessage, Start } from '../../src/model/engineCommands';
import type { NumberedEvent } from '../../src/model/event';
import { eventOf, noon, numberedOf } from '../../test/support/events';
import { startOf, storedState } from '../../test/support/hostDeps';
import { marble, marbles } from '../support/marbles';
import { chunkKey, type World, world } from '../support/servedHost';

const said = <Type extends EngineMessage['type']>(type: Type) =>
  filter((message: EngineMessage): message is Extract<EngineMessage, { type: Type }> => message.type === type);
const track = (id: string, changes: Partial<NumberedEvent> = {}): EngineCommand => ({
  type: 'track',
  event: numberedOf(id, changes),
});
const start = (changes: Partial<Start> = {}): EngineCommand => startOf(changes);
const data = (patch: Extract<EngineCommand, { type: 'data' }>['patch']): EngineCommand => ({ type: 'data', patch });

describe('lookalike models', () => {
  marble('are said to have changed once the engine has them', ({ hot, expectObservable }) => {
    const lookalike = '6f1b2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d';
    const definitions: readonly Definition[] = [{ id: '1', q: { lookalike: { model: lookalike, gte: 0.5 } } }];
    const model = { id: lookalike, data_preference: '1p' as const, weights: new Map([['const', 3]]) };
    const { run } = world({
      definitions,
      stored: { [chunkKey]: storedState(definitions) },
      answers: { binaryModels: () => encodeModels([model], { version: 2, precision: 12 }) },
    });
    const message$ = run(hot<EngineCommand>('s', { s: start({ hasModels: true }) })).pipe(
      map(({ type }) => type),
      filter((type) => ['changed', 'transitions', 'models'].includes(type)),
    );
    expectObservable(message$, '^ 50ms !').toBe('---(ctm)', { c: 'changed', t: 'transitions', m: 'models' });
  });
});

describe('metrics', () => {
  const named = (message$: Observable<EngineMessage>) =>
    message$.pipe(
      said('metrics'),
      map(({ items }) => items.map(({ name, labels }) => labels['step'] ?? name).join()),
    );

  const letters = 'abcdeghijklmno';
  const commands = {
    s: start(),
    f: { type: 'flush' } as const,
    ...Object.fromEntries(Array.from(letters, (letter) => [letter, track(letter)])),
  };
  const ofStart = 'sdk_events_cache_size_total,sdk_events_cache_byte_total,bootstrap,replay';

  marble(
    'go to the page once a check every 100 ms has found no further ones for 500 ms',
    ({ hot, expectObservable }) => {
      const message$ = hot<EngineCommand>('s 149ms (ab) 745ms c', commands);
      const unsub = '             ^ 2s !';
      const expected = '          700ms s 699ms e';
      const told = { s: `${ofStart},event,event`, e: 'event' };
      expectObservable(named(world().run(message$)), unsub).toBe(expected, told);
    },
  );

  marble('go to the page 5 s after the first, where there is no pause', ({ hot, expectObservable }) => {
    const message$ = hot<EngineCommand>(`s ${Array.from(letters, (letter) => `399ms ${letter}`).join(' ')}`, commands);
    const unsub = '             ^ 5200ms !';
    const expected = '          5100ms s';
    expectObservable(named(world().run(message$)), unsub).toBe(expected, {
      s: `${ofStart}${',event'.repeat(12)}`,
    });
  });

  marble('go to the page at once where it may be going away', ({ hot, expectObservable }) => {
    const message$ = hot<EngineCommand>('s 149ms (ab) 245ms f', commands);
    const unsub = '             ^ 2s !';
    const expected = '          399ms s';
    expectObservable(named(world().run(message$)), unsub).toBe(expected, {
      s: `${ofStart},event,event,save`,
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
        '^ 750ms !',
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
      // The clock of the third event was ahead, so the event is as old as this page.
      const { run } = world({ stored: cachedAt(noon - 90_000, noon - 30_000, noon + 60_000) });
      const expected = '30600ms (om)';
      expectObservable(agesOf(run(hot<EngineCommand>('s', { s: start() }))), '^ 61s !').toBe(expected, {
        o: 'oldest 120',
        m: 'mean 70',
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
      expectObservable(agesOf(run(message$)), '^ 30601ms !').toBe('30600ms (om)', {
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
    expectObservable(seconds$, '^ 750ms !').toBe('600ms e', { e: 'sdk_engine_seconds 0' });
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
    const message$ = hot<EngineCommand>('s', {
      s: start({ given: ['a', 'b'].map((id, i) => ({ ...eventOf(id), page: 'before', number: i + 1 })) }),
    });
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
      run(hot<EngineCommand>('s-a-f', { s: start(), a: track('a', { number: 7 }), f: { type: 'flush' } })).pipe(
        said('saved'),
        map(({ until }) => String(until['page'])),
      ),
      '^-----!',
    ).toBe('----7');
    flush();
    expect(chunk()).toMatchObject({ validation: 'skipped session' });
  });
});

marble('explains in words', ({ hot, expectObservable }) => {
  const message$ = hot<EngineCommand>('s-x-y', {
    s: start(),
    x: { type: 'explain', request: 4, id: '1', left: [] },
    y: { type: 'explain', request: 5, id: 'none', left: [] },
  });
  const words$ = world()
    .run(message$)
    .pipe(
      said('explained'),
      map(({ request, text }) => `${request} ${text?.split('\n')[0] ?? 'null'}`),
    );
  expectObservable(words$, '^-----!').toBe('--x-y', { x: '4 Cohort 1: the visitor is not a member.', y: '5 null' });
});

marble('counts which of the events in the journal it has not counted, also for an id without a query', (deps) => {
  const { hot, expectObservable } = deps;
  const [a, b] = [numberedOf('a'), numberedOf('b')];
  const left = [a, b, numberedOf('c', { page: 'another' })];
  const message$ = hot<EngineCommand>('s-a-x-b-y', {
    s: start(),
    a: { type: 'track', event: a },
    b: { type: 'track', event: b },
    x: { type: 'explain', request: 4, id: '1', left },
    y: { type: 'explain', request: 5, id: 'none', left },
  });
  const waiting$ = world()
    .run(message$)
    .pipe(
      said('explained'),
      map(({ waiting }) => String(waiting)),
    );
  expectObservable(waiting$, '^---------!').toBe('----2---1');
});

marble('explains in parts, with the events that count of this page', ({ hot, expectObservable }) => {
  const message$ = hot<EngineCommand>('s-a-x-y', {
    s: start(),
    a: track('a'),
    x: { type: 'explain', request: 4, id: '1', left: [] },
    y: { type: 'explain', request: 5, id: 'none', left: [] },
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
