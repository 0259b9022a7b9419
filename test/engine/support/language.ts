import * as fc from 'fast-check';

import type { EngineEvent } from '../../../src/engine/engineEvent';
import type { Definition, Expr, Leaf, Pred, Scalar, Step, Window } from '../../../src/engine/language/language';
import { comparison, edgeTime } from './cells';
import { event } from './run';

// A small world, so that random queries and random events often meet: a few words, a few paths, a few names.

const word = fc.constantFrom('red', 'Blue', 'green', 'art', 'party');
const phrase = fc.array(word, { minLength: 1, maxLength: 3 });
const scalar: fc.Arbitrary<Scalar> = fc.oneof(
  { weight: 4, arbitrary: word },
  { weight: 1, arbitrary: fc.constantFrom(1, 2, '1') },
);
const name = fc.constantFrom('A', 'B', 'C');
const hits = fc.record({ min: fc.constantFrom(1, 2), max: fc.constantFrom(1, 2, 3) }, { requiredKeys: [] });
const operands = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> =>
  fc.array(value, { minLength: 1, maxLength: 3 });
const path = fc.constantFrom('kw', 'text', 'n', 'list.label', 'flag', 'missing', 'constructor');

export const url = fc
  .tuple(
    fc.constantFrom('https://a.red.example', 'http://red.example:8080', ''),
    fc.array(
      word.map((each) => each.toLowerCase()),
      { maxLength: 3 },
    ),
    fc.constantFrom('', '?q=art/red', '#blue'),
  )
  .map(([host, parts, end]) => `${host}/${parts.join('/')}${end}`);

const leaf: fc.Arbitrary<Leaf> = fc.oneof(
  fc.record({ p: path, in: operands(scalar) }).chain((node) => hits.map((limits) => ({ ...node, ...limits }))),
  fc.record({ p: path, nin: operands(scalar) }),
  fc
    .record({ p: fc.constant('text'), words: operands(phrase.map((each) => each.join(' '))) })
    .chain((node) => hits.map((limits) => ({ ...node, ...limits }))),
  fc
    .record({ p: fc.constant('text'), contains: operands(fc.constantFrom('art', 'par', 'rty', 'red b', 'lu', 'e')) })
    .chain((node) => hits.map((limits) => ({ ...node, ...limits }))),
  fc.record({ p: fc.constant('url'), urlPath: operands(phrase.map((each) => each.join('/').toLowerCase())) }),
  fc.record({
    p: fc.constant('url'),
    domain: operands(fc.constantFrom('red.example', 'example', 'a.red.example', 'd.example')),
  }),
  fc.record({ p: fc.constant('tax'), under: operands(phrase.map((each) => each.join('/'))) }),
  fc.record({ p: path, startsWith: operands(fc.constantFrom('r', 'b', 'p')) }),
  fc.record({ p: path, endsWith: operands(fc.constantFrom('d', 'e', 'y')) }),
  fc.record({ p: path, eq: scalar }),
  fc.record({ p: path, neq: scalar }),
  fc.record({ p: fc.constantFrom('n', 'list.score', 'kw'), gte: fc.constantFrom(1, 2) }),
  fc.record({ p: fc.constantFrom('n', 'list.score'), between: fc.constant([1, 2] as [number, number]) }),
  fc.record({ p: fc.constantFrom('n', '$time'), lt: fc.constantFrom(1, 1_700_000_000_500) }),
  fc.record({ p: path, exists: fc.boolean() }),
  fc.record({ p: fc.constant('flag'), is: fc.boolean() }),
  fc.record({ p: fc.constantFrom('kw', 'list'), size: comparison }),
  fc.record({ p: fc.constant('$time'), after: fc.constant('2023-11-14T22:13:20.500Z') }),
  fc.record({ p: fc.constantFrom('$name', '$view_id'), in: operands(fc.constantFrom('a', 'B', 'v1', 'v2')) }),
);

