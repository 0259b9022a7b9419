import { canon } from '../../../src/engine/language/canonical';
import type {
  CanonicalExpr,
  CanonicalLeaf,
  CanonicalPred,
  CanonicalStep,
  EventExpr,
  OperandLeaf,
} from '../../../src/engine/language/canonicalLanguage';
import type { Cmp, Definition, Scalar } from '../../../src/engine/language/language';
import { h53 } from '../../../src/engine/language/murmur';
import { norm } from '../../../src/engine/language/text';
import { dayMs, hourMs } from '../../../src/primitives/duration';

/** Data that a server gives for the visitor. */
export interface VisitorData {
  readonly geo: Readonly<Record<string, unknown>>;
  readonly client: Readonly<Record<string, unknown>>;
  readonly classification: Readonly<Record<string, unknown>>;
  /** Segments by provider. */
  readonly thirdParty: Readonly<Record<string, readonly string[]>>;
  readonly secondParty: Readonly<Record<string, readonly string[]>>;
}

/** Something that a visitor does: an event of this name whose properties are these. */
export interface Act {
  /** How long before the end, in ms. */
  readonly agoMs: number;
  readonly name: string;
  /** Values by path. */
  readonly properties: Readonly<Record<string, unknown>>;
}

/** What a visitor does, and what servers know, so that a condition holds at the end. */
export interface Plan {
  readonly acts: readonly Act[];
  readonly data: Partial<VisitorData>;
}

/** What plans are made from. */
export interface PlanInput {
  readonly definitions: ReadonlyMap<string, Definition>;
  /** Weights of lookalike models by model and kind of data. */
  readonly weightsOf: (model: string, data: '1p' | '3p') => ReadonlyMap<string, number>;
  /** Words and addresses that may stand behind a hash. */
  readonly dictionary: readonly string[];
  /** A number from 0 to 1, 1 excluded: which of several ways is taken. */
  readonly random: () => number;
}

/** No visitor can make the condition true: it never holds, or this planner knows no way. */
export class NoWay extends Error {
  override readonly name = 'NoWay';
}

const nothing: Plan = { acts: [], data: {} };

/** Plans a visitor for whom the cohort's condition should hold. Throws `NoWay` where it cannot. */
export const planFor = (id: string, input: PlanInput): Plan => planner(input).cohort(id, []);

