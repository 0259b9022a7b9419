import type * as t from 'io-ts';

import {
  AnyNumber,
  AnyString,
  DecodeError,
  list,
  object,
  readAs,
  shape,
  type TypeOf,
  value,
} from '../../src/codecs/codecs';
import { type Cases, taggedUnion } from '../../src/engine/language/taggedCodecs';
import type { Activation, ActivationCodec } from '../../src/model/activation';
import type { ContextCriteria, ContextCriteriaCodec } from '../../src/model/contextCriteria';
import { type EngineMessage, MessageCodec } from '../../src/model/engineMessages';
import type { Event, eventFields } from '../../src/model/event';

// What the compiler has to accept and to refuse. `npm run typecheck` fails where it does not.

/** The same fields as one list, read only at any depth. */
type Plain<A> = A extends object ? { readonly [Key in keyof A]: Plain<A[Key]> } : A;
type Same<A, B> = Probe<Plain<A>> extends Probe<Plain<B>> ? 'the same' : 'different';
/** Assignable to another probe only where the types are identical. */
type Probe<A> = <X>(given: X) => X extends A ? 1 : 2;
/** Compiles only where both types are the same, optional fields included. */
const expectSame = <A, B>(same: Same<A, B>): void => expect(same).toBe('the same');

/** All fields given. A type of io-ts does not say that an optional field may be undefined too. */
type Given<A> = { [Key in keyof A]-?: Exclude<A[Key], undefined> };

describe('the type of a codec', () => {
  const Point = object('a point', shape({ x: AnyNumber }, { tags: list(AnyString) }));

  it('follows from its shape', () => {
    expectSame<TypeOf<typeof Point>, { readonly x: number; readonly tags?: readonly string[] }>('the same');
    expect(readAs(Point, { x: 1 })).toEqual({ x: 1 });
  });

  it('follows from the test of a value', () => {
    const One = value('1 or null', (input) => input === 1 || input === null);
    expectSame<TypeOf<typeof One>, 1 | null>('the same');
    expect(readAs(One, 1)).toBe(1);
  });

  it('does not fit a type with another field, or with one that the shape does not have', () => {
    // @ts-expect-error The shape has a number.
    const Other = object<{ readonly x: string }>('a point', shape({ x: AnyNumber }));
    // @ts-expect-error The shape has no `y`.
    const More = object<{ readonly x: number; readonly y: number }>('a point', shape({ x: AnyNumber }));
    expect(readAs(Other, { x: 1 })).toEqual(readAs(More, { x: 1 }));
  });
});

describe('types that are written out for readers of the package', () => {
  it('are those of their codecs', () => {
    expectSame<{ readonly [Key in keyof typeof eventFields]: TypeOf<(typeof eventFields)[Key]> }, Event>('the same');
    expectSame<Given<t.TypeOf<typeof ActivationCodec>>, Given<Activation>>('the same');
    expectSame<t.TypeOf<typeof ContextCriteriaCodec>, ContextCriteria>('the same');
  });
});

describe('a union', () => {
  it('has no message without a codec', () => {
    // @ts-expect-error The table of messages has no such type.
    const unknown: EngineMessage = { type: 'forgotten' };
    const known: EngineMessage = { type: 'barrierReached', name: 'first' };
    expect(readAs(MessageCodec, unknown)).toBeInstanceOf(DecodeError);
    expect(readAs(MessageCodec, known)).toBe(known);
  });

  it('has no member without a shape', () => {
    type Size = { readonly min: number } | { readonly max: number };
    // @ts-expect-error `max` is forgotten.
    const forgotten: Cases<Size> = { min: shape({ min: AnyNumber }) };
    // @ts-expect-error The shape of `max` has a text.
    const wrong: Cases<Size> = { min: shape({ min: AnyNumber }), max: shape({ max: AnyString }) };
    expect(readAs(taggedUnion('a size', forgotten), { max: 1 })).toBeInstanceOf(DecodeError);
    expect(readAs(taggedUnion('a size', wrong), { max: 1 })).toBeInstanceOf(DecodeError);
  });
});
