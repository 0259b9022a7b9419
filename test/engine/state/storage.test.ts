import * as fc from 'fast-check';

import { type Engine, init } from '../../../src/engine/engine';
import type { EngineReport } from '../../../src/engine/evaluate/report';
import type { CellExpr, EventExpr as CounterExpr } from '../../../src/engine/language/canonicalLanguage';
import type { Definition, Expr } from '../../../src/engine/language/language';
import type { QueriesChunk } from '../../../src/engine/state/chunk';
import { maxStates } from '../../../src/engine/state/lift';
import { packChunk } from '../../../src/engine/state/packedChunk';
import { json } from '../../../src/hardening/plainJson';
import { dayMs } from '../../../src/primitives/duration';
import { law } from '../../support/laws';
import { comparison } from '../support/cells';
import { history, queries } from '../support/language';
import { definitions, event, inputOf, source, start, stored, t0 } from '../support/run';

const signed = ({ transitions }: EngineReport): string[] =>
  transitions.map(({ id, entry }) => `${entry ? '+' : '-'}${id}`);
const seen = (engine: Engine, name = 'A', time = t0): string[] => signed(engine.process([event(name, time)], time));
const load = (queriesOfPage: readonly Definition[], state: unknown, now = t0): Engine => {
  const engine = init(inputOf(queriesOfPage, { state, now }));
  engine.bootstrap();
  return engine;
};
const other = 'bbbbbbbb-0000-4000-8000-000000000002';

describe('the chunk', () => {
  const trio = definitions({ event: 'A', within: { days: 7 } }, { event: 'A', is: { gte: 2 } }, { event: 'B' });

  it('has the state of queries that have any, and what belongs to the source', () => {
    const engine = start(trio);
    seen(engine);
    const checksum = (id: string): string => engine.explain(id)!.checksum;
    expect(engine.snapshot()).toEqual<QueriesChunk>({
      migration_version: 2,
      rev: 1,
      'event-source-id': source,
      bundle_checksum: expect.any(String) as string,
      internal_query_states: {
        '1': { checksum: checksum('1'), state: [[281084, 1]], result: true },
        '2': { checksum: checksum('2'), state: [1], result: false },
      },
      external_query_states: {},
      unsynced: ['1', '2'],
      last_seen_offset: 0,
      group_id: null,
      third_party_data_hash: null,
      unprocessed_pageview_complete: null,
    });
    expect(engine.snapshot().rev).toBe(2);
  });

  it('drops what can no longer count', () => {
    const engine = start(trio);
    seen(engine);
    engine.tick(t0 + 8 * dayMs);
    expect(Object.keys(engine.snapshot().internal_query_states)).toEqual(['2']);
  });

  it(
    'is read in its packed form as well',
    law(queries(), history(5), (some, events) => {
      const engine = start(some, { lookups: { geo: {} } });
      for (const each of events) engine.process([each], each.time);
      const chunk = engine.snapshot();
      const again = init(
        inputOf(some, {
          state: JSON.parse(JSON.stringify(packChunk(chunk))),
          lookups: { geo: {} },
          now: events.at(-1)?.time ?? t0,
        }),
      );
      again.bootstrap();
      again.replay([]);
      expect(again.snapshot().internal_query_states).toEqual(chunk.internal_query_states);
    }),
  );

  it('of another source is not counted on', () => {
    const engine = start(trio, { event_source_id: other });
    seen(engine);
    expect(load(trio, stored(engine)).snapshot().internal_query_states).toEqual({});
  });

  it.each<[string, unknown]>([
    ['a number', 5],
    ['a later version', { migration_version: 3, 'event-source-id': source }],
    ['no source', { migration_version: 2 }],
    ['a broken table', { migration_version: 2, 'event-source-id': source, internal_query_states: [] }],
  ])('that is unreadable (%s) is reported and given up', (_what, state) => {
    const engine = init(inputOf(trio, { state }));
    expect(engine.bootstrap().errors).toEqual([expect.stringContaining('Failed to read query state. Got ')]);
    expect(signed(engine.replay([event('A', t0)]))).toEqual(['+1']);
  });

  it(
    'with something malformed in it costs that alone, whatever it is',
    law(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom('whole', 'state', 'external', 'unsynced'), (junk, where) => {
      const engine = start(trio);
      seen(engine);
      const chunk = JSON.parse(JSON.stringify(engine.snapshot())) as Record<string, never>;
      const states = chunk['internal_query_states'] as unknown as Record<string, unknown>;
      if (where === 'state') states['1'] = junk;
      const state =
        where === 'whole'
          ? junk
          : {
              ...chunk,
              ...(where === 'external' ? { external_query_states: { [other]: junk, x: { '1': junk } } } : {}),
              ...(where === 'unsynced' ? { unsynced: [junk] } : {}),
            };
      const again = init(inputOf(trio, { state }));
      expect(() => {
        again.bootstrap();
        again.replay([event('A', t0)]);
      }).not.toThrow();
      if (where !== 'whole') expect(again.members()).toContain('1');
      expect(() => JSON.stringify(again.snapshot())).not.toThrow();
    }),
  );

  it('that is written before the past is replayed does not pass for complete', () => {
    const old = start(trio.slice(0, 1));
    seen(old);
    const engine = load(trio, stored(old));
    const past = [event('A', t0), event('A', t0 + 1), event('B', t0 + 2)];
    const steps = engine.replaySteps(past);
    for (const expected of [[], [], []]) {
      steps.next();
      const again = load(trio, stored(engine));
      expect(again.members()).toEqual(['1', ...expected]);
      expect(signed(again.replay(past))).toEqual(['+2', '+3']);
    }
    steps.next();
    expect(load(trio, stored(engine)).members()).toEqual(['1', '2', '3']);
  });

  it('keeps the group, and the offset until the bundle is another', () => {
    const engine = start(trio);
    seen(engine);
    engine.updateExternalState('{}', 42);
    const state = { ...engine.snapshot(), group_id: 'user' };
    expect(load(trio, state).snapshot()).toMatchObject({ group_id: 'user', last_seen_offset: 42 });
    expect(load(trio.slice(1), state).snapshot()).toMatchObject({ group_id: 'user', last_seen_offset: 0 });
  });
});

