import { defer, filter, map, mergeMap, NEVER, type Observable, takeLast, takeUntil, throwError, timer } from 'rxjs';

import { canon } from '../../src/engine/language/canonical';
import { checksumOf } from '../../src/engine/language/checksums';
import type { LoadParts } from '../../src/engineHost/loadParts';
import { partsAtHand } from '../../src/engineHost/partsAtHand';
import type { EngineCommand, EngineMessage } from '../../src/model/engineCommands';
import { eventOf, numberedOf, sourceId } from '../../test/support/events';
import { newEngine, startOf, storedState } from '../../test/support/hostDeps';
import { marble, marbles } from '../support/marbles';
import { chunkKey, type World, world } from '../support/servedHost';

const commands = {
  s: startOf(),
  t: { type: 'data', patch: { thirdParty: { acme: ['7'] } } },
  a: { type: 'track', event: numberedOf('a') },
  b: { type: 'track', event: numberedOf('b', { number: 2 }) },
  f: { type: 'flush' },
  x: { type: 'explain', request: 1, id: '1', left: [] },
  y: { type: 'explain', request: 2, id: '2', left: [] },
  z: { type: 'explain', request: 3, id: 'none', left: [] },
} as const satisfies Readonly<Record<string, EngineCommand>>;

/** Parts that say when they are asked for. `isThere`: whether the part loads, by how many times it was asked for. */
const counted = <Part extends keyof LoadParts>(part: Part, isThere: (asked: number) => boolean = () => true) => {
  let asked = 0;
  return {
    load: {
      [part]: () =>
        defer(() => {
          asked += 1;
          return isThere(asked) ? partsAtHand[part]() : throwError(() => new Error(`no ${part}`));
        }),
    } as Pick<LoadParts, Part>,
    asked: () => asked,
  };
};

const explained = filter((message: EngineMessage) => message.type === 'explained');
const firstLine = map((message: EngineMessage & { readonly type: 'explained' }) =>
  String(message.text?.split('\n')[0] ?? null),
);

describe('explanations', () => {
  marble('are loaded for the first question about a query, and no sooner', ({ hot, expectObservable, flush }) => {
    const { load, asked } = counted('explanations');
    const lines$ = world({ load }).run(hot('s-a-z-x', commands)).pipe(explained, firstLine);
    expectObservable(lines$.pipe(map((line) => `${asked()} ${line}`)), '^-------!').toBe('----z-x', {
      z: '0 null',
      x: '1 Cohort 1: the visitor is not a member.',
    });
    flush();
  });

  marble('that do not load are said to be missing, and are asked for again', ({ hot, expectObservable, flush }) => {
    const { load } = counted('explanations', (asked) => asked > 1);
    const { run, reports } = world({ load });
    expectObservable(run(hot('s-x-y', commands)).pipe(explained, firstLine), '^-----!').toBe('--x-y', {
      x: 'The cohort could not be explained.',
      y: 'Cohort 2: the visitor is not a member.',
    });
    flush();
    expect(reports).toEqual(['Failed to explain a cohort']);
  });

  marble('that are slow keep the order of the questions', ({ hot, expectObservable }) => {
    const { run } = world({ load: { explanations: () => timer(5).pipe(mergeMap(() => partsAtHand.explanations())) } });
    const request$ = run(hot('sxz', commands)).pipe(
      explained,
      map(({ request }) => String(request)),
    );
    expectObservable(request$, '^---------!').toBe('------(13)');
  });
});

