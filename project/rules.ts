import {
  type Codec,
  type DecodeError,
  list,
  type ObjectOf,
  readAs,
  type Shape,
  shape,
  type TypeOf,
  value,
} from '../src/codecs/codecs';
import type { Cmp, Definition, Expr, Id, Leaf, Pred, Scalar } from '../src/engine/language/language';
import { DefinitionCodec } from '../src/engine/language/languageCodec';
import { choose, closed } from '../src/engine/language/taggedCodecs';

const eventNames = [
  'Pageview',
  'PageviewComplete',
  'SlotClicked',
  'SlotViewable',
  'LinkClick',
  'ProductBuyClick',
  'LoginStatus',
  'PrebidBid',
] as const;

const integer = (min: number, max = Number.MAX_SAFE_INTEGER): Codec<number> =>
  value(
    `an integer from ${min} to ${max}`,
    (input) => Number.isInteger(input) && (input as number) >= min && (input as number) <= max,
  );
const Name = value<string>('a string that is not empty', (input) => typeof input === 'string' && input !== '');
const Signal = value<Scalar>(
  'a string or a finite number',
  (input) => typeof input === 'string' || Number.isFinite(input),
);
const Signals = list(Signal, 1, 20_000);
type Signals = TypeOf<typeof Signals>;
const Ids = list(Name, 1, 500);
const Share = value<number>('a number from 0 to 1', (input) => typeof input === 'number' && input >= 0 && input <= 1);
const Positive = value<number>(
  'a number above 0',
  (input) => typeof input === 'number' && input > 0 && input < Infinity,
);
/** The codec of a kind of rule. The number itself is known, because each kind is checked by its own shape. */
const kind = <T extends number>(): Codec<T> => Kind as Codec<T>;
const Kind: Codec<number> = integer(1, 8);
const Hashed = value('1', (input) => input === 1);
const Activations = value<NonNullable<Definition['activations']>>(
  'activations',
  (input) => typeof input === 'object' && input !== null,
);

/** What all entries may have. */
const common = {
  /** Countries that the visitor must be in. */
  geo: Signals,
  a: Activations,
};
/** At least `n` events (or seconds), at most `x`, in `w` ms. */
const counted = { n: Positive, x: Positive, w: integer(1) };
type Counted = ObjectOf<unknown, typeof counted>;
/** Keywords, phrases in title or description, sections, taxonomy paths, path fragments, ids, labels. */
const lists = { kw: Signals, txt: Signals, cat: Signals, tax: Signals, url: Signals, ids: Signals, cls: Signals };
const listNames = Object.keys(lists) as readonly (keyof typeof lists)[];
/** Lists of signals, any of which makes an event match. */
const signals = {
  ...lists,
  /** Where the signals are looked for, in place of the usual paths: with one list only. */
  p: list(Name, 1, 20),
  /** The signals are hashes, the longest made of `g` words or segments. */
  h: Hashed,
  g: integer(1, 8),
  /** How many different signals have to be met at once. */
  m: integer(1),
  /** The least score of a label. */
  s: Share,
};
type SignalLists = ObjectOf<unknown, typeof signals>;
const cohorts = {
  any: Ids,
  all: Ids,
  not: Ids,
  /** How many of `any`. */
  m: integer(1),
};
type CohortLists = ObjectOf<unknown, typeof cohorts>;

const checkHashes: Shape['check'] = (entry) =>
  entry['h'] === 1 &&
  listNames.some((name) => (entry[name] as Signals | undefined)?.every(Number.isSafeInteger) === false)
    ? 'integers as hashed signals'
    : null;

/** Checks of an entry with signals that the types of its fields cannot express. */
const checkSignals: Shape['check'] = (entry) => {
  const given = listNames.filter((name) => entry[name] !== undefined);
  if (entry['p'] !== undefined && given.length !== 1) return 'one list of signals beside p';
  if (entry['s'] !== undefined && entry['cls'] === undefined) return 'cls beside s';
  if (entry['m'] !== undefined && given.length === 0) return 'a list of signals beside m';
  return checkHashes(entry);
};
const checkCohorts: Shape['check'] = ({ any, all, not, m }) => {
  if (any === undefined && all === undefined && not === undefined) return 'any, all or not';
  return m !== undefined && any === undefined ? 'any beside m' : null;
};

const eventFields = {
  e: list(integer(1, eventNames.length), 1, eventNames.length),
  ...signals,
  ...counted,
  ...common,
};
/** The shape of each kind of entry, by its `t`. */
const shapes = {
  1: shape({ t: kind<1>() }, eventFields, checkSignals),
  2: shape({ t: kind<2>() }, eventFields, checkSignals),
  3: shape({ t: kind<3>(), pr: Name, ids: Signals }, { m: integer(1), h: Hashed, ...common }, checkHashes),
  4: shape({ t: kind<4>(), id: Name, s: Share }, common),
  5: shape({ t: kind<5>() }, { ...cohorts, ...common }, checkCohorts),
  6: shape({ t: kind<6>() }, { ...cohorts, ...counted, ...common }, checkCohorts),
  7: shape({ t: kind<7>() }, { ...signals, ...counted, ...common }, checkSignals),
  8: shape({ t: kind<8>() }, { w: integer(1), ...common }),
};
type Shapes = typeof shapes;
/** One line of a rule table, in the short form in which publishers ship many of them. `t` says which kind it is. */
export type Entry = { readonly [T in keyof Shapes]: TypeOf<Shapes[T]> }[keyof Shapes];

