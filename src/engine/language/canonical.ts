import { json } from '../../hardening/plainJson';
import { dayMs, hourMs, minuteMs } from '../../primitives/duration';
import type { CanonicalExpr, CanonicalQuery, PublishedDefinition } from './canonicalLanguage';
import { checksumOf } from './checksums';
import { hostOf, operandTags, segmentsOf } from './extraction';
import type { Cmp, Definition, Expr, Leaf, Pred, ProviderTest, Scalar, Step, Window } from './language';
import { type Fold, foldText, wordsOf } from './text';

/** Ms of each unit in which definitions may give a duration. */
export const unitMs = { seconds: 1000, minutes: minuteMs, hours: hourMs, days: dayMs, weeks: 7 * dayMs } as const;

/**
 * Brings a definition into canonical form. Definitions that differ only in their name, in the order of what has no
 * order, or in short forms come out the same, so that no state is thrown away. Any change of meaning comes out
 * different. A second application to the result changes nothing.
 */
export const canon = ({ q, sub = [], canonical }: Definition): CanonicalQuery =>
  // The publisher promises by `canonical` that there is nothing to do, and rewriting costs as much as the rest of
  // compilation.
  canonical === true
    ? { q: q as CanonicalExpr, sub: sub as readonly CanonicalExpr[] }
    : { q: canonExpr(q), sub: sub.map(canonExpr) };

/**
 * A definition as the build ships it: canonical and with its checksum, so that no visitor's device has to compute them.
 * A checksum that is there already is kept.
 */
export const published = (definition: Definition): PublishedDefinition => {
  const meaning = canon(definition);
  return { ...definition, ...meaning, canonical: true, checksum: definition.checksum ?? checksumOf(meaning) };
};

const canonExpr = (node: Expr): CanonicalExpr => withSortedKeys(rewriteExpr(node)) as CanonicalExpr;

/**
 * The node with its children in canonical form and defaults written; `withSortedKeys` sorts the keys afterwards. A
 * sequence keeps the order of its steps, everything else that has no order is sorted.
 */
const rewriteExpr = (node: Expr): object => {
  if ('and' in node) return { and: sortNodes(node.and.map(canonExpr)) };
  if ('or' in node) return { or: sortNodes(node.or.map(canonExpr)) };
  if ('not' in node) return { not: canonExpr(node.not) };
  if ('match' in node) return { ...node, match: sortNodes(node.match.map(canonExpr)), min: node.min ?? 1 };
  if ('last' in node) return { last: canonStep(node.last), is: canonPred(node.is), within: canonWindow(node.within) };
  if ('first' in node)
    return { first: canonStep(node.first), is: canonPred(node.is), within: canonWindow(node.within) };
  if ('lookup' in node) return { lookup: node.lookup, where: canonPred(node.where) };
  if ('thirdParty' in node) return { thirdParty: canonProvider(node.thirdParty) };
  if ('secondParty' in node) return { secondParty: canonProvider(node.secondParty) };
  if ('lookalike' in node) return { lookalike: withSortedKeys(node.lookalike) };
  if ('event' in node) return { ...node, ...canonStep(node), ...canonCount(node) };
  if ('sequence' in node)
    return { ...node, sequence: node.sequence.map(canonStep), span: canonWindow(node.span), ...canonCount(node) };
  return 'entered' in node || 'exited' in node ? { ...node, ...canonCount(node) } : node;
};

/**
 * The comparison and window of a counting node: once or more often, over life time, in 100 buckets, if nothing else is
 * said. A session, a view and life time have no buckets.
 */
const canonCount = ({ is = { gte: 1 }, within, buckets = 100 }: Extract<Expr, { readonly is?: Cmp }>): object => {
  const window = canonWindow(within);
  return { is: withSortedKeys(is), within: window, buckets: typeof window === 'number' ? buckets : undefined };
};

const canonWindow = (window: Window | undefined): number | string | undefined => {
  if (typeof window !== 'object') return window;
  const [entry] = Object.entries(window) as [keyof typeof unitMs, number][];
  return entry === undefined ? undefined : unitMs[entry[0]] * entry[1];
};