describe('cloud lift', () => {
  const q = { event: 'Pageview', remote: true as const, is: { gte: 2 } };
  const remote = { id: '5', q, checksum: checksumOf(canon({ id: '5', q })) };
  /** The ids of the events that the server was asked to count. */
  const server = () => {
    const lifted: string[] = [];
    const liftEvents = (input: unknown) => {
      const { events } = (input as { readonly body: { readonly events: readonly { readonly id: string }[] } }).body;
      lifted.push(...events.map(({ id }) => id));
      return { result: { state: { 5: [remote.checksum, [Math.min(2, events.length)]] } } };
    };
    return { lifted, answers: { liftEvents } };
  };
  const lifting: World = { stored: {}, definitions: [remote], lift: ['Pageview'] };
  const slow = { lift: () => timer(20).pipe(mergeMap(() => partsAtHand.lift())) };
  const members = (message$: Observable<EngineMessage>) =>
    message$.pipe(
      filter((message) => 'membership' in message),
      map(({ membership }) => membership.members.join() || '.'),
    );

  marble('is not loaded where nothing happens that the server counts', ({ hot, expectObservable, flush }) => {
    const { load, asked } = counted('lift');
    const { run } = world({ ...lifting, lift: ['Other'], load });
    expectObservable(members(run(hot('s-a-t', commands))), '^-----!').toBe('.');
    flush();
    expect(asked()).toBe(0);
  });

  marble('is not loaded for a project that does not use it', ({ hot, expectObservable, flush }) => {
    const { load, asked } = counted('lift');
    expectObservable(members(world({ load }).run(hot('s-a', commands))), '^---!').toBe('.');
    flush();
    expect(asked()).toBe(0);
  });

  it.each([
    ['while it loads', 's-a--b'],
    ['before the services', '(sab)'],
    ['in one task', 's-(ab)'],
    ['before and after it has come', 's-a 30ms b'],
  ])('that is slow counts once what happens %s', (_, diagram) => {
    const { lifted, answers } = server();
    const visit = world({ ...lifting, answers, load: slow });
    marbles(({ hot, expectObservable }) => {
      const last$ = members(visit.run(hot(`${diagram} 40ms f`, commands)).pipe(takeUntil(timer(90)))).pipe(takeLast(1));
      expectObservable(last$).toBe('90ms (m|)', { m: '5' });
    })();
    expect(lifted).toEqual(['a', 'b']);
    expect(visit.chunk()).toMatchObject({ unlifted: [] });
  });

  it('that does not come in time leaves to the next page what waits', () => {
    const first = world({ ...lifting, load: { lift: () => NEVER } });
    marbles(({ hot, expectObservable }) => {
      expectObservable(members(first.run(hot('s-a-f', commands))), '^-----!').toBe('.');
    })();
    expect(first.chunk()).toMatchObject({ unlifted: ['a'] });

    const { lifted, answers } = server();
    const events = [{ ...eventOf('a'), cohorts: [] }];
    const stored = { [chunkKey]: first.chunk(), 'permutive-events-cache': events };
    const second = world({ ...lifting, answers, stored, load: slow });
    marbles(({ hot, expectObservable }) => {
      expectObservable(members(second.run(hot('s-b 30ms f', commands))), '^ 40ms !').toBe('. 25ms m', {
        '.': '.',
        m: '5',
      });
    })();
    expect(lifted).toEqual(['a', 'b']);
    expect(second.chunk()).toMatchObject({ unlifted: [] });
  });

  it('is loaded at the start where a stored query has no definition', () => {
    const engine = newEngine(sourceId);
    engine.bootstrap();
    engine.appendLifted({ 5: [remote.checksum, [1]] }, [remote]);
    const stored = { [chunkKey]: { ...(JSON.parse(storedState([])) as object), ...engine.snapshot() } };
    const { asked, run } = world({ ...lifting, definitions: [], stored, load: slow });
    marbles(({ hot, expectObservable }) => {
      expectObservable(members(run(hot('s', commands))), '^ 30ms !').toBe('.');
    })();
    expect(asked).toEqual(['20 liftQueries']);
  });

  it('that does not load is said, asked for again at the next event, and costs no other service', () => {
    const { lifted, answers } = server();
    const { load } = counted('lift', (asked) => asked > 1);
    const both = [remote, { id: '2', q: { thirdParty: { provider: 'acme', in: ['7'] } } } as const];
    const { run, reports } = world({ ...lifting, definitions: both, answers, load });
    marbles(({ hot, expectObservable }) => {
      const usage$ = run(hot('s-a-t-b', commands)).pipe(
        filter((message) => message.type === 'usage'),
        map(({ usage }) => usage.map(({ provider, id }) => provider + id).join()),
      );
      expectObservable(usage$, '^ 20ms !').toBe('----u', { u: 'acme7' });
    })();
    expect(reports).toEqual(['Failed to load cloud lift']);
    expect(lifted).toEqual(['a', 'b']);
  });
});

marble('services that never load leave the engine running', ({ hot, expectObservable }) => {
  const entered$ = world({ load: { services: () => NEVER } })
    .run(hot('s-a-b', commands))
    .pipe(
      filter((message) => message.type === 'transitions'),
      map(({ transitions }) => transitions.map(({ id }) => id).join()),
    );
  expectObservable(entered$, '^-----!').toBe('----e', { e: '1' });
});