const codecs = new Map(
  Object.entries<Shape<Entry>>(shapes).map(([t, fields]) => [Number(t), closed('an entry', fields)]),
);
const NoKind = value<Entry>('an entry with t from 1 to 8', () => false);

const kindOf = (input: unknown): unknown =>
  typeof input === 'object' && input !== null && 't' in input ? input.t : undefined;

/** An entry of any kind; a field that its kind does not have is an error. */
export const EntryCodec = choose<Entry>((input) => codecs.get(Number(kindOf(input))) ?? NoKind);

/** Writes an entry in the query language. */
export const expandRule = (id: Id, entry: Entry): Definition => {
  const q =
    entry.geo === undefined
      ? conditionOf(entry)
      : { and: [conditionOf(entry), { lookup: 'geo' as const, where: { p: 'country', in: entry.geo } }] };
  return { id, q, ...(entry.a && { activations: entry.a }) };
};

/** The entries of a table that are definitions, and what was wrong with the others. */
export interface ExpandedTable {
  readonly definitions: readonly Definition[];
  readonly errors: readonly { readonly id: Id; readonly error: DecodeError }[];
}

/** Expands a table of entries by id. A broken entry costs itself only. */
export const expandTable = (table: Readonly<Record<Id, unknown>>): ExpandedTable => {
  const definitions: Definition[] = [];
  const errors: { id: Id; error: DecodeError }[] = [];
  for (const [id, entry] of Object.entries(table)) {
    const result = definitionOf(id, entry);
    if (result instanceof Error) errors.push({ id, error: result });
    else definitions.push(result);
  }
  return { definitions, errors };
};

const definitionOf = (id: Id, input: unknown): Definition | DecodeError => {
  const entry = readAs(EntryCodec, input);
  return entry instanceof Error ? entry : readAs(DefinitionCodec, expandRule(id, entry));
};

const conditionOf = (entry: Entry): Expr => {
  switch (entry.t) {
    case 1:
    case 2:
      return {
        event: [...new Set(entry.e ?? [1])].map((number) => eventNames[number - 1] ?? ''),
        ...whereOf(entry, entry.t === 1 ? contentPaths : adPaths),
        ...countOf(entry),
      };
    case 3:
      return {
        thirdParty: {
          provider: entry.pr,
          in: entry.ids,
          ...only({ min: entry.m, hashed: entry.h === 1 || undefined }),
        },
      };
    case 4:
      return { lookalike: { model: entry.id, gte: entry.s } };
    case 5:
      return combine(entry, (cohort) => ({ cohort }));
    case 6:
      return combine(entry, (entered) => ({ entered, ...countOf(entry) }));
    case 7:
      return { event: 'PageviewEngagement', sum: 'engaged_time', ...whereOf(entry, contentPaths), ...countOf(entry) };
    case 8:
      return { last: { event: 'LoginStatus' }, is: { p: 'logged_in', is: true }, ...only({ within: entry.w }) };
  }
};

/** The fields of an object that are not undefined. */
const only = <Fields extends object>(fields: Fields): { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> } =>
  Object.fromEntries(Object.entries(fields).filter(([, field]) => field !== undefined)) as {
    [Key in keyof Fields]?: Exclude<Fields[Key], undefined>;
  };

const countOf = ({ n, x, w }: Counted): { readonly is?: Cmp; readonly within?: number } =>
  // Without a least number, an upper limit still requires that there was one event.
  only({
    is: x !== undefined ? { between: [n ?? 1, x] as const } : n !== undefined ? { gte: n } : undefined,
    within: w,
  });

const combine = ({ any, all = [], not = [], m }: CohortLists, test: (id: Id) => Expr): Expr => {
  const some: readonly Expr[] = any === undefined ? [] : [{ match: any.map(test), ...only({ min: m }) }];
  const parts = [...some, ...all.map(test), ...not.map((id) => ({ not: test(id) }))];
  const [first] = parts;
  return parts.length === 1 && first !== undefined ? first : { and: parts };
};

type ListPaths = Readonly<Record<keyof typeof lists, readonly string[]>>;
const contentPaths: ListPaths = {
  kw: ['article.keywords'],
  txt: ['article.title', 'article.description'],
  cat: ['article.section'],
  tax: ['article.taxonomy', 'classifications.taxonomy_labels'],
  url: ['client.url'],
  // The ids of content are hashes of its address.
  ids: ['client.url'],
  cls: ['classifications.categories'],
};
const adPaths: ListPaths = {
  ...contentPaths,
  ids: ['campaign_id', 'advertiser_id', 'line_item_id', 'advertiser_name'],
};
const operators = { kw: 'in', txt: 'words', cat: 'in', tax: 'under', url: 'urlPath', ids: 'in' } as const;

const whereOf = (entry: SignalLists, usualPaths: ListPaths): { readonly where?: Pred } => {
  const leaves = listNames.flatMap((name) =>
    entry[name] === undefined ? [] : (entry.p ?? usualPaths[name]).map((path) => leafOf(name, path, entry)),
  );
  const [first] = leaves;
  return only({ where: leaves.length > 1 ? { or: leaves } : first });
};

const leafOf = (name: keyof typeof lists, p: string, entry: SignalLists): Leaf => {
  const options = only({ hashed: entry.h === 1 || undefined, grams: entry.g });
  const min = only({ min: entry.m });
  if (name !== 'cls') return { p, [operators[name]]: entry[name], ...options, ...min };
  const label: Leaf = { p: 'label', in: entry.cls ?? [], ...options };
  // Label and score in the same element of the list.
  return { p, any: entry.s === undefined ? label : { and: [label, { p: 'score', gte: entry.s }] }, ...min };
};
