import { asyncScheduler, map, NEVER, type Observable, of, timer } from 'rxjs';

import { readTrusted } from '../../src/engine/cohortEngine';
import { type Engine, init, type RuntimeInput } from '../../src/engine/engine';
import { published } from '../../src/engine/language/canonical';
import type { Definition } from '../../src/engine/language/language';
import type { CachedEvent } from '../../src/engineHost/cachedEvent';
import { type Validation, validation, type ValidationSubject } from '../../src/engineHost/validation';
import { eventOf, noon } from '../../test/support/events';
import { contextOf } from '../../test/support/hostDeps';
import { marble, marbles } from '../support/marbles';

/** As a build writes it, which leaves alone what it cannot read. */
const inBundle = (definition: Definition): Definition => {
  try {
    return published(definition);
  } catch {
    return definition;
  }
};

const hour = 3_600_000;
/** A page view so many hours before the test. */
const view = (id: string, hoursAgo: number): CachedEvent => ({
  ...eventOf(id, { time: new Date(noon - hoursAgo * hour).toISOString() }),
  cohorts: [],
});
const past = [view('a', 30), view('b', 20), view('c', 10)];
const lately: Definition = { id: '1', q: { event: 'Pageview', is: { gte: 2 }, within: { days: 1 } } };

/** As the build ships it; what it would refuse, as it is. */
const shipped = (definition: Definition): Definition => {
  try {
    return published(definition);
  } catch {
    return definition;
  }
};

interface World {
  readonly definitions?: readonly Definition[];
  readonly past?: readonly CachedEvent[];
  /** What the live engine is given, in place of what is cached. */
  readonly lived?: readonly CachedEvent[];
  readonly through?: string;
  readonly remembered?: string;
  readonly draw?: number;
  readonly isStored?: boolean;
  readonly msPerStep?: number;
  readonly yieldMs?: number;
}

const world = ({
  definitions: written = [lately],
  past: cached = past,
  lived = cached,
  through = 'c',
  remembered,
  draw = 0,
  isStored = true,
  msPerStep = 0,
  yieldMs = 0,
}: World = {}) => {
  const definitions = written.map(shipped);
  let steps = 0;
  let drawn = 0;
  const input = (now = noon + 5 * hour): RuntimeInput => ({
    event_source_id: 'source',
    now,
    bundle: { v: 1, id: 'bundle', seed: 0, queries: definitions.map(inBundle) },
    state: null,
    context: contextOf(),
    lookups: {},
    pending: [],
  });
  // The state was stored five hours before the run: time alone has emptied some windows since.
  const live: Engine = init(input(noon));
  live.bootstrap();
  live.replay(lived.map(({ time, ...event }) => ({ ...event, time: Date.parse(time) })));
  const stored = { chunk: live.snapshot(), at: noon, through };
  const progress: string[] = [];
  const subject: ValidationSubject = {
    session: 's',
    remembered,
    remember: (text) => progress.push(text),
    ids: definitions.map(({ id }) => id),
    input,
    stored: () => (isStored ? stored : undefined),
    past: cached,
  };
  const deps = {
    random: () => {
      drawn += 1;
      return draw;
    },
    read: readTrusted,
    // Each look at the clock is a step of the run.
    now: () => asyncScheduler.now() + (steps += msPerStep),
    yieldThread: () => (yieldMs === 0 ? of(undefined) : timer(yieldMs).pipe(map(() => undefined))),
  };
  const run = (event$: Observable<CachedEvent> = NEVER): Observable<Validation> => validation(event$, subject, deps);
  return {
    run,
    letters: (event$?: Observable<CachedEvent>) => run(event$).pipe(map(({ state }) => state.charAt(0))),
    progress,
    draws: () => drawn,
  };
};

const resultOf = (changes: World, event$?: Observable<CachedEvent>): Validation => {
  let result: Validation | undefined;
  marbles(({ flush }) => {
    world(changes)
      .run(event$)
      .subscribe((state) => (result = state));
    flush();
  })();
  return result!;
};

