import * as fc from 'fast-check';

import type { Engine, Explanation } from '../../src/engine/engine';
import type { EngineEvent } from '../../src/engine/engineEvent';
import { explainQuery } from '../../src/engine/evaluate/explain';
import type { Cmp, Expr } from '../../src/engine/language/language';
import { dayMs } from '../../src/primitives/duration';
import { law } from '../support/laws';
import { definitions, event, start, t0 } from './support/run';

const feed = (engine: Engine, events: readonly EngineEvent[]): void => {
  for (const each of events) engine.process([each], each.time);
};
const changesAt = (engine: Engine, id = '1'): number | undefined => {
  const { changesAt: at } = engine.explain(id)!;
  return at === undefined ? undefined : Date.parse(at);
};
const times = (count: number, days: number): Expr => ({ event: 'A', is: { gte: count }, within: { days } });

/** A count in a window with a lower bound, an upper one, or both. */
const cell = fc
  .record({ days: fc.integer({ min: 1, max: 30 }), low: fc.integer({ min: 0, max: 3 }), kind: fc.nat(2) })
  .map(({ days, low, kind }): Expr => {
    const is: Cmp = kind === 0 ? { gte: low } : kind === 1 ? { lt: low + 1 } : { between: [low, low + 1] };
    return { event: 'A', is, within: { days } };
  });
const condition = fc
  .record({ cells: fc.array(cell, { minLength: 1, maxLength: 3 }), isAnd: fc.boolean(), isNot: fc.boolean() })
  .map(({ cells, isAnd, isNot }): Expr => {
    const group = isAnd ? { and: cells } : { or: cells };
    return isNot ? { not: group } : group;
  });

describe('the instant at which time alone changes a result', () => {
  it('is absent where nothing does', () => {
    const engine = start(definitions({ event: 'A' }, times(2, 7)));
    feed(engine, [event('A', t0)]);
    expect([changesAt(engine, '1'), changesAt(engine, '2')]).toEqual([undefined, undefined]);
  });

  it('is that of the clause that decides, not that of the first which changes', () => {
    const engine = start(definitions({ or: [times(1, 7), times(1, 28)] }));
    feed(engine, [event('A', t0)]);
    const at = changesAt(engine)!;
    expect(at).toBeGreaterThan(t0 + 27 * dayMs);
    expect(engine.tick(at - 1).transitions).toEqual([]);
    expect(engine.tick(at).transitions).toEqual([{ id: '1', entry: false, time: at }]);
  });

  it('is found beyond a change to and fro', () => {
    // Three events are too many. The visitor enters when the first is too old, and that is what is said.
    const engine = start(definitions({ event: 'A', is: { between: [1, 2] }, within: { days: 7 } }));
    feed(engine, [event('A', t0), event('A', t0 + dayMs), event('A', t0 + 2 * dayMs)]);
    const at = changesAt(engine)!;
    expect(engine.tick(at).transitions).toEqual([{ id: '1', entry: true, time: at }]);
    expect(changesAt(engine)).toBeGreaterThan(at);
  });

  it('follows the cohorts that a condition names', () => {
    const engine = start(definitions(times(1, 7), { not: { cohort: '1' } }, { cohort: '2' }));
    feed(engine, [event('A', t0)]);
    expect(changesAt(engine, '3')).toBe(changesAt(engine, '1'));
  });

  it('is absent while the result of a query is held', () => {
    const engine = start(
      definitions({ and: [times(1, 7), { not: { lookup: 'geo', where: { p: 'country', eq: 'fr' } } }] }),
      {
        lookups: { geo: {} },
      },
    );
    feed(engine, [event('A', t0)]);
    expect(changesAt(engine)).toBeDefined();
    engine.updateData({ geo: null });
    expect(engine.explain('1')).toMatchObject({ held: true, result: true });
    expect(changesAt(engine)).toBeUndefined();
  });

  it(
    'is when the engine changes the result, for any condition over counts and cohorts',
    law(
      condition,
      condition,
      fc.array(fc.integer({ min: 0, max: 20 * dayMs }), { maxLength: 6 }),
      (first, second, ages) => {
        const engine = start(definitions(first, { or: [{ cohort: '1' }, second] }));
        const past = [...ages].sort((a, b) => a - b).map((age) => event('A', t0 + age));
        feed(engine, past);
        const at = changesAt(engine, '2');
        const isMember = (): boolean => engine.members().includes('2');
        const before = isMember();
        engine.tick((at ?? t0 + 400 * dayMs) - 1);
        expect(isMember()).toBe(before);
        if (at === undefined) return;
        engine.tick(at);
        expect(isMember()).toBe(!before);
      },
    ),
  );
});

