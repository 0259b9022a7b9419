import { type Either, isRight, left, right } from 'fp-ts/Either';
import * as t from 'io-ts';
import { decode, decodeOr } from './decode';
import { jsonValue } from './jsonValue';

/** One name of the visitor. Priority 0 is the highest; from `expiry` (ms since 1970) on it has to be asked for again (spec C§3). */
export interface Identity {
  readonly tag: string;
  readonly id: string;
  readonly priority: number;
  readonly expiry: number;
}
/** By tag. */
export type Identities = ReadonlyMap<string, Identity>;

export interface IdentityState {
  readonly byTag: Identities;
  /** Third parties have had their say. */
  readonly ready: boolean;
}

/** An identity as it was given: without expiry, it lasts for the default time. */
export type GivenIdentity = Omit<Identity, 'expiry'> & { readonly expiry?: number };

/** An identity lasts for a day (spec C§9). */
const ttlMs = 86_400_000;

const Tuple = t.type({ tag: t.string, id: t.string });
const CustomerIdentities = t.array(t.intersection([Tuple, t.partial({ priority: t.number, expiry: t.number })]), 'identities');

/**
 * What a page gave `permutive.identify`: a non-empty string, or a list. A page's objects are copied before they are looked at.
 * Left: why all of it is refused (spec C§5), never with a value.
 */
export const customerIdentities = (given: unknown): Either<Error, readonly GivenIdentity[]> => {
  const input = jsonValue(given, () => undefined);
  const list: unknown = typeof input === 'string' && input !== '' ? [{ tag: 'default', id: input }] : input;
  if (!t.array(Tuple).is(list) || list.length === 0) return left(new Error('Identify must be passed a non-empty string or list of { tag, id, priority? } tuples.'));
  if (list.some(({ tag, id }) => tag === 'email_sha256' && !/^[0-9a-f]{64}$/.test(id))) {
    return left(new Error('Identify called with unsupported format of email_sha256 ID. The support format is hex-encoded 64 character long lowercase string.'));
  }
  const decoded = decode(CustomerIdentities)(list);
  return isRight(decoded) ? right(decoded.right.map((identity, i) => ({ ...identity, priority: identity.priority ?? builtInPriority(identity.tag) ?? i }))) : decoded;
};

const builtInPriority = (tag: string): number | undefined => (tag === 'default' ? 0 : tag === 'appnexus' || tag === 'pxid' ? 1 : undefined);

/** Tags that the page itself knows, without a vendor; the others are vendors'. */
const pageTags = ['gigya', 'sailthru', 'amp'];
const vendorTags = ['tradedesk', 'ddp', 'appnexus', 'pubmatic', 'neustar_fabrick', 'pxid'];

/** Third-party identities come after the customer's own: built-in tags first, then what the page knows, then vendors (spec C§9). */
export const thirdPartyIdentities = (found: readonly (readonly [tag: string, id: string])[], known: Identities): readonly GivenIdentity[] => {
  const own = [...known.values()].filter(({ tag }) => !pageTags.includes(tag) && !vendorTags.includes(tag));
  const lowest = own.reduce((most, { priority }) => Math.max(most, priority), 0);
  return found.map(([tag, id]) => ({ tag, id, priority: builtInPriority(tag) ?? lowest + (pageTags.includes(tag) ? 2 : 3) }));
};

/** What services say where they do not know a visitor: taken for an id, it would make one person of many. */
const nobody = ['', '0', '-1'];
export const isUsable = ({ tag, id }: Pick<Identity, 'tag' | 'id'>): boolean => tag !== '' && !nobody.includes(id);

/** An identity is asked for when it is absent, or now is at or past its expiry. */
export const isDue = (identity: Identity | undefined, now: number): boolean => identity === undefined || now >= identity.expiry;

/** The usable ones that have not expired, one a tag, the one of the highest priority; in order of priority. */
export const distinctIdentities = (given: readonly GivenIdentity[], now: number): readonly GivenIdentity[] => {
  const seen = new Set<string>();
  return given
    .filter((identity) => isUsable(identity) && (identity.expiry === undefined || now < identity.expiry))
    .sort((a, b) => a.priority - b.priority)
    .filter(({ tag }) => !seen.has(tag) && seen.add(tag));
};

export const isKnown = ({ tag, id, priority, expiry }: GivenIdentity, identities: Identities, now: number): boolean => {
  const known = identities.get(tag);
  return known !== undefined && !isDue(known, now) && known.id === id && known.priority === priority && (expiry ?? known.expiry) === known.expiry;
};

export const withIdentities = (identities: Identities, given: readonly GivenIdentity[], now: number): Identities =>
  new Map([...identities, ...given.map((identity) => [identity.tag, { ...identity, expiry: identity.expiry ?? now + ttlMs }] as const)]);

/** Never stored: what may be read as the person, and what is about no person (spec C§3). */
const notStored = ['email', 'email_md5', 'public', 'ip_address'];

/** The stored shape: by tag, without what has expired. */
export const encodeIdentities = (identities: Identities, now: number): object =>
  Object.fromEntries(
    [...identities].filter(([tag, identity]) => !notStored.includes(tag) && !isDue(identity, now)).map(([tag, { id, expiry, priority }]) => [tag, { id, expiry, priority }]),
  );

const StoredIdentity = t.type({ id: t.string, expiry: t.number, priority: t.number });

/** A stored identity that makes no sense is told and left out; its neighbours stay. */
export const decodeIdentities = (stored: unknown, onFault: (cause: Error) => void): Identities =>
  new Map(
    Object.entries(decodeOr(t.UnknownRecord, stored ?? {}, {}, onFault)).flatMap(([tag, input]) => {
      const identity = decodeOr(StoredIdentity, input, undefined, ({ message }) => onFault(new Error(`identities/${tag}: ${message}`)));
      return identity === undefined ? [] : [[tag, { ...identity, tag }] as const];
    }),
  );