describe('validation', () => {
  marble('runs 60,000 ms after the start: pending, in progress, finished', ({ expectObservable, flush }) => {
    const { letters, progress, draws } = world();
    expectObservable(letters()).toBe('p 59999ms (if|)');
    flush();
    expect([progress, draws()]).toEqual([['pending s', 'pending s', 'finished s'], 1]);
  });

  marble('is skipped at once in nine sessions of ten', ({ expectObservable, flush }) => {
    const { letters, progress } = world({ draw: 0.1 });
    expectObservable(letters()).toBe('(ps|)');
    flush();
    expect(progress).toEqual(['skipped s']);
    expectObservable(world({ draw: 0.0999 }).letters()).toBe('p 59999ms (if|)');
  });

  it.each(['finished s', 'skipped s'])('is over for the session, and not drawn again, once %s', (remembered) => {
    marbles(({ expectObservable, flush }) => {
      const { letters, progress, draws } = world({ remembered });
      expectObservable(letters()).toBe('(ps|)');
      flush();
      expect([progress, draws()]).toEqual([[], 0]);
    })();
  });

  marble(
    'is left to the next page of the session when a page is too short, without another draw',
    ({ expectObservable, flush }) => {
      const { letters, draws } = world({ remembered: 'pending s', draw: 1 });
      expectObservable(letters()).toBe('p 59999ms (if|)');
      flush();
      expect(draws()).toBe(0);
    },
  );

  marble('is drawn anew in another session', ({ expectObservable }) => {
    expectObservable(world({ remembered: 'skipped before' }).letters()).toBe('p 59999ms (if|)');
  });

  marble('gives way after 50 ms', ({ expectObservable }) => {
    // 10 ms a step: compile, then three events; 50 ms are over once.
    expectObservable(world({ msPerStep: 20, yieldMs: 7 }).letters()).toBe('p 59999ms i 6ms (f|)');
  });

  marble('stops with its subscriber', ({ expectObservable }) => {
    expectObservable(world().letters(), '^ 59s !').toBe('p');
  });

  describe('compares', () => {
    it('what the events of the past come to with what is stored', () => {
      expect(resultOf({})).toEqual({ state: 'finished', matches: 1, skipped: 0, mismatches: [] });
      expect(resultOf({ lived: [past[0]!, past[2]!] })).toEqual({
        state: 'finished',
        matches: 0,
        skipped: 0,
        mismatches: ['1'],
      });
    });

    it('with the events of this page, up to the last that is stored', () => {
      const page = [view('d', 0), view('e', 0)];
      const five: Definition = { id: '2', q: { event: 'Pageview', is: { gte: 5 }, within: { days: 1 } } };
      const result = (through: string): Validation =>
        resultOf({ definitions: [five], lived: [...past, page[0]!], through }, of(...page));
      expect(result('d').mismatches).toEqual([]);
      expect(result('e').mismatches).toEqual(['2']);
    });

    it('nothing where nothing is stored, or none of its events is known', () => {
      expect(resultOf({ isStored: false })).toMatchObject({ matches: 0, skipped: 1, mismatches: [] });
      expect(resultOf({ through: 'x' })).toMatchObject({ matches: 0, skipped: 1, mismatches: [] });
    });

    const within = { days: 1 };
    it.each<readonly [string, Definition['q']]>([
      ['engagement', { event: 'PageviewEngagement', within }],
      ['transitions', { entered: '1', within }],
      ['other cohorts', { cohort: '1' }],
      ['data', { lookup: 'geo', where: { p: 'country', exists: true } }],
      ['third parties', { not: { thirdParty: { provider: 'acme', in: ['1'] } } }],
      ['models', { lookalike: { model: 'm', gte: 0.5 } }],
      ['the server', { event: 'Pageview', remote: true, within }],
      ['the session', { event: 'Pageview', within: 'session' }],
      ['a life time', { event: 'Pageview', is: { gte: 9 } }],
      ['a life time without a number', { event: 'Pageview' }],
      ['the first ever', { first: { event: 'Pageview' }, is: { p: 'a', exists: true } }],
      ['more than is cached', { event: 'Pageview', within: { days: 2 } }],
      ['steps that are not cached', { sequence: [{ event: 'Pageview' }, { event: 'Reaction' }], within }],
      [
        'one of those among others',
        { and: [{ event: 'Pageview', within }, { or: [{ event: 'Pageview', within }, { event: 'Pageview' }] }] },
      ],
    ])('not what depends on %s', (_, q) =>
      expect(resultOf({ definitions: [{ id: '3', q }] })).toMatchObject({ matches: 0, skipped: 1, mismatches: [] }),
    );

    it('a definition that cannot be read as nothing', () => {
      expect(
        resultOf({
          definitions: [
            lately,
            { id: '4', q: { like: 'x' } } as unknown as Definition,
            { id: '5' } as unknown as Definition,
          ],
        }),
      ).toMatchObject({ matches: 1, skipped: 2 });
    });
  });
});