export const pred: fc.Arbitrary<Pred> = fc.letrec<{ pred: Pred; leaf: Pred }>((tie) => ({
  leaf,
  pred: fc.oneof(
    { maxDepth: 2, depthIdentifier: 'pred' },
    { weight: 6, arbitrary: tie('leaf') },
    { weight: 1, arbitrary: fc.array(tie('pred'), { minLength: 1, maxLength: 3 }).map((and) => ({ and })) },
    { weight: 1, arbitrary: fc.array(tie('pred'), { minLength: 1, maxLength: 3 }).map((or) => ({ or })) },
    { weight: 1, arbitrary: tie('pred').map((not) => ({ not })) },
    {
      weight: 2,
      arbitrary: fc.record(
        {
          match: fc.array(tie('pred'), { minLength: 2, maxLength: 4 }),
          min: fc.constantFrom(0, 1, 2, 3),
          max: fc.constantFrom(2, 3, 4),
        },
        { requiredKeys: ['match'] },
      ),
    },
    {
      weight: 1,
      arbitrary: fc.record(
        { p: fc.constant('list'), any: tie('pred'), min: fc.constantFrom(0, 1, 2), max: fc.constantFrom(1, 2) },
        { requiredKeys: ['p', 'any'] },
      ),
    },
    { weight: 1, arbitrary: fc.record({ p: fc.constant('list'), all: tie('pred') }) },
    { weight: 1, arbitrary: fc.record({ p: fc.constant('list'), none: tie('pred') }) },
  ),
})).pred;

const element = fc.record(
  { label: word, score: fc.constantFrom(1, 2, 3), kw: word, n: fc.constantFrom(1, 2) },
  { requiredKeys: ['label'] },
);

/** Properties in which the predicates above find something. */
export const properties = fc.record(
  {
    kw: fc.oneof(fc.array(scalar, { maxLength: 3 }), word, fc.constant(null)),
    text: fc.array(word, { maxLength: 5 }).map((each) => each.join(' ')),
    url,
    tax: fc.array(
      phrase.map((each) => each.join(' / ')),
      { maxLength: 2 },
    ),
    n: fc.constantFrom(0, 1, 2, -1, '2', 1.5),
    flag: fc.constantFrom(true, false, 'red'),
    list: fc.array(fc.oneof({ weight: 5, arbitrary: element }, { weight: 1, arbitrary: fc.constant('red') }), {
      maxLength: 3,
    }),
  },
  { requiredKeys: [] },
);

const duration = fc.constantFrom<Window>(1000, { seconds: 1 }, 250);
const buckets = fc.constantFrom(1, 3, 10, undefined);
const step: fc.Arbitrary<Step> = fc.record(
  { event: fc.oneof(name, fc.constant(['A', 'B'])), where: pred },
  { requiredKeys: ['event'] },
);
const optional = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | undefined> =>
  fc.option(value, { nil: undefined });

/** Drops what is undefined, as JSON would. */
const plain = <Node extends object>(node: Node): Node => JSON.parse(JSON.stringify(node)) as Node;

const counted = fc.record({ is: optional(comparison), within: optional(duration), buckets });
const scopedCount = fc.record({
  is: optional(comparison),
  within: fc.constantFrom('session' as const, 'view' as const),
});

