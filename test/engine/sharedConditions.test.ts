import fc from 'fast-check';

import { cellOrder } from '../../src/engine/cells/cellOrder';
import { Conditions } from '../../src/engine/evaluate/compile';
import { Machine } from '../../src/engine/evaluate/machine';
import type { CanonicalExpr } from '../../src/engine/language/canonicalLanguage';
import { lawOf } from '../support/laws';
import { start } from './support/run';

const machine = (): Machine =>
  new Machine({ seed: 0, now: 0, context: { session: null, view: null }, lookups: {}, pending: [] });

/** A condition over subqueries, with the memberships that `members` names, and how often a membership was read. */
const evaluated = (q: CanonicalExpr, sub: readonly CanonicalExpr[], members: ReadonlySet<string>) => {
  const { environment } = machine();
  let reads = 0;
  const memberships = {
    of: (id: string) => ({
      get member() {
        reads++;
        return members.has(id);
      },
    }),
  } as unknown as typeof environment.memberships;
  const meaning = { q, sub };
  const plan = { meaning, order: cellOrder(meaning), specs: [], cells: { own: [], others: [] } };
  const holds = new Conditions(plan, { ...environment, memberships }).condition(q);
  return { holds, reads: () => reads };
};

/** Each level refers twice to the next one. The last one reads a membership. */
const levels = (count: number): readonly CanonicalExpr[] =>
  Array.from({ length: count }, (_, i) =>
    i === count - 1 ? { cohort: 'a' } : { match: [{ sub: i + 2 }, { sub: i + 2 }], min: 2 },
  );

describe('a subquery that is referenced often', () => {
  it('is evaluated once: 27 levels of doubled references read the membership once for each evaluation', () => {
    const { holds, reads } = evaluated({ sub: 1 }, levels(27), new Set('a'));
    expect([holds(), reads(), holds(), reads()]).toEqual([true, 1, true, 2]);
  });

  it('makes a definition that is too large when the references are followed, and only that one fails', () => {
    const engine = start([]);
    const queries = [
      { id: '1', q: { sub: 1 }, sub: levels(27) as never },
      { id: '2', q: { sub: 1 }, sub: levels(12) as never },
    ];
    const { errors } = engine.appendLifted({}, queries);
    expect(errors).toEqual([
      'Failed to interpret query 1. Got more than 10000 nodes in subquery 15, subqueries counted at each reference.',
    ]);
    expect(engine.explain('2')?.held).toBe(false);
  });

  it('gives what evaluation at each reference gives', () => {
    const leaf = fc.constantFrom<CanonicalExpr>({ cohort: 'a' }, { cohort: 'b' }, { const: true }, { const: false });
    /** A node that refers to later subqueries only, so that there is no cycle. */
    const node = (from: number, count: number): fc.Arbitrary<CanonicalExpr> => {
      const ends =
        from < count
          ? fc.oneof(
              leaf,
              fc.integer({ min: from + 1, max: count }).map((sub) => ({ sub })),
            )
          : leaf;
      const children = fc.array(ends, { minLength: 1, maxLength: 3 });
      return fc.oneof(
        ends,
        children.map((and) => ({ and })),
        children.map((or) => ({ or })),
        ends.map((not) => ({ not })),
        children.map((match) => ({ match, min: 1, max: 2 })),
      );
    };
    const naive = (expr: CanonicalExpr, sub: readonly CanonicalExpr[], members: ReadonlySet<string>): boolean => {
      const of = (child: CanonicalExpr): boolean => naive(child, sub, members);
      if ('sub' in expr) return of(sub[expr.sub - 1]!);
      if ('cohort' in expr) return members.has(expr.cohort);
      if ('and' in expr) return expr.and.every(of);
      if ('or' in expr) return expr.or.some(of);
      if ('not' in expr) return !of(expr.not);
      if ('match' in expr) {
        const count = expr.match.filter(of).length;
        return count >= expr.min && count <= (expr.max ?? Infinity);
      }
      return 'const' in expr && expr.const;
    };
    const meaning = fc.tuple(...[0, 1, 2, 3, 4].map((i) => node(i, 4)));
    lawOf(100)(meaning, fc.subarray(['a', 'b']), ([q, ...sub], ids) => {
      const members = new Set(ids);
      const { holds } = evaluated(q!, sub, members);
      const expected = naive(q!, sub, members);
      // What changes between two evaluations is seen by the second one.
      const before = holds();
      members.clear();
      expect([before, holds()]).toEqual([expected, naive(q!, sub, members)]);
    })();
  });
});
