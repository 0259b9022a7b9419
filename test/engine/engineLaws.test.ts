import * as fc from 'fast-check';

import type { Engine } from '../../src/engine/engine';
import { init } from '../../src/engine/engine';
import type { EngineEvent } from '../../src/engine/engineEvent';
import type { EngineReport } from '../../src/engine/evaluate/report';
import type { Definition, Expr } from '../../src/engine/language/language';
import { dayMs } from '../../src/primitives/duration';
import { law } from '../support/laws';
import { history, pred, properties, queries } from './support/language';
import { matches, Oracle } from './support/oracle';
import { event, inputOf, start, stored, t0 } from './support/run';

const geo = { country: 'FR' };
const provided = { lookups: { geo } };
const signed = ({ transitions }: EngineReport): string[] =>
  transitions.map(({ id, entry }) => `${entry ? '+' : '-'}${id}`);
const live = (engine: Engine, events: readonly EngineEvent[]): string[] =>
  events.flatMap((each) => signed(engine.process([each], each.time)));
const context = (
  view: string,
): { session: { id: string; startedAt: number }; view: { id: string; startedAt: number } } => ({
  session: { id: 's1', startedAt: t0 },
  view: { id: view, startedAt: t0 },
});
const statesOf = (engine: Engine): unknown => engine.snapshot().internal_query_states;

const within = 1000;
const step = { event: ['A', 'B'], where: { p: 'x', exists: true } } as const;
/** Cohorts of whoever has caused the events A and B in the last second, and of nobody else. */
const windowed: readonly Expr[] = [
  { event: ['A', 'B'], is: { gte: 2 }, within },
  { event: ['A', 'B'], sum: 'x', is: { gte: 2 }, within },
  { event: 'A', distinct: 'x', within },
  { sequence: [{ event: 'A' }, { event: 'B' }], span: within, within },
  { last: step, is: { p: 'x', exists: true }, within },
  { first: step, is: { p: 'x', exists: true }, within },
];

/** An engine at `t0` that has come by events of the future. `ahead`: the time by the clock that made them. */
type FromTheFuture = (queries: readonly Definition[], events: readonly EngineEvent[], ahead: number) => Engine;
/** An engine that a visit with the wrong clock has left its events to. */
const visited = (queries: readonly Definition[], events: readonly EngineEvent[], ahead: number): Engine => {
  const engine = start(queries, { now: ahead });
  engine.process(events, ahead);
  return engine;
};
const fromTheFuture: Readonly<Record<string, FromTheFuture>> = {
  taken: (queries, events) => {
    const engine = start(queries);
    engine.process(events, t0);
    return engine;
  },
  restored: (queries, events, ahead) => start(queries, { state: stored(visited(queries, events, ahead)) }),
  replayed: (queries, events) => {
    const engine = init(inputOf(queries));
    engine.bootstrap();
    engine.replay(events);
    return engine;
  },
  'of another tab': (queries, events, ahead) => {
    const engine = start(queries);
    engine.rebase(stored(visited(queries, events, ahead)), { events: [], appended: 0 }, t0);
    return engine;
  },
  lifted: (queries, events, ahead) => {
    const engine = start(queries);
    engine.appendLifted((JSON.parse(visited(queries, events, ahead).delta(true)!.state) as { q: unknown }).q);
    return engine;
  },
};

/** No result is stale: the tree, evaluated now, says what the stored result says. */
const expectFresh = (engine: Engine, definitions: readonly Definition[]): void => {
  for (const { id } of definitions) {
    const explanation = engine.explain(id)!;
    expect(explanation.tree.holds).toBe(explanation.result);
  }
};

