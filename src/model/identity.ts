import { AnyNumber, AnyRecord, AnyString, list, object, readAs, readOr, shape, value } from '../codecs/codecs';
import { jsonValue } from '../hardening/jsonValue';
import { ownFields } from '../hardening/ownFields';
import { dayMs } from '../primitives/duration';

/** An id by which somebody knows the visitor (spec C§3). */
export interface Identity {
  /** Who knows the visitor by the id, such as `appnexus` or `email_sha256`. */
  readonly tag: string;
  readonly id: string;
  /** The value 0 is the highest priority. */
  readonly priority: number;
  /** Ms since 1970. From then on, the identity must be asked for again. */
  readonly expiry: number;
}
/** Identities by tag; there is one for each tag. */
export type Identities = ReadonlyMap<string, Identity>;

/** The visitor's identities, and whether more are to come from third parties. */
export interface IdentityState {
  /** The identities that the server has accepted, stored identities included. */
  readonly byTag: Identities;
  /** Third parties were asked, and have answered or failed. */
  readonly ready: boolean;
}

/** An identity as the page or a third party gives it. Without expiry, it lasts for the default time. */
export type GivenIdentity = Omit<Identity, 'expiry'> & { readonly expiry?: number | undefined };

/** A call of `permutive.identify`. */
export interface IdentifyCall {
  /** What the page gave, decoded, possibly with unusable ids. */
  readonly given: readonly GivenIdentity[];
  /**
   * Called once: with the visitor's id after the call, or with null where there is no consent or the visit ends before.
   */
  readonly done: (userId: string | null) => void;
}

/** An identity lasts for a day (spec C§9). */
const ttlMs = dayMs;

const tuple = { tag: AnyString, id: AnyString };
const Tuples = list(object('an identity', shape(tuple)), 1);
const CustomerIdentities = list(object('an identity', shape(tuple, { priority: AnyNumber, expiry: AnyNumber })));

/**
 * Reads what a page gave `permutive.identify`: a non-empty string, which becomes the tag `default`, or a list of
 * identities (spec C§5). The page's objects are copied before they are looked at. An identity without priority gets
 * that of its tag, else its place in the list. An error says why the whole call is refused, without any value. An email
 * address is refused under any tag but `email`, which is never stored.
 */
export const customerIdentities = (given: unknown): readonly GivenIdentity[] | Error => {
  const input = jsonValue(given, () => undefined);
  const tuples = readAs(Tuples, typeof input === 'string' && input !== '' ? [{ tag: 'default', id: input }] : input);
  if (tuples instanceof Error)
    return new Error('Identify must be passed a non-empty string or list of { tag, id, priority? } tuples.');
  if (tuples.some(({ tag, id }) => plainTag(tag) === 'emailsha256' && !/^[0-9a-f]{64}$/.test(id)))
    return new Error(
      'Identify called with unsupported format of email_sha256 ID. ' +
        'The support format is hex-encoded 64 character long lowercase string.',
    );
  if (tuples.some(isAddress))
    return new Error(
      'Identify called with unsupported format of ID. ' +
        'An email address is supported as the hash email_sha256, or with the tag email.',
    );
  const identities = readAs(CustomerIdentities, tuples);
  return identities instanceof Error
    ? identities
    : identities.map(ownFields).map(({ tag, id, priority, expiry }, i) => ({
        tag,
        id,
        priority: priority ?? builtInPriority(tag) ?? i,
        expiry,
      }));
};

/** Priority of a built-in tag (spec C§9); undefined for other tags. */
export const builtInPriority = (tag: string): number | undefined =>
  tag === 'default' ? 0 : tag === 'appnexus' || tag === 'pxid' ? 1 : undefined;

/** A text that may be an id. A longer one is refused, because a part of an id may be the id of a stranger. */
export const IdText = value<string>(
  'an id of 4096 characters at most',
  (input) => typeof input === 'string' && input.length <= 4096,
);
/** Placeholder ids that services return for unknown visitors (spec C§5). A stored placeholder would merge strangers. */
const nobody = ['', '0', '-1'];
/** Whether an identity has a tag, and an id that is no placeholder and not too long. */
export const isUsable = ({ tag, id }: Pick<Identity, 'tag' | 'id'>): boolean =>
  tag !== '' && !nobody.includes(id) && IdText(id).length === 0;

/** Whether an identity must be asked for: it is absent, or `now` is at or past its expiry. */
export const isDue = (identity: Identity | undefined, now: number): boolean =>
  identity === undefined || now >= identity.expiry;

/** The usable identities that have not expired, in order of priority. For each tag only the first is kept. */
export const distinctIdentities = (given: readonly GivenIdentity[], now: number): readonly GivenIdentity[] => {
  const seen = new Set<string>();
  return given
    .filter((identity) => isUsable(identity) && (identity.expiry === undefined || now < identity.expiry))
    .sort((a, b) => a.priority - b.priority)
    .filter(({ tag }) => !seen.has(tag) && seen.add(tag));
};

/**
 * Whether exactly this identity is stored and has not expired, so that the server need not hear of it again. A given
 * identity without expiry matches any expiry.
 */
export const isKnown = ({ tag, id, priority, expiry }: GivenIdentity, identities: Identities, now: number): boolean => {
  const known = identities.get(tag);
  return (
    known !== undefined &&
    !isDue(known, now) &&
    known.id === id &&
    known.priority === priority &&
    (expiry ?? known.expiry) === known.expiry
  );
};

/** The identities with given ones added or replaced, which last for the default time unless they say otherwise. */
export const withIdentities = (identities: Identities, given: readonly GivenIdentity[], now: number): Identities =>
  new Map([
    ...identities,
    ...given.map((identity) => [identity.tag, { ...identity, expiry: identity.expiry ?? now + ttlMs }] as const),
  ]);

/** Whether an id is an email address under a tag that does not say so. Such ids would be stored and sent in clear. */
export const isAddress = ({ tag, id }: Pick<Identity, 'tag' | 'id'>): boolean =>
  tag !== 'email' && /[@＠]|%40/.test(id);

/** A tag without case and separators: pages write `email_md5` as `Email-MD5` too. */
const plainTag = (tag: string): string => tag.toLowerCase().replace(/[^a-z\d]/g, '');

/** Tags whose ids are never stored (spec C§3), without separators. */
const notStored = ['email', 'emailmd5', 'emailaddress', 'public', 'ipaddress'];

/** The identities that may be stored: neither expired ones nor those of tags that are never stored. */
export const storableIdentities = (identities: Identities, now: number): readonly Identity[] =>
  [...identities.values()].filter((identity) => !notStored.includes(plainTag(identity.tag)) && !isDue(identity, now));

/** The stored shape: an object by tag. */
export const encodeIdentities = (identities: Identities, now: number): object =>
  Object.fromEntries(
    storableIdentities(identities, now).map(({ tag, id, expiry, priority }) => [tag, { id, expiry, priority }]),
  );

const StoredIdentity = object('an identity', shape({ id: IdText, expiry: AnyNumber, priority: AnyNumber }));

/** Decodes the stored shape. A broken identity is reported and left out; the others stay. */
export const decodeIdentities = (stored: unknown, onFault: (cause: Error) => void): Identities =>
  new Map(
    Object.entries(readOr(AnyRecord, stored ?? {}, {}, onFault)).flatMap(([tag, input]) => {
      const identity = readOr(StoredIdentity, input, undefined, ({ message }) =>
        onFault(new Error(`identities/${tag}: ${message}`)),
      );
      return identity === undefined ? [] : [[tag, { ...identity, tag }] as const];
    }),
  );
