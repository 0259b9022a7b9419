import { AnyNumber, AnyRecord, object, readOr, shape, value } from '../codecs/codecs';
import { dayMs } from '../primitives/duration';
import { plainTag } from '../privacy/identityTag';

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
export interface IdentifyCall<Given = readonly GivenIdentity[]> {
  /** What the page gave, decoded, possibly with unusable ids. */
  readonly given: Given;
  /**
   * Called once: with the visitor's id after the call, or with null where there is no consent, where nothing of what
   * was given can be used, or where another visitor comes before.
   */
  readonly done: (userId: string | null) => void;
}

/** A call with a copy of what the page gave, which nobody has looked at yet. */
export type UnreadIdentifyCall = IdentifyCall<unknown>;

/** An identity lasts for a day (spec C§9). */
const ttlMs = dayMs;

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