describe('migration', () => {
  const counters = fc
    .tuple(
      fc.constantFrom('A', 'B'),
      comparison,
      fc.constantFrom(1000, 250, undefined),
      fc.constantFrom(undefined, 'n'),
    )
    .map(([name, is, within, sum]): Expr => ({
      event: name,
      is,
      ...(within === undefined ? {} : { within, buckets: 10 }),
      ...(sum === undefined ? {} : { sum }),
    }));

  /** Writes a chunk of now as the older versions did. */
  const older = (chunk: QueriesChunk, some: readonly Definition[], version: 0 | 1): unknown => {
    const cellsOf = (id: string): CellExpr[] => [some.find((definition) => definition.id === id)!.q as CounterExpr];
    const states = Object.entries(chunk.internal_query_states).map(([id, { checksum, state, result }]) => {
      const cells = state.map((cell, i) => {
        if (typeof cell === 'number') return version === 0 ? { '0': cell } : cell;
        const { within = 1000 } = cellsOf(id)[i] as { within?: number };
        const flat = cell as readonly number[];
        const pairs = flat.flatMap((value, j) =>
          j % 2 === 1
            ? []
            : [
                [
                  flat
                    .slice(2, j + 1)
                    .filter((_, k) => k % 2 === 0)
                    .reduce((bucket, gap) => bucket - gap, flat[0]!),
                  flat[j + 1]!,
                ] as const,
              ],
        );
        // Out of order, for nothing was promised.
        return version === 0
          ? Object.fromEntries(pairs.map(([bucket, weight]) => [bucket * (within / 10), weight]))
          : [...pairs].reverse();
      });
      return [
        id,
        version === 0
          ? { checksum, state: Object.fromEntries(cells.entries()), result: { result }, activations: {} }
          : { checksum, state: cells, result, activations: [] },
      ] as const;
    });
    return version === 0
      ? { query_states: Object.fromEntries(states), 'event-source-id': source }
      : {
          migration_version: 1,
          internal_query_states: Object.fromEntries(states),
          external_query_states: {},
          'event-source-id': source,
        };
  };

  it(
    'M1 preserves every decision, and changes nothing a second time',
    law(
      fc.array(counters, { minLength: 1, maxLength: 3 }),
      history(),
      fc.constantFrom(0 as const, 1 as const),
      (exprs, events, version) => {
        const some = definitions(...exprs);
        const one = start(some);
        for (const each of events) one.process([each], each.time);
        const now = Math.max(t0, events.at(-1)?.time ?? t0);
        const chunk = one.snapshot();
        const migrated = load(some, JSON.parse(JSON.stringify(older(chunk, some, version))), now);
        expect(migrated.stateMigratedThisInitialisation).toBe(true);
        expect(signed(migrated.replay([]))).toEqual([]);
        const states = migrated.snapshot();
        expect(states.internal_query_states).toEqual(chunk.internal_query_states);
        expect([...states.unsynced].sort()).toEqual(
          Object.entries(states.internal_query_states)
            .filter(([, { state }]) => state.length > 0)
            .map(([id]) => id),
        );
        const twice = load(some, JSON.parse(JSON.stringify(states)), now);
        expect(twice.stateMigratedThisInitialisation).toBe(false);
        expect(twice.snapshot().internal_query_states).toEqual(states.internal_query_states);
        for (const time of [now + 100, now + 250, now + 900, now + 1000])
          expect(signed(migrated.tick(time))).toEqual(signed(one.tick(time)));
      },
    ),
  );

  it('adds up buckets that have become one, and cuts them', () => {
    const some = definitions({ event: 'A', is: { gte: 3 }, within: 1000, buckets: 10 });
    const { checksum } = start(some).explain('1')!;
    const state = {
      query_states: {
        '1': {
          checksum,
          state: { '0': { [t0]: 1, [t0 + 1]: 1, [t0 - 100]: 5, [t0 - 200]: 1 } },
          result: { result: false },
        },
      },
      'event-source-id': source,
    };
    const engine = load(some, state);
    engine.replay([]);
    expect(engine.snapshot().internal_query_states['1']).toMatchObject({ state: [[t0 / 100, 2, 1, 3]], result: true });
  });

  it('drops what counted a view twice, what is of another kind or malformed, and rebuilds it', () => {
    const some = definitions(
      { or: [{ event: 'PageviewEngagement' }, { event: 'PageviewComplete', is: { gte: 5 } }] },
      { event: 'A', distinct: 'x' },
      { event: 'A', is: { gte: 2 } },
      { event: 'A', is: { gte: 2 } },
    );
    const engine = start(some);
    const entry = (id: string, state: unknown): unknown => ({
      checksum: engine.explain(id)!.checksum,
      state,
      result: false,
      activations: [],
    });
    const state = {
      migration_version: 1,
      internal_query_states: {
        '1': entry('1', [2, 3]),
        '2': entry('2', [[[1, 1]]]),
        '3': entry('3', ['x']),
        '4': entry('4', [1]),
        '5': entry('4', [1]),
      },
      external_query_states: { '4': { [other]: [1] }, '2': { [other]: [[[1, 1]]] } },
      'event-source-id': source,
    };
    const migrated = load(some, state);
    // Together with the other source the fourth has two.
    expect(signed(migrated.replay([]))).toEqual([]);
    expect(migrated.snapshot()).toMatchObject({
      internal_query_states: { '4': { state: [1], result: true } },
      external_query_states: { [other]: { '4': [engine.explain('4')!.checksum, [1]] } },
    });
    expect(Object.keys(migrated.snapshot().internal_query_states)).toEqual(['4']);
  });
});

