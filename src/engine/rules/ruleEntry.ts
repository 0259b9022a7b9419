import { type Codec, list, type ObjectOf, type Shape, shape, type TypeOf, value } from '../../codecs/codecs';
import type { Definition, Scalar } from '../language/language';
import { choose, closed } from '../language/taggedCodecs';

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
export type Counted = ObjectOf<unknown, typeof counted>;
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
  any: Ids,
  all: Ids,
  not: Ids,
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
