import type { Cmp, DateTest, Leaf, MatchOf } from '../../src/engine/language/language';
import type {
  flagTests,
  insideTests,
  numberTests,
  OneOf,
  partTests,
  presenceTests,
  wholeTests,
} from '../../src/engine/language/valueTests';
import type { commonProperties, pageEvents, SdkEvents } from './eventTypes';

/** Stands for events that are not declared: each has properties that nobody knows. */
export type Undeclared = never;

type IsUndeclared<E> = [E] extends [never] ? true : false;

/** Names of the events: those of the SDK, and those that are declared. */
export type EventNames<E> = keyof SdkEvents | (IsUndeclared<E> extends true ? never : keyof E & string);

type FieldOf<Table, Name> = Name extends keyof Table ? Table[Name] : unknown;
/** All that is known of the properties of an event. */
type PropertiesOfEvent<E, Name> = typeof commonProperties &
  FieldOf<SdkEvents, Name> &
  (IsUndeclared<E> extends true ? unknown : FieldOf<E, Name>) &
  (Name extends (typeof pageEvents)[number]
    ? IsUndeclared<E> extends true
      ? unknown
      : FieldOf<E, 'Pageview'>
    : unknown);

/** The type of a value, or of the elements of a list. */
type ItemOf<Type> = Type extends readonly [infer Item] ? ItemOf<Item> : Type;
/** The paths in an object of properties: names with dots between them. */
type PathsIn<Type> = {
  [Name in keyof Type & string]:
    Name | (ItemOf<Type[Name]> extends string ? never : `${Name}.${PathsIn<ItemOf<Type[Name]>>}`);
}[keyof Type & string];
type TypeAt<Type, Path> = Path extends keyof Type
  ? ItemOf<Type[Path]>
  : Path extends `${infer Name}.${infer Rest}`
    ? Name extends keyof Type
      ? TypeAt<ItemOf<Type[Name]>, Rest>
      : never
    : never;

/** The paths of an event's properties. Where events are not declared, any other path is accepted too. */
export type PathsOf<E, Name extends EventNames<E>> =
  | { [One in Name]: PathsIn<PropertiesOfEvent<E, One>> }[Name]
  // The intersection keeps the editor's list of those that are known.
  | (IsUndeclared<E> extends true ? string & {} : never);

/** The types that a path has in the events that have it. */
export type TypesAt<E, Path> = {
  [Name in EventNames<E>]: TypeAt<PropertiesOfEvent<E, Name>, Path>;
}[EventNames<E>];

interface Limits {
  /** How many of the operands, or elements, must be met; default 1. */
  readonly min?: number;
  readonly max?: number;
}
interface TextOptions extends Limits {
  /** How text is brought into one form: `case` (default) ignores upper case, `accent` accents too. */
  readonly fold?: 'case' | 'accent' | 'exact';
}
interface HashOptions extends TextOptions {
  /** The operands are hashes, as the command `hash` makes them. */
  readonly hashed?: boolean;
  /** The longest run of words or segments that an operand stands for. */
  readonly grams?: number;
}
type WholeTest = OneOf<typeof wholeTests> & HashOptions;
type TextTest = WholeTest | (OneOf<typeof partTests> & HashOptions) | (OneOf<typeof insideTests> & TextOptions);
type NumericTest = OneOf<typeof numberTests>;
type FlagTest = OneOf<typeof flagTests>;
type TimeTest = (DateTest & { readonly after: string }) | (DateTest & { readonly before: string });
type AnyTest = OneOf<typeof presenceTests> | { readonly size: Cmp };
type ElementTest<Paths extends string> =
  ({ readonly any: WhereOn<Paths> } & Limits) | { readonly all: WhereOn<Paths> } | { readonly none: WhereOn<Paths> };

/** The tests that a value of a type can pass. */
export type TestOf<Type> =
  | AnyTest
  | (Type extends 'string'
      ? TextTest | TimeTest
      : Type extends 'number'
        ? WholeTest | NumericTest | TimeTest
        : Type extends 'boolean'
          ? FlagTest
          : ElementTest<PathsIn<Type>>);
/** The tests of a value of which nothing is known. */
export type OpenTest = AnyTest | TextTest | TimeTest | NumericTest | FlagTest | ElementTest<string>;

/** A condition on properties at some paths. */
export type WhereOn<Path extends string> =
  | { readonly and: readonly WhereOn<Path>[] }
  | { readonly or: readonly WhereOn<Path>[] }
  | { readonly not: WhereOn<Path> }
  | MatchOf<WhereOn<Path>>
  | (Leaf & { readonly p: Path });

/** The tests for a path, in the events that have it. */
export type TestAt<E, Path> = IsUndeclared<E> extends true ? OpenTest : TestOf<TypesAt<E, Path>>;