describe('several tabs', () => {
  it(
    'L11 lose no count and enter once, whatever the order of their saves',
    law(
      queries({ earlier: 0, scopes: false, sequences: false }),
      fc.array(fc.tuple(fc.nat(1), fc.boolean()), { maxLength: 12 }),
      history(),
      (some, actions, events) => {
        const lookups = { geo: {} };
        const tabs = [start(some, { lookups }), start(some, { lookups })] as const;
        let chunk: unknown = null;
        // The tabs of one browser have one clock.
        let clock = t0;
        const save = (tab: Engine): void => {
          tab.tick(clock);
          tab.mergeStored(chunk);
          chunk = stored(tab);
        };
        const queue = [...events];
        for (const [i, isSave] of actions) {
          const tab = tabs[i]!;
          const next = isSave ? undefined : queue.shift();
          if (isSave) save(tab);
          else if (next !== undefined) tab.process([next], (clock = Math.max(clock, next.time)));
        }
        for (const each of queue) tabs[0].process([each], each.time);
        clock = Math.max(t0, events.at(-1)?.time ?? t0);
        const alone = start(some, { lookups });
        for (const each of events) alone.process([each], each.time);
        for (const tab of [tabs[0], tabs[1], tabs[0], tabs[1]]) {
          save(tab);
        }
        for (const tab of tabs) {
          expect(tab.members()).toEqual(alone.members());
          expect(tab.snapshot().internal_query_states).toEqual(alone.snapshot().internal_query_states);
        }
      },
    ),
  );

  const pair = definitions({ event: 'A', is: { gte: 2 } }, { entered: '1', is: { gte: 2 } });

  it('publish a transition in the tab that caused it', () => {
    const [one, two] = [start(pair), start(pair)];
    seen(one);
    expect(seen(one)).toEqual(['+1']);
    expect(signed(two.mergeStored(stored(one)))).toEqual([]);
    expect(two.members()).toEqual(['1']);
    expect(two.snapshot().internal_query_states['2']).toMatchObject({ state: [1] });
  });

  it('publish a transition that none of them could see alone in the one that sees it first', () => {
    const [one, two] = [start(pair), start(pair)];
    seen(one);
    seen(two);
    expect(signed(two.mergeStored(stored(one)))).toEqual(['+1']);
    const both = stored(two);
    expect(signed(one.mergeStored(both))).toEqual([]);
    expect(one.members()).toEqual(['1']);
  });

  it('take nothing twice: the same chunk, their own, an older one', () => {
    const [one, two] = [
      start(definitions({ event: 'A', is: { gte: 9 } })),
      start(definitions({ event: 'A', is: { gte: 9 } })),
    ];
    seen(one);
    const first = stored(one);
    seen(two);
    for (let i = 0; i < 3; i++) two.mergeStored(first);
    expect(two.snapshot().internal_query_states['1']).toMatchObject({ state: [2] });
    const second = stored(two);
    two.mergeStored(second);
    two.mergeStored(first);
    expect(two.snapshot().internal_query_states['1']).toMatchObject({ state: [2] });
    one.mergeStored(second);
    expect(one.snapshot().internal_query_states['1']).toMatchObject({ state: [2] });
    seen(one);
    two.mergeStored(stored(one));
    expect(two.snapshot().internal_query_states['1']).toMatchObject({ state: [3] });
  });

  it('go on counting after a save that failed', () => {
    const queriesOfPage = definitions({ event: 'A', is: { gte: 9 } });
    const one = start(queriesOfPage);
    seen(one);
    const landed = stored(one);
    const two = load(queriesOfPage, landed);
    one.mergeStored(landed);
    seen(one);
    stored(one);
    one.mergeStored(landed);
    seen(two);
    two.mergeStored(landed);
    const foreign = { ...(stored(two) as QueriesChunk), rev: 2 };
    seen(one);
    one.mergeStored(landed);
    expect(one.snapshot().internal_query_states['1']).toMatchObject({ state: [3] });
    expect(foreign.internal_query_states['1']).toMatchObject({ state: [2] });
  });

  it('do not take in the counts of a user who was reset, nor junk', () => {
    const engine = start(pair);
    seen(engine);
    const foreign = { ...(stored(start(pair, { event_source_id: other })) as QueriesChunk), rev: 9 };
    for (const chunk of [foreign, null, 5, { migration_version: 1, 'event-source-id': source }])
      expect(engine.mergeStored(chunk)).toEqual({ transitions: [], changed: [], errors: [], stateChanged: false });
  });

  it('keep their own view, and share the session', () => {
    const scoped = definitions(
      { event: 'A', within: 'view', is: { gte: 2 } },
      { event: 'A', within: 'session', is: { gte: 2 } },
    );
    const context = (view: string, startedAt: number) => ({
      session: { id: 's1', startedAt: t0 },
      view: { id: view, startedAt },
    });
    const [one, two] = [
      start(scoped, { context: context('v1', t0) }),
      start(scoped, { context: context('v2', t0 + 1) }),
    ];
    one.process([event('A', t0, {}, { view_id: 'v1' })], t0);
    two.process([event('A', t0 + 1, {}, { view_id: 'v2' })], t0 + 1);
    expect(signed(one.mergeStored(stored(two)))).toEqual(['+2']);
    expect(signed(one.process([event('A', t0 + 2, {}, { view_id: 'v1' })], t0 + 2))).toEqual(['+1']);
  });

  it('share what they have heard of other devices', () => {
    const engine = start(definitions({ event: 'A' }));
    const checksum = engine.explain('1')!.checksum;
    engine.updateExternalState(JSON.stringify({ v: 2, s: { [other]: { '1': [checksum, [1]] } } }), 7);
    const two = start(definitions({ event: 'A' }));
    expect(two.mergeStored(stored(engine)).changed).toEqual(['1']);
    expect(two.members()).toEqual(['1']);
    expect(two.lastSeenOffset()).toBe(7);
  });
});

