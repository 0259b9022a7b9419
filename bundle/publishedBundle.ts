import { stepsOf } from '../src/engine/cells/cellOrder';
import { readTrusted } from '../src/engine/cohortEngine';
import { compile, type Environment } from '../src/engine/evaluate/compile';
import { Dormant } from '../src/engine/evaluate/dormant';
import { Machine } from '../src/engine/evaluate/machine';
import type { Query } from '../src/engine/evaluate/query';
import { coverOf } from '../src/engine/index/cover';
import type { OperandQuestion } from '../src/engine/index/operandLeaf';
import { byKindThenValue } from '../src/engine/language/canonical';
import type {
  CellExpr,
  PublishedBundle,
  PublishedDefinition,
  RestingQueries,
  WakingSource,
} from '../src/engine/language/canonicalLanguage';
import { checksumOfBundle } from '../src/engine/language/checksums';
import type { Bundle, Definition, Id, Scalar } from '../src/engine/language/language';
import { readerOf } from '../src/engine/language/readerOf';
import { isTransition } from '../src/model/cohort';
import { pageviewFields } from '../src/model/project';
import { listAt } from '../src/primitives/listAt';

/**
 * Takes out the queries that rest until an event meets a leaf of their predicates, so that the engine reads and
 * compiles them then. Such a query depends on events alone, asks each of them for something that an index can look up,
 * and does not hold while it has counted nothing, whatever the time.
 */
export const publishedBundle = (bundle: Bundle): PublishedBundle => {
  const { environment } = new Machine({ ...nothingYet, seed: bundle.seed });
  const byId = new Map<Id, Definition[]>();
  for (const definition of bundle.queries) listAt(byId, definition.id).push(definition);
  const found: Resting[] = [];
  const awake = bundle.queries.filter((definition) => {
    // An id that is there twice is reported by the engine.
    const isUnique = byId.get(definition.id)?.length === 1;
    const resting = isUnique ? restingOf(readTrusted(definition), environment) : null;
    if (resting !== null) found.push(resting);
    return resting === null;
  });
  const lateFields = Object.keys(pageviewFields).filter((name) => readerOf([name])(bundle.queries));
  return {
    ...bundle,
    checksum: checksumOfBundle(bundle),
    queries: awake,
    resting: tabled(found),
    ...(lateFields.length > 0 && { lateFields }),
  };
};

/** The definitions of a bundle, those of queries at rest last. */
export const allDefinitions = ({ queries, resting, seed }: PublishedBundle): readonly Definition[] => {
  const dormant = new Dormant(resting, seed);
  return [...queries, ...Array.from(dormant.ids(), (id) => dormant.take(id) as Definition)];
};

const nothingYet = { now: 0, context: { session: null, view: null }, lookups: {}, pending: [] };

/** A definition that rests, and what wakes it. */
interface Resting {
  readonly definition: PublishedDefinition;
  readonly leaves: readonly WakingLeaf[];
}

/** One leaf of a step: events that meet one of its operands wake the query. */
interface WakingLeaf {
  readonly events: readonly string[];
  readonly question: OperandQuestion;
}

/** What wakes a query; null where it does not rest. */
const restingOf = (definition: PublishedDefinition, environment: Environment): Resting | null => {
  try {
    const { query, order } = compile(definition, environment);
    const leaves = [...order.keys()].map(wakingLeaves);
    return isAtRest(query, environment) && !leaves.includes(null)
      ? { definition, leaves: leaves.flatMap((found) => found ?? []) }
      : null;
  } catch {
    // The engine says what is wrong with it.
    return null;
  }
};

/** Whether a query that has counted nothing does not hold, and only events can change that. */
const isAtRest = (query: Query, { moment }: Environment): boolean => {
  const { uses, specs, cells } = query;
  return (
    uses.cohorts.size + uses.lookups.size === 0 &&
    ![...uses.events].some(isTransition) &&
    specs.every((spec, i) => spec.kind.flipAt(spec, cells.own[i] ?? [], [], moment) === Infinity) &&
    !query.holds()
  );
};

/** Leaves of which an event must meet one to change a cell; null where the index knows none. */
const wakingLeaves = (node: CellExpr): readonly WakingLeaf[] | null => {
  const steps = stepsOf(node).map(({ event, where }) => ({ events: event, cover: where && coverOf(where) }));
  if (steps.length === 0 || steps.some(({ cover }) => !cover)) return null;
  return steps.flatMap(({ events, cover }) => (cover ?? []).map((question) => ({ events, question })));
};

/** A source while its leaves are collected. */
interface Collected extends Pick<WakingSource, 'events' | 'path' | 'tag' | 'hashed' | 'fold'> {
  longest: number;
  /** The operands of each leaf, and the query of each. */
  readonly operands: (readonly Scalar[])[];
  readonly queries: number[];
}

const tabled = (resting: readonly Resting[]): RestingQueries => {
  const collected = new Map<string, Collected>();
  for (const [query, { leaves }] of resting.entries())
    for (const leaf of leaves) {
      const source = sourceOf(leaf, collected);
      source.longest = Math.max(source.longest, leaf.question.longest);
      source.operands.push(leaf.question.operands);
      source.queries.push(query);
    }
  const sources = [...collected.values()];
  const operandsOf = resting.map((): (readonly Scalar[])[] => []);
  for (const { operands, queries } of sources)
    for (const [leaf, query] of queries.entries()) operandsOf[query]?.push(operands[leaf] ?? []);
  const texts = resting.map(({ definition }, query) => textOf(definition, operandsOf[query] ?? []));
  const definitions = [...new Set(texts)];
  const places = new Map(definitions.map((text, place) => [text, place]));
  return {
    ids: resting.map(({ definition }) => definition.id),
    checksums: resting.map(({ definition }) => definition.checksum),
    sources: sources.map(sorted),
    definitions,
    places: texts.map((text) => places.get(text) ?? 0),
  };
};

/** The source that a leaf belongs to. */
const sourceOf = ({ events, question }: WakingLeaf, collected: Map<string, Collected>): Collected => {
  const { path, tag, hashed, fold, longest } = question;
  const key = JSON.stringify([events, path, tag, hashed, fold]);
  const source = collected.get(key) ?? { events, path, tag, hashed, fold, longest, operands: [], queries: [] };
  collected.set(key, source);
  return source;
};

/** Turns lists of operands into lists of leaves by operand. */
const sorted = ({ operands, queries, ...source }: Collected): WakingSource => {
  const leavesByKey = new Map<Scalar, number[]>();
  for (const [leaf, list] of operands.entries()) for (const operand of list) listAt(leavesByKey, operand).push(leaf);
  const keys = [...leavesByKey.keys()].sort(byKindThenValue);
  const askers = keys.map((key) => leavesByKey.get(key) ?? []);
  return { ...source, keys, counts: askers.map(({ length }) => length), askers: askers.flat(), queries };
};

/** A definition without what the tables have: the numbers of waking leaves stand in the place of their operands. */
const textOf = (definition: PublishedDefinition, operands: readonly (readonly Scalar[])[]): string => {
  const numbers = new Map<unknown, number>(operands.map((list, number) => [list, number]));
  const asked = { ...definition, id: undefined, checksum: undefined, canonical: undefined };
  return JSON.stringify(asked, (_, value: unknown) => numbers.get(value) ?? value);
};