describe('the engine', () => {
  it(
    'E1 finds through its index what direct evaluation finds',
    law(
      fc.array(pred, { minLength: 1, maxLength: 6 }),
      fc.array(properties, { minLength: 1, maxLength: 4 }),
      (preds, values) => {
        const engine = start(
          preds.map((where, i) => ({ id: String(i), q: { event: 'A', where, within: 'view', is: { gte: 1 } } })),
        );
        for (const [n, each] of values.entries()) {
          engine.updateContext(context(`v${n + 1}`));
          const happened = event('A', t0, each, { view_id: `v${n + 1}` });
          engine.process([happened], t0);
          expect(engine.members()).toEqual(
            preds.flatMap((where, i) => (matches(where, each, happened) ? [String(i)] : [])),
          );
        }
      },
    ),
  );

  it(
    'E1 makes the transitions of a plain interpreter that keeps all events, one by one',
    law(queries(), history(), (definitions, events) => {
      const engine = init(inputOf(definitions, provided));
      const oracle = new Oracle(definitions, geo);
      expect([...signed(engine.bootstrap()), ...signed(engine.replay([]))]).toEqual(oracle.step(t0));
      for (const each of events) {
        // A new view begins with its first event.
        if (each.view_id !== oracle.view) {
          oracle.view = each.view_id ?? null;
          expect(signed(engine.updateContext(context(oracle.view ?? '')))).toEqual(oracle.step(0));
        }
        expect(signed(engine.process([each], each.time))).toEqual(oracle.step(each.time, each));
        expectFresh(engine, definitions);
      }
    }),
  );

  it(
    'E9 leaves no result stale at the very end of a bucket, nor just before',
    law(queries({ scopes: false }), history(5), (definitions, events) => {
      const engine = start(definitions, provided);
      const oracle = new Oracle(definitions, geo);
      oracle.step(t0);
      live(engine, events);
      for (const each of events) oracle.step(each.time, each);
      const last = Math.max(t0, events.at(-1)?.time ?? t0);
      const ends = events
        .flatMap(({ time }) =>
          [10, 33, 50, 100, 111, 250, 333, 1000].map(
            (width) => Math.floor(time / width) * width + Math.ceil(1000 / width) * width,
          ),
        )
        .flatMap((end) => [end - 1, end, end + 250]);
      for (const end of [...new Set(ends)]
        .filter((time) => time > last)
        .sort((a, b) => a - b)
        .slice(0, 20)) {
        expect(signed(engine.tick(end))).toEqual(oracle.step(end));
        expectFresh(engine, definitions);
      }
    }),
  );

  it(
    'E2 rebuilds from the past what living through it made',
    law(
      queries({ transitions: false, scopes: false }),
      history(),
      fc.integer({ min: 0, max: 1500 }),
      (definitions, events, later) => {
        const end = Math.max(t0, events.at(-1)?.time ?? t0) + later;
        const one = start(definitions, provided);
        live(one, events);
        one.tick(end);
        const other = init(inputOf(definitions, { ...provided, now: end }));
        other.bootstrap();
        other.replay(events);
        expect(other.members()).toEqual(one.members());
        expect(statesOf(other)).toEqual(statesOf(one));
      },
    ),
  );

  it(
    'E3 does not mind the order of events',
    law(
      queries({ transitions: false, sequences: false }),
      history().chain((events) =>
        fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
      ),
      (definitions, [events, shuffled]) => {
        const [one, other] = [start(definitions, provided), start(definitions, provided)];
        live(one, events);
        live(other, shuffled);
        expect(other.members()).toEqual(one.members());
        expect(statesOf(other)).toEqual(statesOf(one));
      },
    ),
  );

  it(
    'E5 enters and leaves by turns, and the transitions add up to the members',
    law(queries(), history(), (definitions, events) => {
      const engine = init(inputOf(definitions, provided));
      const members = new Set<string>();
      for (const transition of [
        ...signed(engine.bootstrap()),
        ...signed(engine.replay([])),
        ...live(engine, events),
        ...signed(engine.tick(t0 + 10_000)),
      ]) {
        const id = transition.slice(1);
        expect(transition).toBe(members.has(id) ? `-${id}` : `+${id}`);
        if (!members.delete(id)) members.add(id);
      }
      expect(engine.members()).toEqual([...members].sort((a, b) => Number(a) - Number(b)));
    }),
  );

  it(
    'E6 goes on after a reload as if it had never stopped',
    law(queries(), history(), fc.integer({ min: 0, max: 8 }), (definitions, events, cutAt) => {
      const [past, future] = [events.slice(0, cutAt), events.slice(cutAt)];
      const one = start(definitions, provided);
      live(one, past);
      const now = Math.max(t0, past.at(-1)?.time ?? t0);
      const other = init(inputOf(definitions, { ...provided, state: stored(one), now }));
      expect(signed(other.bootstrap())).toEqual([]);
      expect(signed(other.replay(past))).toEqual([]);
      expect(live(other, future)).toEqual(live(one, future));
      expect(statesOf(other)).toEqual(statesOf(one));
    }),
  );

  it(
    'E4 agrees with the other devices of its user whatever the network does',
    law(
      queries({ transitions: false, sequences: false, scopes: false }),
      fc.array(fc.tuple(fc.nat(2), fc.constantFrom('event', 'push', 'lose', 'pull', 'pull twice', 'push all')), {
        maxLength: 16,
      }),
      history(8),
      (definitions, actions, events) => {
        const ids = ['d1', 'd2', 'd3'];
        const devices = ids.map((event_source_id) => start(definitions, { ...provided, event_source_id }));
        const log: { source: string; q: Readonly<Record<string, unknown>> }[] = [];
        const push = (i: number, full: boolean, lost = false): void => {
          const delta = devices[i]!.delta(full);
          if (delta === null || lost) return;
          log.push({ source: ids[i]!, q: (JSON.parse(delta.state) as { q: Record<string, unknown> }).q });
          devices[i]!.ack(delta.token);
        };
        // Each message apart, newest first: the answer of a server that joins nothing itself.
        const pull = (i: number): void => {
          for (const { source, q } of [...log].reverse())
            devices[i]!.updateExternalState(JSON.stringify({ v: 2, s: { [source]: q } }), log.length);
        };
        const queue = [...events];
        for (const [i, action] of actions) {
          const next = action === 'event' ? queue.shift() : undefined;
          if (next !== undefined) devices[i]!.process([next], next.time);
          if (action.startsWith('push')) push(i, action === 'push all');
          if (action === 'lose') push(i, false, true);
          if (action.startsWith('pull')) pull(i);
          if (action === 'pull twice') pull(i);
        }
        queue.forEach((each, i) => devices[i % 3]!.process([each], each.time));
        const now = Math.max(t0, ...events.map(({ time }) => time));
        const alone = start(definitions, provided);
        live(alone, events);
        alone.tick(now);
        ids.forEach((_, i) => push(i, false));
        ids.forEach((_, i) => pull(i));
        for (const device of devices) {
          device.tick(now);
          expect(device.members()).toEqual(alone.members());
          expectFresh(device, definitions);
        }
        // In step, they have nothing more to say.
        for (const device of devices) expect(device.delta(false)).toBeNull();
      },
    ),
  );

  it.each(Object.entries(fromTheFuture))(
    'E10 ends a windowed cohort within its window, once a clock that was ahead is right again: %s',
    (_way, engineOf) =>
      law(
        fc.constantFrom(...windowed),
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 400 * dayMs }),
        (q, buckets, ahead) => {
          const queries = [{ id: '1', q: 'is' in q && 'event' in q ? { ...q, buckets } : q }] as Definition[];
          const time = t0 + ahead;
          const engine = engineOf(queries, [event('A', time - 1, { x: 1 }), event('B', time, { x: 1 })], time);
          engine.tick(t0 + within);
          expect(engine.members()).toEqual([]);
          // What happens later counts as it always does, but the earliest event stays the earliest.
          engine.process([event('A', t0 + 1001, { x: 2 }), event('B', t0 + 1002, { x: 2 })], t0 + 1002);
          expect(engine.members()).toEqual('first' in q ? [] : ['1']);
          engine.tick(t0 + 2002);
          expect(engine.members()).toEqual([]);
        },
      )(),
  );
});