describe('state sync', () => {
  const queriesOfPage = definitions(
    { event: 'A', is: { gte: 3 } },
    { event: 'A', within: { days: 7 }, is: { gte: 3 } },
    { event: 'A', within: 'session' },
  );
  const answer = (states: unknown): string => JSON.stringify({ v: 2, s: { [other]: states } });

  it('sends what is new, until it is confirmed', () => {
    const engine = start(queriesOfPage);
    const [first, second] = ['1', '2'].map((id) => engine.explain(id)!.checksum);
    expect(engine.delta(false)).toBeNull();
    seen(engine);
    const delta = engine.delta(false)!;
    expect(JSON.parse(delta.state)).toEqual({ v: 2, q: { '1': [first, [1]], '2': [second, [[281084, 1]]] } });
    expect(engine.delta(false)!.state).toBe(delta.state);
    engine.ack(delta.token);
    expect(engine.delta(false)).toBeNull();
    seen(engine, 'A', t0 + dayMs);
    const later = engine.delta(false)!;
    seen(engine, 'A', t0 + 2 * dayMs);
    engine.ack(later.token);
    expect(JSON.parse(engine.delta(false)!.state)).toEqual({
      v: 2,
      q: { '1': [first, [3]], '2': [second, [[281113, 1]]] },
    });
    expect(JSON.parse(engine.delta(true)!.state)).toEqual({
      v: 2,
      q: { '1': [first, [3]], '2': [second, [[281113, 1, 15, 1, 14, 1]]] },
    });
  });

  it('sends everything of what was not confirmed before a reload, and nothing else', () => {
    const engine = start(queriesOfPage);
    seen(engine);
    engine.ack(engine.delta(false)!.token);
    expect(load(queriesOfPage, stored(engine)).delta(false)).toBeNull();
    seen(engine, 'A', t0 + dayMs);
    const again = load(queriesOfPage, stored(engine), t0 + dayMs).delta(false)!;
    expect(JSON.parse(again.state)).toMatchObject({
      q: { '1': [expect.any(String), [2]], '2': [expect.any(String), [[281098, 1, 14, 1]]] },
    });
  });

  it('has an empty whole', () => {
    expect(start(queriesOfPage).delta(true)?.state).toBe('{"v":2,"q":{}}');
  });

  it('counts other devices in, once', () => {
    const engine = start(queriesOfPage);
    const first = engine.explain('1')!.checksum;
    seen(engine);
    const report = engine.updateExternalState(answer({ '1': [first, [2]] }), 5);
    expect(report).toMatchObject({ transitions: [{ id: '1', entry: true }], changed: ['1'], stateChanged: true });
    expect(engine.explain('1')!.tree).toMatchObject({ have: 3, haveHere: 1 });
    expect(engine.updateExternalState(answer({ '1': [first, [2]] }), 5)).toEqual({
      transitions: [],
      changed: [],
      errors: [],
      stateChanged: false,
    });
    expect(load(queriesOfPage, stored(engine)).members()).toEqual(['1', '3']);
    expect(engine.lastSeenOffset()).toBe(5);
  });

  it('takes nothing that is not for it', () => {
    const engine = start(queriesOfPage);
    const [first, second, third] = ['1', '2', '3'].map((id) => engine.explain(id)!.checksum);
    const far = Math.floor((t0 + 2 * dayMs) / (6.048 * 1_000_000));
    const states = { '1': ['another', [3]], '2': [second, [[far + 5, 3]]], '3': [third, 'x'], '4': [first, [3]] };
    expect(engine.updateExternalState(answer(states), 1).changed).toEqual([]);
    expect(
      engine.updateExternalState(JSON.stringify({ v: 2, s: { [source]: { '1': [first, [3]] } } }), 1).changed,
    ).toEqual([]);
    expect(engine.updateExternalState('{}', 2)).toMatchObject({ errors: [], stateChanged: true });
    expect(engine.snapshot().external_query_states).toEqual({});
  });

  it('leaves out what was stored of a device while the clocks of both were ahead', () => {
    const ahead = t0 + 30 * dayMs;
    const engine = start(queriesOfPage, { now: ahead });
    const second = engine.explain('2')!.checksum;
    engine.updateExternalState(answer({ '2': [second, [[Math.floor(ahead / 6_048_000), 3]]] }), 1);
    expect(engine.members()).toEqual(['2']);
    expect(load(queriesOfPage, stored(engine), ahead).members()).toEqual(['2']);
    expect(load(queriesOfPage, stored(engine)).members()).toEqual([]);
    const tab = start(queriesOfPage);
    tab.mergeStored(stored(engine));
    expect(tab.members()).toEqual([]);
  });

  it.each([
    ['{', 'Failed to parse State API response, got text that is not JSON'],
    ['5', 'Failed to parse State API response, got (root): expected a state (an object)'],
    ['{"v":3}', 'Failed to parse State API response, got v: expected version 2'],
    ['{"v":2,"s":{"x":5}}', 'Failed to parse State API response, got s: expected sources with their queries'],
  ])('reports %s and keeps its offset', (text, message) => {
    const engine = start(queriesOfPage);
    expect(engine.updateExternalState(text, 9)).toEqual({
      transitions: [],
      changed: [],
      errors: [message],
      stateChanged: false,
    });
    expect(engine.lastSeenOffset()).toBe(0);
  });

  it('forgets sources of which nothing counts any more', () => {
    const engine = start(queriesOfPage);
    engine.updateExternalState(answer({ '2': [engine.explain('2')!.checksum, [[281084, 3]]] }), 1);
    expect(engine.members()).toEqual(['2']);
    expect(signed(engine.tick(t0 + 8 * dayMs))).toEqual(['-2']);
    expect(engine.snapshot().external_query_states).toEqual({});
  });

  it('keeps counting where another tab has less than was thought', () => {
    const [twice] = definitions({ event: 'A', is: { gte: 2 } });
    const engine = start([twice!]);
    for (let i = 0; i < 2; i++) engine.process([event('A', t0)], t0);
    const chunk = stored(engine) as QueriesChunk;
    engine.mergeStored({
      ...chunk,
      rev: chunk.rev + 1,
      internal_query_states: { '1': { ...chunk.internal_query_states['1']!, state: [1] } },
    });
    expect(engine.members()).toEqual([]);
    expect(signed(engine.process([event('A', t0)], t0))).toEqual(['+1']);
  });

  describe('that has been silent', () => {
    const otherDevice = (): unknown => {
      const engine = start(queriesOfPage);
      engine.updateExternalState(answer({ '1': [engine.explain('1')!.checksum, [3]] }), 1);
      expect(engine.members()).toEqual(['1']);
      return stored(engine);
    };
    const after = (days: number, state: unknown): readonly string[] =>
      load(queriesOfPage, state, t0 + days * dayMs).members();

    it('for 400 days goes on counting, for longer is forgotten', () => {
      const state = otherDevice();
      expect(after(400, state)).toEqual(['1']);
      expect(after(401, state)).toEqual([]);
      expect(load(queriesOfPage, state, t0 + 401 * dayMs).snapshot()).not.toHaveProperty('external_seen');
    });

    it('and is heard of again is kept', () => {
      const engine = load(queriesOfPage, otherDevice(), t0 + 300 * dayMs);
      engine.updateExternalState(answer({ '1': [engine.explain('1')!.checksum, [3]] }), 2);
      expect(after(650, stored(engine))).toEqual(['1']);
    });

    it('since nobody knows when, or since a day to come, counts from today', () => {
      const state = otherDevice() as QueriesChunk;
      for (const external_seen of [undefined, 'x', { [other]: 'x' }, { [other]: 99_999 }]) {
        const next = stored(load(queriesOfPage, { ...state, external_seen }, t0 + 500 * dayMs));
        expect(after(900, next)).toEqual(['1']);
        expect(after(901, next)).toEqual([]);
      }
    });

    it('is not taken back from another tab', () => {
      const engine = start(queriesOfPage, { now: t0 + 401 * dayMs });
      engine.mergeStored({ ...(otherDevice() as QueriesChunk), rev: 5 });
      expect(engine.members()).toEqual([]);
    });
  });

  it('says so when a delta cannot be computed', () => {
    const engine = start(queriesOfPage);
    seen(engine);
    const broken = jest.spyOn(json, 'stringify').mockImplementationOnce(() => {
      throw new Error('x');
    });
    expect(() => engine.delta(false)).toThrow('Failed to compute delta for state sync.');
    broken.mockRestore();
  });
});