const atoms = (features: Features): fc.Arbitrary<Expr>[] => {
  const event = fc.tuple(step, counted);
  const others = fc.integer({ min: 1, max: Math.max(1, features.earlier) });
  return [
    event.map(([what, how]) => plain({ ...what, ...how }) as Expr),
    event.map(([what, how]) => plain({ ...what, ...how, sum: 'n' }) as Expr),
    fc
      .tuple(event, fc.constantFrom('kw', 'n', '$view_id', 'flag'))
      .map(([[what, how], distinct]) => plain({ ...what, ...how, distinct }) as Expr),
    fc.record({ last: step, is: pred, within: optional(duration) }).map((node) => plain(node) as Expr),
    fc.record({ first: step, is: pred, within: optional(duration) }).map((node) => plain(node) as Expr),
    ...(features.scopes ? [fc.tuple(step, scopedCount).map(([what, how]) => plain({ ...what, ...how }) as Expr)] : []),
    ...(features.sequences
      ? [
          fc
            .tuple(fc.array(step, { minLength: 2, maxLength: 3 }), optional(fc.constantFrom(100, 333, 1000)), counted)
            .map(([sequence, span, how]) => plain({ sequence, span, ...how }) as Expr),
        ]
      : []),
    ...(features.earlier > 0 ? [others.map((id) => ({ cohort: String(id) }))] : []),
    ...(features.earlier > 0 && features.transitions
      ? [
          fc
            .tuple(others, counted, fc.boolean())
            .map(
              ([id, how, entry]) =>
                plain({ ...(entry ? { entered: String(id) } : { exited: String(id) }), ...how }) as Expr,
            ),
        ]
      : []),
    ...(features.lookups
      ? [
          fc.constantFrom<Expr>(
            { lookup: 'geo', where: { p: 'country', in: ['fr'] } },
            { lookup: 'geo', where: { p: 'country', in: ['us'] } },
          ),
        ]
      : []),
  ];
};

/** What random queries may contain. */
export interface Features {
  /** How many queries with smaller ids may be referred to. */
  readonly earlier: number;
  readonly sequences: boolean;
  readonly transitions: boolean;
  readonly scopes: boolean;
  readonly lookups: boolean;
}

const everything: Features = { earlier: 0, sequences: true, transitions: true, scopes: true, lookups: true };

export const expr = (features: Features): fc.Arbitrary<Expr> =>
  fc.letrec<{ expr: Expr; atom: Expr }>((tie) => ({
    atom: fc.oneof(...atoms(features)),
    expr: fc.oneof(
      { maxDepth: 2, depthIdentifier: 'expr' },
      { weight: 5, arbitrary: tie('atom') },
      { weight: 1, arbitrary: fc.array(tie('expr'), { minLength: 1, maxLength: 3 }).map((and) => ({ and })) },
      { weight: 1, arbitrary: fc.array(tie('expr'), { minLength: 1, maxLength: 3 }).map((or) => ({ or })) },
      { weight: 1, arbitrary: tie('expr').map((not) => ({ not })) },
      {
        weight: 1,
        arbitrary: fc.record(
          {
            match: fc.array(tie('expr'), { minLength: 2, maxLength: 3 }),
            min: fc.constantFrom(0, 1, 2),
            max: fc.constantFrom(1, 2, 3),
          },
          { requiredKeys: ['match'] },
        ),
      },
      { weight: 1, arbitrary: fc.constantFrom<Expr>({ sub: 1 }, { const: true }) },
    ),
  })).expr;

/** A few queries, each of which may refer to those before it; all have one subquery. */
export const queries = (changes: Partial<Features> = {}): fc.Arbitrary<Definition[]> => {
  const features = { ...everything, ...changes };
  const one = (i: number): fc.Arbitrary<Definition> => {
    const own = { ...features, earlier: changes.earlier === 0 ? 0 : i };
    const sub = fc.oneof(...atoms(own));
    return fc.record({
      id: fc.constant(String(i + 1)),
      q: expr(own),
      sub: fc.array(sub, { minLength: 1, maxLength: 1 }),
    });
  };
  return fc.tuple(one(0), one(1), one(2)).map((definitions) => [...definitions]);
};

/** Events in the order of time, many of them at the edges of buckets; views follow one another. */
export const history = (maxLength = 8): fc.Arbitrary<EngineEvent[]> =>
  fc
    .array(fc.tuple(name, fc.oneof(edgeTime(100), edgeTime(333), edgeTime(10)), properties, fc.boolean()), {
      maxLength,
    })
    .map((events) => {
      let view = 1;
      return [...events]
        .sort((a, b) => a[1] - b[1])
        .map(([type, time, values, isNewView]) =>
          event(type, time, values, { view_id: `v${isNewView ? ++view : view}` }),
        );
    });
