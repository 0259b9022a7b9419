import { EMPTY, mergeMap, type Observable, of } from 'rxjs';

import { AnyNumber, AnyString, object, readAs, shape } from '../codecs/codecs';
import { ownFields } from '../hardening/ownFields';
import type { GivenIdentity, IdentifyCall, UnreadIdentifyCall } from '../model/identity';
import type { ServiceDefinition } from '../model/project';
import type { Report } from '../model/report';
import { builtInPriority, isAddress, plainTag } from '../privacy/identityTag';

const tuple = { tag: AnyString, id: AnyString };
const Tuple = object('an identity', shape(tuple));
const CustomerIdentity = object('an identity', shape(tuple, { priority: AnyNumber, expiry: AnyNumber }));

/** What a page gave `permutive.identify`. */
export interface CustomerIdentities {
  readonly given: readonly GivenIdentity[];
  /** Why entries are left out, each reason once and without any value. */
  readonly faults: readonly string[];
}

/**
 * Reads calls of `permutive.identify`. What cannot be used of a call is reported; a call of which nothing can be used
 * is answered with null. Tags that the project does not list are left out: they mean nothing to the provider of the
 * SDK.
 */
export const readIdentifyCalls = (
  call$: Observable<UnreadIdentifyCall>,
  definition: Pick<ServiceDefinition, 'identityTags'>,
  report: Report,
): Observable<IdentifyCall> => {
  const { identityTags } = ownFields(definition);
  return call$.pipe(
    mergeMap((call) => {
      const { given, faults } = customerIdentities(call.given);
      if (faults.length > 0) report(faults.join('; '));
      if (given.length === 0) {
        call.done(null);
        return EMPTY;
      }
      const accepted = given.filter(({ tag }) => identityTags?.includes(tag) ?? true);
      if (accepted.length < given.length)
        report('Failed to identify', new Error('tag: expected one of identityTags of the project definition'));
      return of({ given: accepted, done: call.done });
    }),
  );
};

/**
 * Reads the copy of what a page gave `permutive.identify`: a non-empty string, which becomes the tag `default`, or a
 * list of identities (spec C§5). A broken entry is left out, and the others count. An identity without priority gets
 * that of its tag, else its place in the list. An email address is refused under any tag but `email`, which is never
 * stored.
 */
export const customerIdentities = (value: unknown): CustomerIdentities => {
  const entries = typeof value === 'string' && value !== '' ? [{ tag: 'default', id: value }] : value;
  if (!Array.isArray(entries) || entries.length === 0) return { given: [], faults: [notIdentities] };
  const read = entries.map(customerIdentity);
  return {
    given: read.filter((each) => typeof each === 'object'),
    faults: [...new Set(read.filter((each) => typeof each === 'string'))],
  };
};

const notIdentities = 'Identify must be passed a non-empty string or list of { tag, id, priority? } tuples.';

/** An entry of a list, or why it is left out. */
const customerIdentity = (entry: unknown, place: number): GivenIdentity | string => {
  const named = readAs(Tuple, entry);
  if (named instanceof Error) return notIdentities;
  if (plainTag(named.tag) === 'emailsha256' && !/^[0-9a-f]{64}$/.test(named.id))
    return (
      'Identify called with unsupported format of email_sha256 ID. ' +
      'The support format is hex-encoded 64 character long lowercase string.'
    );
  if (isAddress(named))
    return (
      'Identify called with unsupported format of ID. ' +
      'An email address is supported as the hash email_sha256, or with the tag email.'
    );
  const identity = readAs(CustomerIdentity, named);
  if (identity instanceof Error) return `${place}/${identity.message}`;
  const { tag, id, priority, expiry } = ownFields(identity);
  return { tag, id, priority: priority ?? builtInPriority(tag) ?? place, expiry };
};
