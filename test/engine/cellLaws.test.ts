import * as fc from 'fast-check';

import { cut } from '../../src/engine/cells/buckets';
import { bottom, type CellSpec, type Component, decides } from '../../src/engine/cells/cell';
import { cellSpecOf } from '../../src/engine/cells/cellSpec';
import type { CellExpr } from '../../src/engine/language/canonicalLanguage';
import { law } from '../support/laws';
import { cellCase, edgeTime, type Entry, instants, momentOf, stateOf, uncapped } from './support/cells';
import { t0 } from './support/run';

const all = ['W', 'L', 'D', 'F', 'S', 'K'] as const;
const now = edgeTime(100);

const join = (spec: CellSpec, a: Component, b: Component): Component => spec.kind.join(spec, a, b);
const exact = (spec: CellSpec, logs: readonly (readonly Entry[])[], time: number): number =>
  logs
    .flat()
    .reduce(
      (sum, entry) =>
        sum +
        (spec.width === 0 || Math.floor(time / spec.width) - Math.floor(entry.time / spec.width) < spec.buckets
          ? entry.amount
          : 0),
      0,
    );

describe('join', () => {
  it(
    'L1 is commutative, associative and idempotent, with bottom as unit',
    law(cellCase(all, 3), ({ spec, logs }) => {
      const [a, b, c] = logs.map((log) => stateOf(spec, log)) as [Component, Component, Component];
      expect(join(spec, a, b)).toEqual(join(spec, b, a));
      expect(join(spec, a, join(spec, b, c))).toEqual(join(spec, join(spec, a, b), c));
      expect(join(spec, a, a)).toEqual(a);
      expect(join(spec, a, bottom)).toEqual(a);
      expect(join(spec, bottom, a)).toEqual(a);
    }),
  );

  it(
    'L2 may be cut before or after, and so may every event',
    law(cellCase(['W', 'D'], 2), ({ kind, spec, logs: [one = [], two = []] }) => {
      const limit = (component: Component): Component =>
        kind === 'W' ? cut([...component], spec.cap) : component.slice(0, 2 * spec.cap);
      const wide = uncapped(spec);
      const [a, b] = [stateOf(wide, one), stateOf(wide, two)];
      expect(limit(a)).toEqual(stateOf(spec, one));
      expect(limit(join(wide, a, b))).toEqual(join(spec, limit(a), limit(b)));
    }),
  );
});

describe('events', () => {
  it(
    'L3 make the same component in any order',
    law(
      cellCase(['W', 'L', 'D', 'F'], 1).chain(({ spec, logs: [log = []] }) =>
        fc.record({
          spec: fc.constant(spec),
          log: fc.constant(log),
          shuffled: fc.shuffledSubarray([...log], { minLength: log.length }),
        }),
      ),
      ({ spec, log, shuffled }) => expect(stateOf(spec, shuffled)).toEqual(stateOf(spec, log)),
    ),
  );

  it(
    'L4 of the same source are appended',
    law(cellCase(['W', 'L', 'D', 'F'], 2), ({ spec, logs: [one = [], two = []] }) => {
      expect(spec.kind.append(spec, stateOf(spec, one), stateOf(spec, two))).toEqual(stateOf(spec, [...one, ...two]));
    }),
  );

  it(
    'L5 only ever add, and what they add is the delta',
    law(cellCase(all, 2), ({ kind, spec, logs: [one = [], two = []] }) => {
      const later =
        kind === 'S'
          ? two.map((entry) => ({ ...entry, time: entry.time + 5000 }))
          : kind === 'K'
            ? two.map((entry) => ({ ...entry, scope: entry.scope + 2 }))
            : two;
      const before = stateOf(spec, one);
      const after = stateOf(spec, later, before);
      expect(join(spec, before, after)).toEqual(after);
      if (kind === 'K') return;
      expect(join(spec, before, spec.kind.delta(spec, before, after))).toEqual(after);
      expect(spec.kind.delta(spec, after, after)).toEqual(bottom);
      expect(spec.kind.delta(spec, after, after.slice())).toEqual(bottom);
    }),
  );

  it(
    'that change nothing answer the very same component',
    law(cellCase(all, 2), ({ spec, logs: [one = [], two = []] }) => {
      const before = stateOf(spec, one);
      for (const { time, amount, scope } of two) {
        const after = spec.kind.feed(spec, before, { time, amount }, momentOf(time, scope));
        expect(after === before).toBe(JSON.stringify(after) === JSON.stringify(before));
      }
    }),
  );
});

