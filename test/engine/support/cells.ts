import * as fc from 'fast-check';

import { bottom, type CellMoment, type CellSpec, type Component } from '../../../src/engine/cells/cell';
import { cellSpecOf } from '../../../src/engine/cells/cellSpec';
import type { CellExpr } from '../../../src/engine/language/canonicalLanguage';
import { t0 } from './run';

/** What one event brings to a cell; `scope` is the number of the session that it falls in. */
export interface Entry {
  readonly time: number;
  readonly amount: number;
  readonly scope: number;
}

export type Kind = 'W' | 'L' | 'D' | 'F' | 'S' | 'K';

/** A cell and some logs of events for it. */
export interface CellCase {
  readonly kind: Kind;
  readonly spec: CellSpec;
  readonly logs: readonly (readonly Entry[])[];
}

const windowMs = 1000;
const small = fc.integer({ min: 0, max: 4 });

/** Comparisons with small numbers, for thresholds are what cells are cut to. */
export const comparison = fc.oneof(
  small.map((gte) => ({ gte })),
  small.map((gt) => ({ gt })),
  small.map((lte) => ({ lte })),
  small.map((lt) => ({ lt })),
  small.map((eq) => ({ eq })),
  fc.tuple(small, small).map(([a, b]) => ({ between: [Math.min(a, b), Math.max(a, b)] as const })),
);

/** Times at and next to the edges of buckets, a few windows wide. Most collide in some bucket or instant. */
export const edgeTime = (width: number): fc.Arbitrary<number> =>
  fc
    .tuple(fc.integer({ min: 0, max: 25 }), fc.constantFrom(-1, 0, 0, 1, 40))
    .map(([bucket, offset]) => t0 + bucket * width + offset);

const bucketsArb = fc.constantFrom(1, 3, 10);

const specOf = (kind: Kind): fc.Arbitrary<CellSpec> =>
  fc
    .record({
      is: comparison,
      buckets: bucketsArb,
      life: fc.boolean(),
      edge: fc.constantFrom('last' as const, 'first' as const),
      steps: fc.constantFrom(2, 3),
      span: fc.constantFrom(undefined, 100, 334),
    })
    .map(({ is, buckets, life, edge, steps, span }) => {
      const window = life ? { is } : { is, within: windowMs, buckets };
      const step = { event: ['E'] };
      const nodes: Record<Kind, CellExpr> = {
        W: { event: ['E'], is, within: windowMs, buckets },
        L: { event: ['E'], is },
        D: { event: ['E'], distinct: 'x', ...window },
        F:
          edge === 'last'
            ? { last: step, is: { p: 'x', exists: true }, ...(life ? {} : { within: windowMs }) }
            : { first: step, is: { p: 'x', exists: true }, ...(life ? {} : { within: windowMs }) },
        S: { sequence: Array.from({ length: steps }, () => step), ...(span === undefined ? {} : { span }), ...window },
        K: { event: ['E'], is, within: 'session' },
      };
      return cellSpecOf(nodes[kind]);
    });

const amountOf: Record<Kind, fc.Arbitrary<number>> = {
  W: fc.integer({ min: 1, max: 3 }),
  L: fc.integer({ min: 1, max: 3 }),
  D: fc.integer({ min: 1, max: 5 }),
  F: fc.constantFrom(0, 1),
  S: fc.integer({ min: 1, max: 7 }),
  K: fc.integer({ min: 1, max: 3 }),
};

const logOf = (kind: Kind, spec: CellSpec): fc.Arbitrary<Entry[]> =>
  fc
    .array(
      fc.record({
        time: edgeTime(spec.width || 100),
        amount: amountOf[kind].map((amount) => (kind === 'S' ? amount & (2 ** spec.steps - 1) || 1 : amount)),
        scope: fc.integer({ min: 0, max: 2 }),
      }),
      { maxLength: 8 },
    )
    .map((log) =>
      // Sequences and sessions take events as they happen.
      kind === 'S'
        ? [...log].sort((a, b) => a.time - b.time)
        : kind === 'K'
          ? [...log].sort((a, b) => a.scope - b.scope)
          : log,
    );

/** A cell of one of the kinds, with `count` logs. */
export const cellCase = (kinds: readonly Kind[], count: number): fc.Arbitrary<CellCase> =>
  fc.constantFrom(...kinds).chain((kind) =>
    specOf(kind).chain((spec) =>
      fc.record({
        kind: fc.constant(kind),
        spec: fc.constant(spec),
        logs: fc.array(logOf(kind, spec), { minLength: count, maxLength: count }),
      }),
    ),
  );

/**
 * The moment of an entry: sessions follow one another. `joined`: how many ms after its begin a tab has joined the
 * session; the tab takes that for the begin.
 */
export const momentOf = (now: number, scope = 0, joined = 0): CellMoment => ({
  now,
  session: { id: String(scope), startedAt: t0 + 1000 * scope + joined, hash: scope + 1 },
  view: null,
});

/** The component that a log makes. */
export const stateOf = (spec: CellSpec, log: readonly Entry[], from: Component = bottom, joined = 0): Component =>
  log.reduce(
    (own, { time, amount, scope }) => spec.kind.feed(spec, own, { time, amount }, momentOf(time, scope, joined)),
    from,
  );

/** The same cell without its cap. */
export const uncapped = (spec: CellSpec): CellSpec => ({ ...spec, cap: 1_000_000 });

/** All instants at which the value of a cell may change, and their neighbours. */
export const instants = (spec: CellSpec, logs: readonly (readonly Entry[])[]): readonly number[] => {
  const width = spec.width || 100;
  const edges = logs
    .flat()
    .flatMap(({ time }) => [time, (Math.floor(time / width) + spec.buckets) * width, time + windowMs]);
  return [...new Set(edges.flatMap((edge) => [edge - 1, edge, edge + 1]))].sort((a, b) => a - b);
};
