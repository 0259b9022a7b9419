import { evalCondition } from '@growthbook/growthbook';
import { LogicEngine } from 'json-logic-engine';
import { Engine as RulesEngine, type TopLevelCondition } from 'json-rules-engine';
import { Query } from 'mingo';
import sift from 'sift';

import type { EngineEvent } from '../src/engine/engineEvent';
import { EventIndex } from '../src/engine/index/eventIndex';
import { compilePred } from '../src/engine/index/predicate';
import { type Json, jsonLogic, jsonRules, mongo } from './dialects';
import { type Dialect, type Facts, FactTable, type Predicate, translate } from './predicates';

/** Finds the numbers of the predicates that hold for an event. */
export type Match = (event: EngineEvent, facts: Facts) => readonly number[] | Promise<readonly number[]>;

export interface Matcher {
  readonly match: Match;
  /** What the matcher has to be given of an event; made beforehand. */
  readonly factsOf: (event: EngineEvent) => Facts;
}

const noFacts: Facts = {};

/** A subject of the comparison. `needsEval`: it makes functions from text, which a strict content policy forbids. */
export interface Subject {
  readonly name: string;
  readonly needsEval: boolean;
  readonly prepare: (predicates: readonly Predicate[]) => Matcher;
}

type Numbered<Test> = readonly (readonly [number: number, test: Test])[];

/** Any user would ask of an event only what is about events of its name. */
const byName = <Test>(
  predicates: readonly Predicate[],
  compile: (where: NonNullable<Predicate['where']>) => Test,
): ReadonlyMap<string, Numbered<Test | null>> => {
  const table = new Map<string, (readonly [number, Test | null])[]>();
  predicates.forEach(({ event, where }, number) => {
    const list = table.get(event) ?? [];
    list.push([number, where === undefined ? null : compile(where)]);
    table.set(event, list);
  });
  return table;
};

const engineIndex: Subject = {
  name: 'this engine, its index',
  needsEval: false,
  prepare: (predicates) => {
    const indexes = new Map<string, EventIndex<number>>();
    predicates.forEach(({ event, where }, number) => {
      const index = indexes.get(event) ?? new EventIndex<number>(0);
      index.add(where, number);
      indexes.set(event, index);
    });
    const wanted = (): boolean => true;
    return {
      factsOf: () => noFacts,
      match: (event) => {
        const matched: number[] = [];
        indexes.get(event.name)?.match(event, wanted, matched);
        return matched;
      },
    };
  },
};

const engineDirect: Subject = {
  name: 'this engine, no index',
  needsEval: false,
  prepare: (predicates) => {
    const tests = byName(predicates, (where) => compilePred(where, 0));
    return {
      factsOf: () => noFacts,
      match: (event) => holding(tests.get(event.name), (test) => test({ root: event.properties, event })),
    };
  },
};

const holding = <Test>(tests: Numbered<Test | null> = [], holds: (test: Test) => boolean): readonly number[] => {
  const matched: number[] = [];
  for (const [number, test] of tests) if (test === null || holds(test)) matched.push(number);
  return matched;
};

/** A peer that evaluates one predicate after the other. */
const peer = <Test>(
  name: string,
  dialect: Dialect<Json>,
  compile: (condition: Json) => Test,
  holds: (test: Test, facts: Facts) => boolean,
  needsEval = false,
): Subject => ({
  name,
  needsEval,
  prepare: (predicates) => {
    const table = new FactTable();
    const tests = byName(predicates, (where) => compile(translate(where, table, dialect)));
    return {
      factsOf: (event) => table.factsOf(event),
      match: ({ name: event }, facts) => holding(tests.get(event), (test) => holds(test, facts)),
    };
  },
});

const call = (test: (facts: Facts) => unknown, facts: Facts): boolean => test(facts) === true;

const compiledLogic = new LogicEngine();
const interpretedLogic = new LogicEngine();

const rulesEngine: Subject = {
  name: 'json-rules-engine',
  needsEval: false,
  prepare: (predicates) => {
    const table = new FactTable();
    const engines = new Map<string, RulesEngine>();
    const always = new Map<string, number[]>();
    predicates.forEach(({ event, where }, number) => {
      const engine = engines.get(event) ?? newRulesEngine();
      engines.set(event, engine);
      if (where === undefined) always.set(event, [...(always.get(event) ?? []), number]);
      else
        engine.addRule({
          conditions: { all: [translate(where, table, jsonRules)] } as unknown as TopLevelCondition,
          event: { type: String(number) },
        });
    });
    return {
      factsOf: (event) => table.factsOf(event),
      match: async ({ name }, facts) => {
        const result = await engines.get(name)?.run(facts);
        return [...(always.get(name) ?? []), ...(result?.events ?? []).map(({ type }) => Number(type))];
      },
    };
  },
};

const newRulesEngine = (): RulesEngine => {
  const engine = new RulesEngine([], { allowUndefinedFacts: true });
  engine.addOperator(
    'twoIn',
    (values: readonly string[], wanted: readonly string[]) =>
      values.filter((value) => wanted.includes(value)).length >= 2,
  );
  engine.addOperator(
    'labelled',
    (
      elements: readonly { label: string; score: number }[],
      { labels, score }: { labels: readonly string[]; score: number },
    ) => elements.some((element) => labels.includes(element.label) && element.score >= score),
  );
  return engine;
};

/** All that find matches in the same events, and are first held to find the same ones. */
export const subjects: readonly Subject[] = [
  engineIndex,
  engineDirect,
  peer(
    'json-logic-engine, compiled',
    jsonLogic,
    (condition) => compiledLogic.build(condition) as (facts: Facts) => unknown,
    call,
    true,
  ),
  peer(
    'json-logic-engine, interpreted',
    jsonLogic,
    (condition) => condition,
    (condition, facts) => interpretedLogic.run(condition, facts) === true,
  ),
  peer('sift', mongo, (condition) => sift(condition) as (facts: Facts) => boolean, call),
  peer(
    'mingo',
    mongo,
    (condition) => new Query(condition, {}),
    (query, facts) => query.test(facts),
  ),
  peer(
    '@growthbook/growthbook',
    mongo,
    (condition) => condition,
    (condition, facts) => evalCondition(facts as never, condition as never),
  ),
  rulesEngine,
];