describe('the events that count', () => {
  /** Those of the first clause, as name and ms since the start. */
  const counted = (q: Expr, events: readonly EngineEvent[]): readonly (readonly [string, number])[] | undefined => {
    const engine = start(definitions(q));
    feed(engine, events);
    const { machine } = engine.parts;
    const { tree } = explainQuery(machine.catalogue.queries.get('1')!, machine, events);
    const { events: named } = tree as { readonly events?: readonly { readonly name: string; readonly time: string }[] };
    return named?.map(({ name, time }) => [name, Date.parse(time) - t0]);
  };

  it('are named, the newest first, where their name and properties are those of the clause', () => {
    const read = (time: number, section: string) => event('Pageview', t0 + time, { section });
    expect(
      counted({ event: ['Pageview', 'Read'], where: { p: 'section', in: ['markets'] }, is: { gte: 5 } }, [
        read(0, 'markets'),
        read(1, 'sport'),
        event('Other', t0 + 2, { section: 'markets' }),
        event('Read', t0 + 3, { section: 'markets' }),
      ]),
    ).toEqual([
      ['Read', 3],
      ['Pageview', 0],
    ]);
  });

  it('are those within the window', () => {
    expect(counted(times(5, 7), [event('A', t0), event('A', t0 + 9 * dayMs)])).toEqual([['A', 9 * dayMs]]);
  });

  it('are those of the present view', () => {
    expect(
      counted({ event: 'A', is: { gte: 5 }, within: 'view' }, [
        event('A', t0, {}, { view_id: 'before' }),
        event('A', t0 + 1),
      ]),
    ).toEqual([['A', 1]]);
  });

  it('have something to add to a sum', () => {
    expect(
      counted({ event: 'A', sum: 'seconds', is: { gte: 9 } }, [event('A', t0, { seconds: 2 }), event('A', t0 + 1)]),
    ).toEqual([['A', 0]]);
  });

  it('of a last or first event are one, whether its test holds or not', () => {
    const events = [event('A', t0, { paid: true }), event('A', t0 + 1, { paid: false }), event('B', t0 + 2)];
    const is = { p: 'paid', eq: 'true' };
    expect(counted({ last: { event: 'A' }, is }, events)).toEqual([['A', 1]]);
    expect(counted({ first: { event: 'A' }, is }, events)).toEqual([['A', 0]]);
  });

  it('of a sequence match one of its steps', () => {
    const steps: Expr = { sequence: [{ event: 'A' }, { event: 'B' }], within: { days: 7 } };
    expect(counted(steps, [event('A', t0), event('C', t0 + 1), event('B', t0 + 2)])).toEqual([
      ['B', 2],
      ['A', 0],
    ]);
  });

  it('are at most 20', () => {
    const events = Array.from({ length: 30 }, (_, i) => event('A', t0 + i));
    expect(counted({ event: 'A', is: { gte: 50 } }, events)).toHaveLength(20);
  });

  it('are not named where none are given', () => {
    const tree: Explanation['tree'] = start(definitions({ event: 'A' })).explain('1')!.tree;
    expect('events' in tree).toBe(false);
  });
});