describe('the value', () => {
  it(
    'L6 is the bucketed count of all sources up to the cap, at any time',
    law(cellCase(['W', 'L'], 3), now, ({ spec, logs }, time) => {
      const [own = bottom, ...others] = logs.map((log) => stateOf(spec, log));
      expect(spec.kind.value(spec, own, others, momentOf(time))).toBe(Math.min(spec.cap, exact(spec, logs, time)));
    }),
  );

  it(
    'L6 counts different values of all sources up to the cap',
    law(cellCase(['D'], 3), now, ({ spec, logs }, time) => {
      const [own = bottom, ...others] = logs.map((log) => stateOf(spec, log));
      const inWindow = logs.flat().filter((entry) => exact(spec, [[entry]], time) > 0);
      expect(spec.kind.value(spec, own, others, momentOf(time))).toBe(
        Math.min(spec.cap, new Set(inWindow.map(({ amount }) => amount)).size),
      );
    }),
  );

  it(
    'L6 takes the largest of the sources where all see the same',
    law(cellCase(['W', 'L'], 3), now, ({ spec, logs }, time) => {
      const same = { ...spec, largest: true };
      const [own = bottom, ...others] = logs.map((log) => stateOf(same, log));
      expect(same.kind.value(same, own, others, momentOf(time))).toBe(
        Math.min(spec.cap, Math.max(...logs.map((log) => exact(spec, [log], time)))),
      );
    }),
  );

  it(
    'L7 is never more than the exact window has, and less by one bucket at most',
    law(
      cellCase(['W'], 1).filter(({ spec }) => 1000 % spec.buckets === 0),
      now,
      ({ spec, logs }, time) => {
        const wide = uncapped(spec);
        const value = wide.kind.value(wide, stateOf(wide, logs[0] ?? []), [], momentOf(time));
        const since = (start: number): number =>
          logs.flat().reduce((sum, entry) => sum + (entry.time > start ? entry.amount : 0), 0);
        expect(value).toBeLessThanOrEqual(since(time - 1000));
        expect(value).toBeGreaterThanOrEqual(since(time - 1000 + spec.width));
      },
    ),
  );

  it(
    'of an edge is its latest or earliest event, true if any of that millisecond is',
    law(cellCase(['F'], 2), now, ({ spec, logs }, time) => {
      const [own = bottom, ...others] = logs.map((log) => stateOf(spec, log));
      const times = logs.flat().map((entry) => entry.time);
      const edge = spec.edge === 'last' ? Math.max(...times) : Math.min(...times);
      const passed = logs.flat().some((entry) => entry.time === edge && entry.amount === 1);
      expect(spec.kind.value(spec, own, others, momentOf(time))).toBe(passed && time - edge < spec.windowMs ? 1 : 0);
    }),
  );

  it(
    'of a session is that of the current one alone',
    law(cellCase(['K'], 1), fc.integer({ min: 0, max: 2 }), ({ spec, logs: [log = []] }, scope) => {
      const past = log.filter((entry) => entry.scope <= scope);
      const total = past.reduce((sum, entry) => sum + (entry.scope === scope ? entry.amount : 0), 0);
      expect(spec.kind.value(spec, stateOf(spec, past), [], momentOf(t0, scope))).toBe(Math.min(spec.cap, total));
    }),
  );

  it(
    'of a sequence counts the last steps that a chain of earlier events leads to',
    law(cellCase(['S'], 1), ({ spec, logs: [log = []] }) => {
      const life = { ...uncapped(spec), width: 0, buckets: 1 };
      const { steps, spanMs } = spec;
      const serves = (entry: Entry | undefined, step: number): boolean =>
        entry !== undefined && (entry.amount & (1 << step)) !== 0;
      const leadsTo = (last: number, step: number, end: number): boolean =>
        log
          .slice(0, last)
          .some(
            (entry, i) =>
              serves(entry, step) && end - entry.time <= spanMs && (step === 0 || leadsTo(i, step - 1, end)),
          );
      const completions = log.filter(
        (entry, i) => serves(entry, steps - 1) && leadsTo(i, steps - 2, entry.time),
      ).length;
      expect(life.kind.value(life, stateOf(life, log), [], momentOf(t0))).toBe(completions);
    }),
  );
});

