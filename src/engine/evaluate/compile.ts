import { type CellMoment, type CellSpec, decides } from '../cells/cell';
import { cellOrder, checkSize, childrenOf, stepsOf, subOf } from '../cells/cellOrder';
import { cellSpecOf } from '../cells/cellSpec';
import { compilePred } from '../index/predicate';
import {
  type CanonicalExpr,
  type CanonicalQuery,
  type CellExpr,
  isCellExpr,
  type PublishedDefinition,
} from '../language/canonicalLanguage';
import type { Id, LookupName, ModelTest } from '../language/language';
import type { Scores } from '../models/scores';
import type { Lookups } from './lookups';
import { bottomCells, type Cells, type Query, type Uses } from './query';

/** What conditions read beside their own cells. All of it is the engine's live data: closures see its changes. */
export interface Environment {
  /** Seed of the bundle's hashed operands. */
  readonly seed: number;
  /** The present time, session and view. */
  readonly moment: CellMoment;
  readonly memberships: { readonly of: (id: Id) => { readonly member: boolean } };
  readonly lookups: Lookups;
  readonly scores: Scores;
}

/**
 * Compiles a definition to a query that has counted nothing: one cell for each node that keeps a state, and a closure
 * that evaluates the condition. `order`: those nodes, with the numbers of their cells. Throws what is wrong with the
 * definition.
 */
export const compile = (
  { id, q, sub = [], checksum, activations = {} }: PublishedDefinition,
  environment: Environment,
): { readonly query: Query; readonly order: ReadonlyMap<CellExpr, number> } => {
  const meaning = { q, sub };
  checkSize(meaning);
  const order = cellOrder(meaning);
  const specs = [...order.keys()].map(cellSpecOf);
  // The closures hold this object. State changes by putting other lists into it.
  const cells: Cells = { own: bottomCells(specs), others: specs.map(() => none) };
  const holds = new Conditions({ meaning, order, specs, cells }, environment).condition(meaning.q);
  const uses = usesOf([meaning.q, ...meaning.sub]);
  const query: Query = {
    // What every event reads comes first, so that it lies together in memory.
    cells,
    result: false,
    isRising: [meaning.q, ...meaning.sub].every((root) => isRising(root, order, specs)),
    isDirty: false,
    changedIn: 0,
    isUnsynced: false,
    id,
    failed: false,
    waiting: false,
    rebuilding: false,
    holds,
    platforms: Object.keys(activations),
    activations: none,
    number: 0,
    specs,
    checksum,
    meaning,
    uses,
  };
  return { query, order };
};

/** Thousands of queries have none, and share this list. */
const none: readonly never[] = [];
/** Sets of one name or none, by the name: there are few, and thousands of queries have one of them. */
const sharedSets = new Map<unknown, ReadonlySet<unknown>>();

/** The same set for the same single name, and for none. */
const shared = <Name>(names: ReadonlySet<Name>): ReadonlySet<Name> => {
  if (names.size > 1) return names;
  const [name] = names;
  const first = (sharedSets.get(name) ?? names) as ReadonlySet<Name>;
  sharedSets.set(name, first);
  return first;
};

/** A node that has been compiled. A condition may throw when a lookup is missing. */
type Condition = () => boolean;

/** What is known of a query before its closures are made: its nodes, their cells and the cells' state. */
interface Plan {
  readonly meaning: CanonicalQuery;
  readonly order: ReadonlyMap<CellExpr, number>;
  readonly specs: readonly CellSpec[];
  readonly cells: Cells;
}

/** Turns the nodes of one query into closures. Explanations use it too, to evaluate single nodes. */
export class Conditions {
  /** Compiled subqueries by number. A subquery is compiled once, however many nodes refer to it. */
  private readonly subs = new Map<number, Condition>();
  /** Number of the present evaluation. Nothing that conditions read changes during one. */
  private round = 0;

  constructor(
    private readonly plan: Plan,
    private readonly environment: Environment,
  ) {}

  /**
   * The closure of a root, which evaluates each subquery at most once. Throws when a node refers to a subquery that
   * does not exist.
   */
  condition(root: CanonicalExpr): Condition {
    const condition = this.compile(root);
    // A query without subqueries has no rounds to tell apart, so its closure need not keep what it was compiled from.
    if (this.plan.meaning.sub.length === 0) return condition;
    return () => {
      this.round++;
      return condition();
    };
  }

  private compile(node: CanonicalExpr): Condition {
    if (isCellExpr(node)) return this.cellCondition(node);
    if ('sub' in node) return this.subCondition(node.sub);
    if ('cohort' in node) {
      // Found once, when the query is compiled. A cohort that no query defines has an entry too, without members.
      const membership = this.environment.memberships.of(node.cohort);
      return () => membership.member;
    }
    if ('const' in node) return () => node.const;
    return (
      this.dataCondition(node) ??
      combination(
        node,
        childrenOf(node).map((child) => this.compile(child)),
      )
    );
  }