const planner = ({ definitions, weightsOf, dictionary, random }: PlanInput) => {
  const preimages = new Map(dictionary.map((word) => [h53(norm(word), 0), norm(word)]));
  const shuffled = <A>(list: readonly A[]): readonly A[] =>
    [...list]
      .map((item) => [random(), item] as const)
      .sort(([a], [b]) => a - b)
      .map(([, item]) => item);
  const oneOf = <A>(list: readonly A[]): A => shuffled(list)[0]!;

  const cohort = (id: string, path: readonly string[]): Plan => {
    const definition = definitions.get(id);
    if (definition === undefined || path.includes(id)) throw new NoWay(`no way into cohort ${id}`);
    const { q, sub } = canon(definition);
    return plan(q, sub, [...path, id]);
  };

  /** The first of these ways that there is, in any order. */
  const anyWay = (ways: readonly (() => Plan)[]): Plan => {
    for (const way of shuffled(ways)) {
      try {
        return way();
      } catch (error) {
        if (!(error instanceof NoWay)) throw error;
      }
    }
    throw new NoWay('none of the ways');
  };

  const plan = (node: CanonicalExpr, sub: readonly CanonicalExpr[], path: readonly string[]): Plan => {
    const all = (nodes: readonly CanonicalExpr[]): Plan => merged(nodes.map((child) => plan(child, sub, path)));
    if ('const' in node) {
      if (!node.const) throw new NoWay('a constant false');
      return nothing;
    }
    if ('and' in node) return all(node.and);
    if ('or' in node) return anyWay(node.or.map((child) => () => plan(child, sub, path)));
    // What is not done does not hold. Where a visitor must do something to make it false, the engine's verdict tells.
    if ('not' in node) return nothing;
    if ('match' in node) {
      const plans: Plan[] = [];
      for (const child of shuffled(node.match)) {
        if (plans.length === node.min) break;
        plans.push(...optional(() => plan(child, sub, path)));
      }
      if (plans.length < node.min) throw new NoWay('too few ways');
      return merged(plans);
    }
    if ('sub' in node) return plan(sub[node.sub - 1]!, sub, path);
    if ('cohort' in node) return cohort(node.cohort, path);
    if ('entered' in node) return cohort(node.entered, path);
    if ('exited' in node) return earlier(cohort(node.exited, path), longestMs(definitions.get(node.exited)) + dayMs);
    if ('event' in node) return counted(node);
    if ('sequence' in node)
      return {
        acts: node.sequence.map((step, i) => act(step, (node.sequence.length - i) * 60_000)),
        data: {},
      };
    if ('last' in node) return { acts: [act(node.last, 0, {}, node.is)], data: {} };
    if ('first' in node) return { acts: [act(node.first, 300 * dayMs, {}, node.is)], data: {} };
    if ('lookup' in node) return { acts: [], data: { [node.lookup]: nested(valuesFor(node.where)) } };
    if ('thirdParty' in node || 'secondParty' in node) {
      const name = 'thirdParty' in node ? 'thirdParty' : 'secondParty';
      const test = 'thirdParty' in node ? node.thirdParty : node.secondParty;
      return {
        acts: [],
        data: {
          [name]: {
            [test.provider]: shuffled(test.in)
              .slice(0, test.min ?? 1)
              .map(String),
          },
        },
      };
    }
    const { model, data = '1p' } = node.lookalike;
    const helpful = [...weightsOf(model, data)].filter(([name, weight]) => name !== 'const' && weight > 0);
    if (helpful.length === 0) throw new NoWay(`no ${data} model ${model}`);
    if (data === '1p') return merged(helpful.flatMap(([id]) => optional(() => cohort(id, path))));
    return merged(
      helpful.map(([feature]) => {
        const [provider = '', segment = ''] = feature.split(':');
        return { acts: [], data: { thirdParty: { [provider]: [segment] } } };
      }),
    );
  };

  const optional = (way: () => Plan): readonly Plan[] => {
    try {
      return [way()];
    } catch (error) {
      if (error instanceof NoWay) return [];
      throw error;
    }
  };

  const counted = ({ is, within, sum, distinct, ...step }: EventExpr): Plan => {
    const need = leastOf(is);
    if (sum !== undefined) return { acts: [act(step, 0, { [sum]: need })], data: {} };
    const gap = distinct === '$day' ? dayMs : typeof within === 'string' ? 1000 : hourMs;
    return { acts: Array.from({ length: need }, (_, i) => act(step, i * gap)), data: {} };
  };

  const act = (
    { event, where }: CanonicalStep,
    agoMs: number,
    more: Act['properties'] = {},
    is?: CanonicalPred,
  ): Act => {
    const { $hour, ...properties } = { ...(where && valuesFor(where)), ...(is && valuesFor(is)), ...more };
    return {
      // Repetitions at one hour of the day are on different days, of which the last one ends at noon.
      agoMs: typeof $hour === 'number' ? (agoMs / hourMs) * dayMs + (12 - $hour) * hourMs : agoMs,
      name: oneOf(event),
      properties,
    };
  };

  /** Values by path, so that the predicate holds. */
  const valuesFor = (pred: CanonicalPred): Readonly<Record<string, unknown>> => {
    if ('and' in pred) return pred.and.map(valuesFor).reduce(joined, {});
    if ('or' in pred) return valuesFor(oneOf(pred.or));
    if ('not' in pred) return {};
    if ('match' in pred) return shuffled(pred.match).slice(0, pred.min).map(valuesFor).reduce(joined, {});
    return { [pred.p]: valueFor(pred) };
  };

  const valueFor = (leaf: CanonicalLeaf): unknown => {
    const some = (operands: readonly Scalar[]): readonly Scalar[] => {
      const texts = leaf.hashed ? operands.flatMap((hash) => preimages.get(Number(hash)) ?? []) : operands;
      const chosen = shuffled(texts).slice(0, leaf.min ?? 1);
      if (chosen.length < (leaf.min ?? 1)) throw new NoWay(`nobody knows the words behind ${leaf.p}`);
      return chosen;
    };
    if ('exists' in leaf) return leaf.exists ? 'some value' : undefined;
    if ('is' in leaf) return leaf.is;
    if ('size' in leaf) return Array.from({ length: leastOf(leaf.size) }, (_, i) => `word ${i}`);
    if ('any' in leaf) return [nested(valuesFor(leaf.any))];
    if ('gte' in leaf || 'gt' in leaf || 'between' in leaf) return leastOf(leaf);
    if ('after' in leaf) return new Date(Date.parse(leaf.after ?? '') + dayMs).toISOString();
    const operandLeaf = leaf as OperandLeaf;
    if (operandLeaf.in) return leaf.p === 'client.url' ? some(operandLeaf.in)[0] : some(operandLeaf.in);
    if (operandLeaf.nin) return `not ${operandLeaf.nin[0]}`;
    if (operandLeaf.words) return `About ${some(operandLeaf.words).join(' and ')} today`;
    if (operandLeaf.under) return some(operandLeaf.under).map((path) => `${path}/part`);
    if (operandLeaf.urlPath) return new AddressPart(some(operandLeaf.urlPath).join('/'), []);
    if (operandLeaf.contains) {
      const parts = some(operandLeaf.contains).map(String);
      return leaf.p === 'client.url' ? new AddressPart('', parts) : parts.join(' ');
    }
    if (operandLeaf.startsWith) return `${oneOf(operandLeaf.startsWith)} and more`;
    if (operandLeaf.endsWith) return `https://papers.example/document${oneOf(operandLeaf.endsWith)}`;
    if (operandLeaf.domain) return `https://www.${some(operandLeaf.domain)[0]}/offer`;
    throw new NoWay(`no value for ${JSON.stringify(leaf)}`);
  };

  return { cohort };
};