describe('time', () => {
  it(
    'L8 may be told earlier: compaction changes no value from then on',
    law(cellCase(all, 2), now, ({ spec, logs }, time) => {
      const [own = bottom, other = bottom] = logs.map((log) => stateOf(spec, log));
      const compact = spec.kind.compact(spec, own, time);
      for (const later of [time, ...instants(spec, logs).filter((instant) => instant >= time)]) {
        expect(spec.kind.value(spec, compact, [], momentOf(later))).toBe(
          spec.kind.value(spec, own, [], momentOf(later)),
        );
        if (spec.edge === null)
          expect(spec.kind.value(spec, compact, [other], momentOf(later))).toBe(
            spec.kind.value(spec, own, [other], momentOf(later)),
          );
      }
      expect(spec.kind.compact(spec, compact, time)).toBe(compact);
    }),
  );

  it(
    'L8 lets a compacted sequence be completed by the same events',
    law(cellCase(['S'], 2), now, ({ spec, logs: [past = [], future = []] }, time) => {
      const own = stateOf(
        spec,
        past.filter((entry) => entry.time <= time),
      );
      const later = future.map((entry) => ({ ...entry, time: entry.time - t0 + time }));
      const end = (later.at(-1)?.time ?? time) + 1;
      const value = (from: Component): number => spec.kind.value(spec, stateOf(spec, later, from), [], momentOf(end));
      expect(value(spec.kind.compact(spec, own, time))).toBe(value(own));
    }),
  );

  it(
    'L9 changes the comparison at the announced instant, and at no other',
    law(cellCase(['W', 'L', 'D', 'F', 'S'], 2), fc.boolean(), now, ({ spec, logs }, alone, time) => {
      const [own = bottom, other = bottom] = logs.map((log) => stateOf(spec, log));
      const others = alone || other.length === 0 ? [] : [other];
      const truth = (at: number): boolean => decides(spec, spec.kind.value(spec, own, others, momentOf(at)));
      const flipAt = spec.kind.flipAt(spec, own, others, momentOf(time));
      expect(flipAt).toBeGreaterThan(time);
      for (const at of instants(spec, logs)) if (at >= time && at < flipAt) expect(truth(at)).toBe(truth(time));
      if (flipAt < Infinity) {
        expect(truth(flipAt - 1)).toBe(truth(time));
        expect(truth(flipAt)).toBe(!truth(time));
      }
    }),
  );

  it(
    'L9b is decided by the capped value as by the uncapped one',
    law(cellCase(['W', 'L', 'D', 'S', 'K'], 2), now, ({ spec, logs }, time) => {
      const value = (cell: CellSpec): number => {
        const [own = bottom, ...others] = logs.map((log) => stateOf(cell, log));
        return cell.kind.value(cell, own, others, momentOf(time));
      };
      expect(decides(spec, value(spec))).toBe(decides(spec, value(uncapped(spec))));
    }),
  );
});