describe('cloud lift', () => {
  const remote = definitions({ event: 'A', is: { gte: 3 }, remote: true }, { event: 'A' });
  const lift = (queriesOfPage: readonly Definition[], state: unknown = null): Engine => {
    const engine = init(
      inputOf(queriesOfPage, {
        state,
        bundle: { v: 1, id: 'b', seed: 0, queries: queriesOfPage, lift: { events: ['A'] } },
      }),
    );
    engine.bootstrap();
    engine.replay([]);
    return engine;
  };

  it('appends what the server counted, each answer once more', () => {
    const engine = lift(remote);
    expect(seen(engine)).toEqual(['+2']);
    const answer = { '1': [engine.explain('1')!.checksum, [2]] };
    expect(engine.appendLifted(answer)).toMatchObject({ changed: ['1'], transitions: [], stateChanged: true });
    expect(signed(engine.appendLifted(answer))).toEqual(['+1']);
    expect(engine.snapshot().unsynced).toContain('1');
  });

  it('keeps the state of unknown queries until their definition comes', () => {
    const one = lift(remote);
    one.appendLifted({ '1': [one.explain('1')!.checksum, [2]] });
    const two = lift(remote.slice(1), stored(one));
    expect(two.unknownIds()).toEqual(['1']);
    expect(two.snapshot().internal_query_states).toHaveProperty('1');
    expect(signed(two.appendLifted({ '1': [one.explain('1')!.checksum, [1]] }, remote.slice(0, 1)))).toEqual(['+1']);
    expect(two.unknownIds()).toEqual([]);
    const three = lift(remote.slice(1), stored(one));
    three.appendLifted(
      {},
      definitions({ const: true }).map((definition) => ({ ...definition, id: '7' })),
    );
    expect(three.unknownIds()).toEqual([]);
    expect(three.members()).toEqual(['7']);
    expect(load(remote.slice(1), stored(one)).unknownIds()).toEqual([]);
  });

  it('appends the first ten thousand states of an answer', () => {
    const engine = lift(remote.map((definition) => ({ ...definition, id: `last ${definition.id}` })));
    const id = 'last 1';
    const { checksum } = engine.explain(id)!;
    const answer = (others: number): object => ({
      ...Object.fromEntries(Array.from({ length: others }, (_, i) => [`other ${i}`, null] as const)),
      [id]: [checksum, [1]],
    });
    expect(engine.appendLifted(answer(maxStates))).toMatchObject({
      changed: [],
      errors: ['Failed to append lifted state'],
    });
    expect(engine.appendLifted(answer(maxStates - 1))).toMatchObject({ changed: [id], errors: [] });
  });

  it('adds definitions one a step, and evaluates none of them before the last', () => {
    const [reader, read] = definitions({ and: [{ event: 'A' }, { not: { cohort: '2' } }] }, { const: true });
    const engine = load([], null);
    const steps = engine.appendLiftedSteps({}, [reader!, read!]);
    for (let i = 0; i < 2; i++) {
      expect(steps.next().done).toBe(false);
      // Another turn comes between two steps. The first query reads the second one, which is not there yet.
      expect(signed(engine.process([event('A', t0)], t0))).toEqual([]);
      expect(engine.members()).toEqual([]);
    }
    expect(steps.next().done).toBe(true);
    expect(engine.members()).toEqual(['2']);
  });

  it('reports what it cannot append', () => {
    const engine = lift(remote);
    const { checksum } = engine.explain('1')!;
    expect(engine.appendLifted(null).errors).toEqual(['Failed to append lifted state']);
    expect(engine.appendLifted({ '1': 5 }).errors).toEqual(['Failed to append lifted event to internal state']);
    expect(engine.appendLifted({ '1': [checksum, ['x']] }).errors).toEqual([
      'Failed to append lifted event to internal state',
    ]);
    expect(engine.appendLifted({ '1': ['another', [1]], '9': [checksum, [1]] })).toEqual({
      transitions: [],
      changed: [],
      errors: [],
      stateChanged: false,
    });
    expect(engine.appendLifted({}, [{ id: '8' } as unknown as Definition]).errors).toEqual([
      expect.stringContaining('Failed to interpret query 8. Got q:'),
    ]);
  });
});
