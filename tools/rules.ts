import type { Cmp, Definition, Expr, Id, Leaf, Pred, Scalar } from '../src/engine/language/language';
import { DefinitionCodec } from '../src/engine/language/languageCodec';
import { choose, closed } from '../src/engine/language/taggedCodecs';
import { type Codec, type DecodeError, list, readAs, type Shape, shape, value } from '../src/model/codecs';

type Signals = readonly Scalar[];

/** What all entries may have. */
interface Common {
  /** Countries that the visitor must be in. */
  readonly geo?: Signals;
  readonly a?: NonNullable<Definition['activations']>;
}

/** Lists of signals, any of which makes an event match. */
interface SignalLists {
  /** Keywords, phrases in title or description, sections, taxonomy paths, path fragments, ids, labels. */
  readonly kw?: Signals;
  readonly txt?: Signals;
  readonly cat?: Signals;
  readonly tax?: Signals;
  readonly url?: Signals;
  readonly ids?: Signals;
  readonly cls?: Signals;
  /** Where the signals are looked for, in place of the usual paths: with one list only. */
  readonly p?: readonly string[];
  /** The signals are hashes, the longest made of `g` words or segments. */
  readonly h?: 1;
  readonly g?: number;
  /** How many different signals have to be met at once. */
  readonly m?: number;
  /** The least score of a label. */
  readonly s?: number;
}

interface Counted {
  /** At least so many events (or seconds), at most so many, in so many ms. */
  readonly n?: number;
  readonly x?: number;
  readonly w?: number;
}

interface CohortLists {
  readonly any?: readonly Id[];
  readonly all?: readonly Id[];
  readonly not?: readonly Id[];
  /** How many of `any`. */
  readonly m?: number;
}

type EventEntry = { readonly t: 1 | 2; readonly e?: readonly number[] } & SignalLists & Counted & Common;
type ThirdPartyEntry = {
  readonly t: 3;
  readonly pr: string;
  readonly ids: Signals;
  readonly m?: number;
  readonly h?: 1;
} & Common;
type ModelEntry = { readonly t: 4; readonly id: string; readonly s: number } & Common;
type CombinationEntry = { readonly t: 5 } & CohortLists & Common;
type EnteredEntry = { readonly t: 6 } & CohortLists & Counted & Common;
type EngagedEntry = { readonly t: 7 } & SignalLists & Counted & Common;
type LoginEntry = { readonly t: 8; readonly w?: number } & Common;

/** One line of a rule table, in the short form in which publishers ship many of them. `t` says which kind it is. */
export type Entry =
  EventEntry | ThirdPartyEntry | ModelEntry | CombinationEntry | EnteredEntry | EngagedEntry | LoginEntry;

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
const Ids = list(Name, 1, 500);
const Share = value<number>('a number from 0 to 1', (input) => typeof input === 'number' && input >= 0 && input <= 1);
const Positive = value<number>(
  'a number above 0',
  (input) => typeof input === 'number' && input > 0 && input < Infinity,
);
const Kind = integer(1, 8);
const Hashed = value<1>('1', (input) => input === 1);
const Activations = value<object>('activations', (input) => typeof input === 'object' && input !== null);

const common = { geo: Signals, a: Activations };
const counted = { n: Positive, x: Positive, w: integer(1) };
const lists = { kw: Signals, txt: Signals, cat: Signals, tax: Signals, url: Signals, ids: Signals, cls: Signals };
const listNames = Object.keys(lists) as readonly (keyof typeof lists)[];
const signals = { ...lists, p: list(Name, 1, 20), h: Hashed, g: integer(1, 8), m: integer(1), s: Share };
const cohorts = { any: Ids, all: Ids, not: Ids, m: integer(1) };

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

const event = shape(
  { t: Kind },
  { e: list(integer(1, eventNames.length), 1, eventNames.length), ...signals, ...counted, ...common },
  checkSignals,
);
const kinds: readonly Codec<Entry>[] = [
  event,
  event,
  shape({ t: Kind, pr: Name, ids: Signals }, { m: integer(1), h: Hashed, ...common }, checkHashes),
  shape({ t: Kind, id: Name, s: Share }, common),
  shape({ t: Kind }, { ...cohorts, ...common }, checkCohorts),
  shape({ t: Kind }, { ...cohorts, ...counted, ...common }, checkCohorts),
  shape({ t: Kind }, { ...signals, ...counted, ...common }, checkSignals),
  shape({ t: Kind }, { w: integer(1), ...common }),
].map((fields) => closed<Entry>('an entry', fields));
const NoKind = value<Entry>('an entry with t from 1 to 8', () => false);

const kindOf = (input: unknown): unknown =>
  typeof input === 'object' && input !== null && 't' in input ? input.t : undefined;

/** An entry of any kind; a field that its kind does not have is an error. */
export const EntryCodec = choose<Entry>((input) => kinds[Number(kindOf(input)) - 1] ?? NoKind);

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

/** Drops what is undefined. */
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