  private cellCondition(node: CellExpr): Condition {
    const { cells, order, specs } = this.plan;
    const { moment } = this.environment;
    const index = order.get(node) ?? 0;
    const spec = specs[index] as CellSpec;
    return () => decides(spec, spec.kind.value(spec, cells.own[index] ?? [], cells.others[index] ?? [], moment));
  }

  private subCondition(index: number): Condition {
    const known = this.subs.get(index);
    if (known !== undefined) return known;
    const evaluate = this.compile(subOf(this.plan.meaning.sub, index));
    let [round, holds] = [0, false];
    const condition = (): boolean => {
      if (round !== this.round) {
        holds = evaluate();
        ({ round } = this);
      }
      return holds;
    };
    this.subs.set(index, condition);
    return condition;
  }

  /** Conditions on lookups and models; null for other nodes. The conditions throw while their data is missing. */
  private dataCondition(node: CanonicalExpr): Condition | null {
    const { lookups, scores, seed } = this.environment;
    if ('lookup' in node) {
      const test = compilePred(node.where, seed);
      return () => test({ root: lookups.value(node.lookup), event: null });
    }
    if ('thirdParty' in node)
      return () => lookups.matches('thirdParty', node.thirdParty).length >= (node.thirdParty.min ?? 1);
    if ('secondParty' in node)
      return () => lookups.matches('secondParty', node.secondParty).length >= (node.secondParty.min ?? 1);
    if (!('lookalike' in node)) return null;
    return () => {
      // Read for its error alone: without the lookup, the query must fail and not be false.
      lookups.value('lookalike');
      if (scores.needsProviders(node.lookalike)) lookups.value('thirdParty');
      // An unknown model is below every threshold.
      return (scores.score(node.lookalike) ?? -1) >= node.lookalike.gte;
    };
  }
}

/** A combination of other nodes. Evaluation stops at the first child that decides, except for `match`. */
const combination = (node: CanonicalExpr, children: readonly Condition[]): Condition => {
  const [first] = children;
  if ('and' in node) return () => children.every(isTrue);
  if ('or' in node) return () => children.some(isTrue);
  if ('not' in node && first !== undefined) return () => !first();
  if (!('match' in node)) throw new Error('unknown query node');
  const { min, max = Infinity } = node;
  return () => {
    let count = 0;
    for (const child of children) if (child()) count++;
    return count >= min && count <= max;
  };
};

const isTrue = (condition: Condition): boolean => condition();

/**
 * Whether a node that holds goes on holding when cells take in more events. Each subquery condition is judged alone. A
 * change of cohorts, lookups or models does not matter here, because it marks the query as dirty in any case.
 */
const isRising = (node: CanonicalExpr, order: Plan['order'], specs: Plan['specs']): boolean => {
  if (isCellExpr(node)) {
    const { kind, high } = specs[order.get(node) ?? 0] as CellSpec;
    return high === Infinity && kind.onlyRises;
  }
  // More events may make a child true. A child that becomes true must not make this node false, as it does under `not`
  // and beyond a maximum.
  const isPositive = !('not' in node) && !('match' in node && node.max !== undefined);
  return isPositive ? childrenOf(node).every((child) => isRising(child, order, specs)) : !hasCells(node);
};

/** Whether events may change a node. A reference counts as having cells, without a look at where it leads. */
const hasCells = (node: CanonicalExpr): boolean => isCellExpr(node) || 'sub' in node || childrenOf(node).some(hasCells);

/** Collects what the nodes under some roots read. A reference is not followed: all subqueries are roots themselves. */
const usesOf = (roots: readonly CanonicalExpr[]): Uses => {
  const cohorts = new Set<Id>();
  const lookups = new Set<LookupName>();
  const events = new Set<string>();
  const models: ModelTest[] = [];
  const visit = (node: CanonicalExpr): void => {
    if ('cohort' in node) cohorts.add(node.cohort);
    else if ('lookup' in node) lookups.add(node.lookup);
    else if ('thirdParty' in node) lookups.add('thirdParty');
    else if ('secondParty' in node) lookups.add('secondParty');
    else if ('lookalike' in node) models.push(node.lookalike);
    else if (isCellExpr(node)) for (const name of eventNamesOf(node)) events.add(name);
    else childrenOf(node).forEach(visit);
  };
  roots.forEach(visit);
  if (models.length > 0) lookups.add('lookalike');
  return { cohorts: shared(cohorts), lookups: shared(lookups), models, events: shared(events) };
};

/** The names of the events that change the cell of a node. */
const eventNamesOf = (node: CellExpr): readonly string[] => {
  if ('entered' in node) return ['SegmentEntry'];
  return 'exited' in node ? ['SegmentExit'] : stepsOf(node).flatMap(({ event }) => event);
};
