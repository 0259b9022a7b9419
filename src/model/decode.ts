import { type Either, isRight, left, mapLeft } from 'fp-ts/Either';
import type { Decoder, Errors, ValidationError } from 'io-ts';

/** Says where an input is wrong and what was expected there. It never quotes the value, which may be personal data. */
export class DecodeError extends Error {
  override readonly name = 'DecodeError';

  constructor(readonly faults: readonly Fault[]) {
    super(faults.map(({ path, expected }) => `${path || '(root)'}: expected ${expected}`).join('; '));
  }
}

/** One wrong place of an input. */
export interface Fault {
  /** Such as `queries/3/id`; empty for the input itself. */
  readonly path: string;
  readonly expected: string;
}

/** Decodes what comes from outside: a page, a store, a server, another thread. Left: what is wrong. Never throws. */
export const decode =
  <A>(codec: Decoder<unknown, A>) =>
  (input: unknown): Either<DecodeError, A> => {
    try {
      return mapLeft((errors: Errors) => new DecodeError(errors.map(fault)))(codec.decode(input));
    } catch {
      // A getter or proxy of the page has thrown.
      return left(new DecodeError([{ path: '', expected: 'what can be read' }]));
    }
  };

/** The decoded input. Where it does not decode, tells `onError` why and answers `fallback`. */
export const decodeOr = <A, B>(
  codec: Decoder<unknown, A>,
  input: unknown,
  fallback: B,
  onError: (error: DecodeError) => void,
): A | B => {
  const result = decode(codec)(input);
  if (isRight(result)) return result.right;
  onError(result.left);
  return fallback;
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