/** Event names sorted and each once. */
const canonStep = ({ event, where }: Step): object =>
  withSortedKeys({
    event: [...new Set([event].flat())].sort(),
    where: where === undefined ? undefined : canonPred(where),
  });

const canonProvider = (test: ProviderTest): object =>
  withSortedKeys({
    ...test,
    in: canonOperands('in', test.in, test),
    min: test.min ?? 1,
    hashed: test.hashed === true ? true : undefined,
  });

const canonPred = (node: Pred): object => withSortedKeys(rewritePred(node));

const rewritePred = (node: Pred): object => {
  if ('and' in node) return junction('and', node.and);
  if ('or' in node) return junction('or', node.or);
  if ('not' in node) return { not: canonPred(node.not) };
  if ('match' in node) return { ...node, match: sortNodes(node.match.map(canonPred)), min: node.min ?? 1 };
  return rewriteLeaf(node);
};

/** A group of one predicate is that predicate. Conditions of cohorts keep such groups. */
const junction = (tag: 'and' | 'or', nodes: readonly Pred[]): object => {
  const children = sortNodes(nodes.map(canonPred));
  const [only] = children;
  return children.length === 1 && only !== undefined ? only : { [tag]: children };
};

/** `eq` and `neq` become lists of one operand, operands their canonical form, and defaults are left out. */
const rewriteLeaf = (leaf: Leaf): object => {
  const { eq, neq, ...node } = leaf as Record<string, unknown>;
  if (eq !== undefined) node['in'] = [eq];
  if (neq !== undefined) node['nin'] = [neq];
  for (const tag of operandTags)
    if (Object.hasOwn(node, tag)) node[tag] = canonOperands(tag, node[tag] as readonly Scalar[], leaf);
  for (const tag of ['any', 'all', 'none']) if (Object.hasOwn(node, tag)) node[tag] = canonPred(node[tag] as Pred);
  if (node['min'] === 1) delete node['min'];
  if (node['hashed'] === false) delete node['hashed'];
  if (node['fold'] === 'case') delete node['fold'];
  return node;
};

/** Folded, each once, numbers before strings. A number and its text are one operand, for they match the same values. */
const canonOperands = (
  tag: string,
  operands: readonly Scalar[],
  { hashed, fold = 'case' }: { readonly hashed?: boolean; readonly fold?: Fold },
): readonly Scalar[] => {
  const byText = new Map<string, Scalar>();
  for (const operand of operands) {
    const form = typeof operand === 'number' || hashed === true ? operand : operandForm(tag, operand, fold);
    const text = String(form);
    if (typeof form === 'number' || !byText.has(text)) byText.set(text, form);
  }
  return [...byText.values()].sort(byKindThenValue);
};

/** The form of an operand that equals the keys of the values it stands for. */
const operandForm = (tag: string, operand: string, fold: Fold): string => {
  const folded = foldText(operand, fold);
  switch (tag) {
    case 'words':
      return wordsOf(folded).join(' ');
    case 'under':
    case 'urlPath':
      return segmentsOf(folded).join('/');
    case 'domain':
      return hostOf(folded);
    default:
      return folded;
  }
};

/** Numbers by value, then texts by their characters. */
export const byKindThenValue = (a: Scalar, b: Scalar): number => {
  if (typeof a === 'number') return typeof b === 'number' ? a - b : -1;
  if (typeof b === 'number') return 1;
  return a < b ? -1 : a > b ? 1 : 0;
};

/** Sorts nodes by their JSON, which is the same for nodes of the same meaning once they are canonical. */
const sortNodes = <N>(nodes: readonly N[]): readonly N[] =>
  nodes
    .map((node) => ({ node, text: json.stringify(node) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ node }) => node);

/** Sorts the keys and leaves out what is undefined. */
const withSortedKeys = (node: object): object =>
  Object.fromEntries(
    Object.entries(node)
      .filter(([, value]) => value !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