/** A part of the address of a page: two tests of one address are met by one address. */
export class AddressPart {
  constructor(
    readonly path: string,
    readonly query: readonly string[],
  ) {}

  and(other: AddressPart): AddressPart {
    return new AddressPart([this.path, other.path].filter(Boolean).join('/'), [...this.query, ...other.query]);
  }

  /** The address on the site. */
  on(origin: string): string {
    return `${origin}/${this.path || 'news'}/an-article${this.query.length > 0 ? `?${this.query.join('&')}` : ''}`;
  }
}

const joined = (
  left: Readonly<Record<string, unknown>>,
  right: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => ({
  ...left,
  ...Object.fromEntries(
    Object.entries(right).map(([path, value]) => {
      const before = left[path];
      return [path, before instanceof AddressPart && value instanceof AddressPart ? before.and(value) : value];
    }),
  ),
});

/** The smallest number that satisfies a comparison; zero where doing nothing does. */
const leastOf = (is: Cmp): number => {
  if ('gte' in is) return is.gte;
  if ('gt' in is) return is.gt + 1;
  if ('eq' in is) return is.eq;
  return 'between' in is ? is.between[0] : 0;
};

const earlier = ({ acts, data }: Plan, ms: number): Plan => ({
  acts: acts.map((act) => ({ ...act, agoMs: act.agoMs + ms })),
  data,
});

/** The longest window in a definition, in ms; 0 where it has none. */
const longestMs = (definition: Definition | undefined): number => {
  const windows = JSON.stringify(definition ? canon(definition) : {}).matchAll(/"within":(\d+)/g);
  return Math.max(0, ...[...windows].map(([, ms]) => Number(ms)));
};

const merged = (plans: readonly Plan[]): Plan => ({
  acts: plans.flatMap(({ acts }) => acts),
  data: plans.reduce<Plan['data']>((all, { data }) => joinedData(all, data), {}),
});

/** Both visitors' data in one: lists of the same provider join. */
const joinedData = (left: Plan['data'], right: Plan['data']): Plan['data'] => {
  const names = Object.keys({ ...left, ...right }) as (keyof VisitorData)[];
  return Object.fromEntries(
    names.map((name) => {
      const [a, b] = [left[name] ?? {}, right[name] ?? {}] as readonly Readonly<Record<string, unknown>>[];
      const both = Object.keys({ ...a, ...b }).map((key) => {
        const [x, y] = [a?.[key], b?.[key]];
        return [key, isList(x) && isList(y) ? [...new Set([...x, ...y])] : (y ?? x)];
      });
      return [name, Object.fromEntries(both)];
    }),
  );
};

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** An object with these values at these paths. */
export const nested = (values: Readonly<Record<string, unknown>>, base: object = {}): Record<string, unknown> => {
  const result = structuredClone(base) as Record<string, unknown>;
  for (const [path, value] of Object.entries(values)) {
    const names = path.split('.');
    const last = names.pop()!;
    const parent = names.reduce<Record<string, unknown>>((at, name) => {
      at[name] = typeof at[name] === 'object' && at[name] !== null ? at[name] : {};
      return at[name] as Record<string, unknown>;
    }, result);
    parent[last] = value;
  }
  return result;
};
