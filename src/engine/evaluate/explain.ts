import { isoText } from '../../primitives/isoDate';
import type { CellSpec, Component } from '../cells/cell';
import { cellOrder, childrenOf, stepsOf, subOf } from '../cells/cellOrder';
import { sumUnit } from '../cells/cellSpec';
import { distinctCell } from '../cells/distinct';
import type { EngineEvent } from '../engineEvent';
import { type CanonicalExpr, type CellExpr, isCellExpr } from '../language/canonicalLanguage';
import type { Cmp, Id, ProviderTest } from '../language/language';
import { changeByTime } from './changeByTime';
import { Conditions, type Environment } from './compile';
import { countedEvents } from './countedEvents';
import type { Machine } from './machine';
import type { Query } from './query';

/**
 * Why a query holds or does not: its result and the tree of its nodes with what each has and needs. The tree does not
 * show operands, because they may be hashed and there may be thousands of them.
 */
export interface Explanation {
  /** Id of the query. */
  readonly id: Id;
  /** Checksum of its meaning, under which its state is stored. */
  readonly checksum: string;
  /** The result that counts, which may be the stored one while the query is held. */
  readonly result: boolean;
  /** The time of the explanation, in ISO form. */
  readonly at: string;
  /** Whether the query is not evaluated at present: data is pending, or the past is being replayed. */
  readonly held: boolean;
  /** Whether evaluation threw an error on this page. */
  readonly failed: boolean;
  /**
   * ISO time at which the result changes if nothing happens until then. Absent where time alone never changes it, and
   * while the query is held or failed.
   */
  readonly changesAt?: string;
  /**
   * The condition as it is evaluated for the explanation. The condition holds if and only if `result` is true, unless
   * the query is held or failed.
   */
  readonly tree: ExplainedNode;
}

/** A node: the tag by which the language names it, whether it holds, and details according to the kind of node. */
export type ExplainedNode = { readonly node: string; readonly holds: boolean } & (
  ExplainedGroup | ExplainedCell | ExplainedData
);

/** A combination of nodes, or a subquery. */
interface ExplainedGroup {
  /** How many of the nodes below hold. */
  readonly have: number;
  /** How many of them must hold at least; 0 for `not`. */
  readonly need: number;
  readonly of: readonly ExplainedNode[];
}

/** A node that counts. Sums are in the unit of the event's property, not in thousandths. */
interface ExplainedCell {
  /** The event names, or the cohort whose transitions are counted. */
  readonly what: string;
  /** How events are counted: `count`, `sum {path}`, `distinct {path}`, `last` or `first`. */
  readonly agg: string;
  /** The value that is compared, of all sources together. */
  readonly have: number;
  /** What this source alone has counted. */
  readonly haveHere: number;
  /** The comparison that the value must meet. */
  readonly need: Cmp;
  /** The window in ms, or `session` or `view`. Absent for life time. */
  readonly within?: number | string;
  /** Whether the value has reached the cap, beyond which nothing is counted. */
  readonly saturated: boolean;
  /** ISO time at which time alone changes the comparison. Absent where time alone never changes it. */
  readonly changesAt?: string;
  /** What this source has counted in each time bucket, newest first. Empty for cells without a window. */
  readonly buckets: readonly { readonly from: string; readonly weight: number }[];
  /**
   * The given past events that count in this cell, newest first, at most 20. For a sequence, events that match one of
   * its steps. Absent where no events are given.
   */
  readonly events?: readonly { readonly name: string; readonly time: string }[];
}

/** Details of a node that reads a cohort, a lookup, a provider or a model. */
type ExplainedData = Readonly<Record<string, unknown>>;

/**
 * Explains a query as it stands. Evaluates the part below each node anew, which costs the size of the tree times its
 * depth; meant for inspection. Changes nothing and does not throw. `past`: events that may have been counted, oldest
 * first.
 */
export const explainQuery = (
  query: Query,
  machine: Pick<Machine, 'catalogue' | 'environment'>,
  past?: readonly EngineEvent[],
): Explanation => {
  const { environment } = machine;
  const changesAt = changeByTime(query, machine);
  return {
    id: query.id,
    checksum: query.checksum,
    result: query.result,
    at: isoText(environment.moment.now),
    held: query.waiting || query.rebuilding,
    failed: query.failed,
    ...(changesAt < Infinity && { changesAt: isoText(changesAt) }),
    tree: new Explainer(query, environment, past).node(query.meaning.q),
  };
};

/** Explains the nodes of one query, on the query's own cells. */
class Explainer {
  private readonly order: ReadonlyMap<CellExpr, number>;
  private readonly conditions: Conditions;

  constructor(
    private readonly query: Query,
    private readonly environment: Environment,
    private readonly past: readonly EngineEvent[] | undefined,
  ) {
    // Numbers the cells as compilation did, which gives the same numbers.
    this.order = cellOrder(query.meaning);
    this.conditions = new Conditions({ ...query, order: this.order }, environment);
  }

  /** A node with everything below it. */
  node(node: CanonicalExpr): ExplainedNode {
    const details = isCellExpr(node) ? this.cell(node) : (this.data(node) ?? this.group(node));
    return { node: nodeTag(node), holds: this.holds(node), ...details };
  }

  /** Whether a node holds. Where its data is missing, compiled conditions throw and the node is shown as false. */
  private holds(node: CanonicalExpr): boolean {
    try {
      return this.conditions.condition(node)();
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

  /** Details of nodes that read data or cohorts; null for other nodes. */
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

  /** The number of ids that the provider has; 0 while the data is missing. */
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
      ...(changesAt < Infinity ? { changesAt: isoText(changesAt) } : {}),
      buckets: bucketsOf(spec, own).map(([bucket, weight]) => ({
        from: isoText(bucket * spec.width),
        weight: weight / unit,
      })),
      ...(this.past && {
        events: countedEvents(node, { query, cell: index, spec }, this.past, environment).map(({ name, time }) => ({
          name,
          time: isoText(time),
        })),
      }),
    };
  }
}

const nodeTag = (node: CanonicalExpr): string => nodeTags.find((tag) => tag in node) ?? 'unknown';

/** The keys by which the language tells nodes apart. */
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

/** What a node counts, and how. */
const subjectOf = (node: CellExpr): Pick<ExplainedCell, 'what' | 'agg'> => {
  if ('entered' in node) return { what: node.entered, agg: 'count' };
  if ('exited' in node) return { what: node.exited, agg: 'count' };
  const what = stepsOf(node)
    .map(({ event }) => event.join(', '))
    .join(' then ');
  if ('last' in node || 'first' in node) return { what, agg: 'last' in node ? 'last' : 'first' };
  return { what, agg: 'sum' in node ? `sum ${node.sum}` : 'distinct' in node ? `distinct ${node.distinct}` : 'count' };
};

/**
 * The time buckets of a cell, newest first; those without a window have none. A sequence has its buckets behind its
 * start times. A pair of a distinct cell is one value, so values are counted by bucket.
 */
const bucketsOf = ({ kind, width, steps }: CellSpec, own: Component): readonly (readonly [number, number])[] => {
  if (width === 0) return [];
  const pairs = own.slice(steps - 1);
  const weights = new Map<number, number>();
  for (let i = 0; i < pairs.length; i += 2) {
    const bucket = pairs[i] ?? 0;
    weights.set(bucket, (weights.get(bucket) ?? 0) + (kind === distinctCell ? 1 : (pairs[i + 1] ?? 0)));
  }
  return [...weights];
};
