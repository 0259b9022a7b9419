import { type Codec, list, type ObjectOf, type Shape, shape, type TypeOf, value } from '../../codecs/codecs';
import type { Definition } from '../language/language';
import { choose, closed } from '../language/taggedCodecs';
import { integer, Name, ScalarCodec, Share } from '../language/valueCodecs';

/** Names of events, each at the place before its number in an entry's `e`. */
export const eventNames = [
  'Pageview',
  'PageviewComplete',
  'SlotClicked',
  'SlotViewable',
  'LinkClick',
  'ProductBuyClick',
  'LoginStatus',
  'PrebidBid',
] as const;

const Signals = list(ScalarCodec, 1, 20_000);
type Signals = TypeOf<typeof Signals>;
const IdList = list(Name, 1, 500);
const Positive = value<number>(
  'a number above 0',
  (input) => typeof input === 'number' && input > 0 && input < Infinity,
);
/** The codec of a kind of rule. The number itself is known, because each kind is checked by its own shape. */
const kind = <T extends number>(): Codec<T> => Kind as Codec<T>;
const Kind: Codec<number> = integer(1, 8);
const Hashed = value('1', (input) => input === 1);

/** What all entries may have. */
const common = {
  /** Countries that the visitor must be in. */
  geo: Signals,
  a: value<NonNullable<Definition['activations']>>(
    'activations',
    (input) => typeof input === 'object' && input !== null,
  ),
};
/** At least `n` events (or seconds), at most `x`, in `w` ms. */
const countLimits = { n: Positive, x: Positive, w: integer(1) };
export type CountLimits = ObjectOf<unknown, typeof countLimits>;
/** Keywords, phrases in title or description, sections, taxonomy paths, path fragments, ids, labels. */
export const lists = {
  kw: Signals,
  txt: Signals,
  cat: Signals,
  tax: Signals,
  url: Signals,
  ids: Signals,
  cls: Signals,
};
export const listNames = Object.keys(lists) as readonly (keyof typeof lists)[];
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
export type SignalLists = ObjectOf<unknown, typeof signals>;
const cohorts = {
  any: IdList,
  all: IdList,
  not: IdList,
  /** How many of `any`. */
  m: integer(1),
};
export type CohortLists = ObjectOf<unknown, typeof cohorts>;

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

const eventRuleFields = {
  e: list(integer(1, eventNames.length), 1, eventNames.length),
  ...signals,
  ...countLimits,
  ...common,
};
/** The shape of each kind of entry, by its `t`. */
const shapes = {
  1: shape({ t: kind<1>() }, eventRuleFields, checkSignals),
  2: shape({ t: kind<2>() }, eventRuleFields, checkSignals),
  3: shape({ t: kind<3>(), pr: Name, ids: Signals }, { m: integer(1), h: Hashed, ...common }, checkHashes),
  4: shape({ t: kind<4>(), id: Name, s: Share }, common),
  5: shape({ t: kind<5>() }, { ...cohorts, ...common }, checkCohorts),
  6: shape({ t: kind<6>() }, { ...cohorts, ...countLimits, ...common }, checkCohorts),
  7: shape({ t: kind<7>() }, { ...signals, ...countLimits, ...common }, checkSignals),
  8: shape({ t: kind<8>() }, { w: integer(1), ...common }),
};
type Shapes = typeof shapes;
/** One line of a rule table, in the short form in which publishers ship many of them. `t` says which kind it is. */
export type RuleEntry = { readonly [T in keyof Shapes]: TypeOf<Shapes[T]> }[keyof Shapes];

const codecs = new Map(
  Object.entries<Shape<RuleEntry>>(shapes).map(([t, fields]) => [Number(t), closed('an entry', fields)]),
);
const NoKind = value<RuleEntry>('an entry with t from 1 to 8', () => false);

const kindOf = (input: unknown): unknown =>
  typeof input === 'object' && input !== null && 't' in input ? input.t : undefined;

/** An entry of any kind; a field that its kind does not have is an error. */
export const EntryCodec = choose<RuleEntry>((input) => codecs.get(Number(kindOf(input))) ?? NoKind);
