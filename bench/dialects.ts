import type { Dialect } from './predicates';

export type Json = Readonly<Record<string, unknown>>;

/** MongoDB's query language, as sift, mingo and GrowthBook's conditions speak it. */
export const mongo: Dialect<Json> = {
  and: ($and) => ({ $and }),
  or: ($or) => ({ $or }),
  anyIn: (fact, $in) => ({ [fact]: { $in } }),
  // One of them, and one of those behind it.
  twoIn: (fact, operands) => ({
    $or: operands
      .slice(0, -1)
      .map((operand, i) => ({ $and: [{ [fact]: { $in: [operand] } }, { [fact]: { $in: operands.slice(i + 1) } }] })),
  }),
  labelled: (fact, labels, score) => ({ [fact]: { $elemMatch: { label: { $in: labels }, score: { $gte: score } } } }),
  atLeast: (fact, $gte) => ({ [fact]: { $gte } }),
};

export const jsonLogic: Dialect<Json> = {
  and: (and) => ({ and }),
  or: (or) => ({ or }),
  anyIn: (fact, operands) => ({ some: [{ var: fact }, { in: [{ var: '' }, operands] }] }),
  twoIn: (fact, operands) => ({ '>=': [{ length: { filter: [{ var: fact }, { in: [{ var: '' }, operands] }] } }, 2] }),
  labelled: (fact, labels, score) => ({
    some: [{ var: fact }, { and: [{ in: [{ var: 'label' }, labels] }, { '>=': [{ var: 'score' }, score] }] }],
  }),
  atLeast: (fact, number) => ({ '>=': [{ var: fact }, number] }),
};

/** Conditions of json-rules-engine; `someFact:in` is its own, the two others are operators added to it. */
export const jsonRules: Dialect<Json> = {
  and: (all) => ({ all }),
  or: (any) => ({ any }),
  anyIn: (fact, value) => ({ fact, operator: 'someFact:in', value }),
  twoIn: (fact, value) => ({ fact, operator: 'twoIn', value }),
  labelled: (fact, labels, score) => ({ fact, operator: 'labelled', value: { labels, score } }),
  atLeast: (fact, value) => ({ fact, operator: 'greaterThanInclusive', value }),
};
