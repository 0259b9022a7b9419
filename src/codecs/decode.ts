import { type Either, left, mapLeft } from 'fp-ts/Either';
import type { Decoder, Errors, ValidationError } from 'io-ts';

import { DecodeError, type Fault, maxFaults } from './codecs';

/**
 * Decodes what comes from outside: a page, a store, a server, another thread. Left: the error, which says what is
 * wrong. Never throws.
 */
export const decode =
  <A>(codec: Decoder<unknown, A>) =>
  (input: unknown): Either<DecodeError, A> => {
    try {
      return mapLeft((errors: Errors) => new DecodeError(errors.slice(0, maxFaults).map(fault)))(codec.decode(input));
    } catch {
      // A getter or proxy of the page has thrown.
      return left(new DecodeError([{ path: '', expected: 'what can be read' }]));
    }
  };

const fault = ({ context, message }: ValidationError): Fault => ({
  path: context
    // io-ts counts the members of unions and intersections as places of their own; the input has none there.
    .filter(({ key }, i) => key !== '' && !hasMembers(context[i - 1]?.type))
    .map(({ key }) => key)
    .join('/'),
  expected: message ?? context.at(-1)?.type.name ?? 'another value',
});

/** Whether a type is a union or an intersection, also one inside an exact type or a refinement. */
const hasMembers = (type: unknown): boolean => {
  const { _tag: tag, type: inner } = (type ?? {}) as { readonly _tag?: string; readonly type?: unknown };
  return (
    tag === 'UnionType' ||
    tag === 'IntersectionType' ||
    ((tag === 'ExactType' || tag === 'RefinementType') && hasMembers(inner))
  );
};