describe('the wire form', () => {
  it(
    'L10 is read back',
    law(cellCase(all, 1), ({ spec, logs: [log = []] }) => {
      const component = stateOf(spec, log);
      if (component.length === 0) return;
      expect(spec.kind.decode(spec, JSON.parse(JSON.stringify(spec.kind.encode(spec, component))))).toEqual(component);
    }),
  );

  const window = { within: 1000, buckets: 10 };
  const three = { is: { gte: 3 } };
  const step = { event: ['E'] };
  it.each<[string, CellExpr, unknown, Component | null]>([
    ['gaps', { ...step, ...three, ...window }, [9, 1, 2, 1], [9, 1, 7, 1]],
    ['a bucket twice', { ...step, ...three, ...window }, [9, 1, 0, 1], null],
    ['an older bucket first', { ...step, ...three, ...window }, [9, 1, -1, 1], null],
    ['no weight', { ...step, ...three, ...window }, [9, 0], null],
    ['more than the cap', { ...step, ...three, ...window }, [9, 4], null],
    ['half a pair', { ...step, ...three, ...window }, [9], null],
    ['more than counts', { ...step, ...three, ...window }, [9, 2, 1, 2, 1, 2], [9, 2, 8, 2]],
    [
      'too many buckets',
      { ...step, is: { gte: 5000 }, ...window },
      [9, ...Array.from({ length: 1000 }, () => [1, 1]), 1].flat(),
      null,
    ],
    ['a count', { ...step, ...three }, 3, [3]],
    ['a count beyond the cap', { ...step, ...three }, 4, null],
    ['a negative count', { ...step, ...three }, -1, null],
    ['values in order', { ...step, ...three, ...window, distinct: 'x' }, [9, 1, 0, 2, 1, 0], [9, 1, 9, 2, 8, 0]],
    ['values out of order', { ...step, ...three, ...window, distinct: 'x' }, [9, 2, 0, 1], null],
    ['a value twice', { ...step, ...three, ...window, distinct: 'x' }, [9, 1, 1, 1], null],
    ['a negative hash', { ...step, ...three, ...window, distinct: 'x' }, [9, -1], null],
    ['an edge', { last: step, is: { p: 'x', is: true } }, [9, 1], [9, 1]],
    ['an edge that is no bit', { last: step, is: { p: 'x', is: true } }, [9, 2], null],
    ['an edge and more', { last: step, is: { p: 'x', is: true } }, [9, 1, 1], null],
    ['a sequence', { sequence: [step, step], ...three, ...window }, [[7], [9, 1, 2, 1]], [7, 9, 1, 7, 1]],
    ['a sequence without completions', { sequence: [step, step], ...three, ...window }, [[7]], [7]],
    ['a sequence that counted nothing', { sequence: [step, step], ...three, ...window }, [[0], []], []],
    ['a sequence with a step too many', { sequence: [step, step], ...three, ...window }, [[7, 8], []], null],
    ['a sequence with bad completions', { sequence: [step, step], ...three, ...window }, [[7], [9]], null],
    ['a sequence with a negative start', { sequence: [step, step], ...three, ...window }, [[-7], []], null],
    ['a session', { ...step, ...three, within: 'session' }, [7, 8, 3], [7, 8, 3]],
    ['a session beyond the cap', { ...step, ...three, within: 'session' }, [7, 8, 4], null],
    ['two sessions', { ...step, ...three, within: 'session' }, [7, 8, 3, 6, 9, 1], [7, 8, 3, 6, 9, 1]],
    ['a session twice', { ...step, ...three, within: 'session' }, [7, 8, 3, 6, 8, 1], null],
    ['three sessions', { ...step, ...three, within: 'session' }, [7, 8, 3, 6, 9, 1, 5, 4, 1], null],
    ['half a session', { ...step, ...three, within: 'session' }, [7, 8, 3, 6], null],
    ['no session', { ...step, ...three, within: 'session' }, [], null],
    ['two views', { ...step, ...three, within: 'view' }, [7, 8, 3, 6, 9, 1], null],
  ])('is checked: %s', (_what, node, wire, component) => {
    const spec = cellSpecOf(node);
    expect(spec.kind.decode(spec, wire)).toEqual(component);
  });

  it(
    'is refused when it is malformed, and never throws',
    law(cellCase(all, 1), fc.jsonValue({ maxDepth: 2 }), ({ spec }, wire) => {
      const component = spec.kind.decode(spec, wire);
      if (component === null) return;
      expect(component.every(Number.isSafeInteger)).toBe(true);
      expect(() => spec.kind.value(spec, component, [component], momentOf(t0))).not.toThrow();
    }),
  );
});

describe('tabs', () => {
  const tabs = fc.array(fc.integer({ min: 0, max: 999 }), { minLength: 3, maxLength: 3 });

  it(
    'L1 holds for cells of tabs that have joined a session at different times',
    law(cellCase(['K'], 3), tabs, ({ spec, logs }, joined) => {
      const [a, b, c] = logs.map((log, i) => stateOf(spec, log, bottom, joined[i])) as [
        Component,
        Component,
        Component,
      ];
      expect(join(spec, a, b)).toEqual(join(spec, b, a));
      expect(join(spec, a, join(spec, b, c))).toEqual(join(spec, join(spec, a, b), c));
      expect(join(spec, a, a)).toEqual(a);
    }),
  );
});
