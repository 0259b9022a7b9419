import type { CellSpec, Component } from '../cells/cell';
import { cellOrder, childrenOf, subOf } from '../cells/cellOrder';
import { sumUnit } from '../cells/cellSpec';
import { distinctCell } from '../cells/distinct';
import { sequenceCell } from '../cells/sequence';
import { type CanonicalExpr, type CellExpr, isCellExpr } from '../language/canonicalLanguage';
import type { Cmp, Id, ProviderTest } from '../language/language';
import { Conditions, type Environment } from './compile';
import type { Query } from './query';

/** Why a query holds or does not. Operands are not shown: they may be hashed, and they may be many. */
export interface Explanation {
  readonly id: Id;
  readonly checksum: string;
  readonly result: boolean;
  readonly at: string;
  /** The stored result stands: data is pending, or the past is being replayed. */
  readonly held: boolean;
  readonly failed: boolean;
  readonly tree: ExplainedNode;
}

export type ExplainedNode = { readonly node: string; readonly holds: boolean } & (
  ExplainedGroup | ExplainedCell | ExplainedData
);

interface ExplainedGroup {
  readonly have: number;
  readonly need: number;
  readonly of: readonly ExplainedNode[];
}

interface ExplainedCell {
  readonly what: string;
  readonly agg: string;
  readonly have: number;
  /** What this source alone has counted. */
  readonly haveHere: number;
  readonly need: Cmp;
  readonly within?: number | string;
  readonly saturated: boolean;
  readonly changesAt?: string;
  readonly buckets: readonly { readonly from: string; readonly weight: number }[];
}

type ExplainedData = Readonly<Record<string, unknown>>;

export const explainQuery = (query: Query, environment: Environment): Explanation => ({
  id: query.id,
  checksum: query.checksum,
  result: query.result,
  at: iso(environment.moment.now),
  held: query.waiting || query.rebuilding,
  failed: query.failed,
  tree: new Explainer(query, environment).node(query.meaning.q),
});

class Explainer {
  private readonly order: ReadonlyMap<CellExpr, number>;
  private readonly conditions: Conditions;

  constructor(
    private readonly query: Query,
    private readonly environment: Environment,
  ) {
    this.order = cellOrder(query.meaning);
    this.conditions = new Conditions({ ...query, order: this.order }, environment);
  }

  node(node: CanonicalExpr): ExplainedNode {
    const details = isCellExpr(node) ? this.cell(node) : (this.data(node) ?? this.group(node));
    return { node: nodeTag(node), holds: this.holds(node), ...details };
  }

  /** Data that is not there makes nothing true. */
  private holds(node: CanonicalExpr): boolean {
    try {
      return this.conditions.compile(node)();
    } catch {
      return false;
    }
  }

  private group(node: CanonicalExpr): ExplainedGroup {
    const of = ('sub' in node ? [subOf(this.query.meaning.sub, node.sub)] : childrenOf(node)).map((child) =>
      this.node(child),
    );
    const have = of.filter(({ holds }) => holds).length;
    return { have, need: 'and' in node ? of.length : 'match' in node ? node.min : 'not' in node ? 0 : 1, of };
  }

  private data(node: CanonicalExpr): ExplainedData | null {
    const { lookups, scores } = this.environment;
    if ('const' in node) return {};
    if ('cohort' in node) return { cohort: node.cohort };
    if ('lookup' in node) return { lookup: node.lookup, pending: lookups.isPending(node.lookup) };
    if ('lookalike' in node)
      return { model: node.lookalike.model, have: scores.score(node.lookalike), need: node.lookalike.gte };
    if ('thirdParty' in node) return this.provider('thirdParty', node.thirdParty);
    return 'secondParty' in node ? this.provider('secondParty', node.secondParty) : null;
  }

  private provider(name: 'thirdParty' | 'secondParty', test: ProviderTest): ExplainedData {
    const { lookups } = this.environment;
    return {
      provider: test.provider,
      have: lookups.has(name) ? lookups.matches(name, test).length : 0,
      need: test.min,
      pending: lookups.isPending(name),
    };
  }

  private cell(node: CellExpr): ExplainedCell {
    const { query, environment } = this;
    const { moment } = environment;
    const index = this.order.get(node) ?? 0;
    const spec = query.specs[index] as CellSpec;
    const own = query.cells.own[index] ?? [];
    const others = query.cells.others[index] ?? [];
    const unit = 'sum' in node ? sumUnit : 1;
    const value = spec.kind.value(spec, own, others, moment);
    const changesAt = spec.kind.flipAt(spec, own, others, moment);
    return {
      ...subjectOf(node),
      have: value / unit,
      haveHere: spec.kind.value(spec, own, [], moment) / unit,
      need: 'last' in node || 'first' in node ? { gte: 1 } : node.is,
      ...(node.within === undefined ? {} : { within: node.within }),
      saturated: value >= spec.cap,
      ...(changesAt < Infinity ? { changesAt: iso(changesAt) } : {}),
      buckets: bucketsOf(spec, own).map(([bucket, weight]) => ({
        from: iso(bucket * spec.width),
        weight: weight / unit,
      })),
    };
  }
}

const nodeTag = (node: CanonicalExpr): string => nodeTags.find((tag) => tag in node) ?? 'unknown';

const nodeTags = [
  'const',
  'and',
  'or',
  'not',
  'match',
  'sub',
  'cohort',
  'entered',
  'exited',
  'event',
  'sequence',
  'last',
  'first',
  'lookup',
  'thirdParty',
  'secondParty',
  'lookalike',
];

const subjectOf = (node: CellExpr): Pick<ExplainedCell, 'what' | 'agg'> => {
  if ('entered' in node) return { what: node.entered, agg: 'count' };
  if ('exited' in node) return { what: node.exited, agg: 'count' };
  if ('last' in node) return { what: node.last.event.join(', '), agg: 'last' };
  if ('first' in node) return { what: node.first.event.join(', '), agg: 'first' };
  if ('sequence' in node)
    return { what: node.sequence.map(({ event }) => event.join(', ')).join(' then '), agg: 'count' };
  return {
    what: node.event.join(', '),
    agg: 'sum' in node ? `sum ${node.sum}` : 'distinct' in node ? `distinct ${node.distinct}` : 'count',
  };
};

/** The time buckets of a cell, newest first; those without a window have none. */
const bucketsOf = ({ kind, width, options }: CellSpec, own: Component): readonly (readonly [number, number])[] => {
  if (width === 0) return [];
  const pairs = kind === sequenceCell ? own.slice((options.steps ?? 2) - 1) : own;
  const weights = new Map<number, number>();
  for (let i = 0; i < pairs.length; i += 2) {
    const bucket = pairs[i] ?? 0;
    weights.set(bucket, (weights.get(bucket) ?? 0) + (kind === distinctCell ? 1 : (pairs[i + 1] ?? 0)));
  }
  return [...weights];
};

const iso = (time: number): string => new Date(time).toISOString();
