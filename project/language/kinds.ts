import type { Pred } from '../../src/engine/language/language';

// What a field of the query language can hold. Studio’s form with its completions, and the schema of editors, follow
// from these kinds alone.

/** What a field is completed with: names and values that were recorded, or ids of the project. */
export type Completion = 'event' | 'path' | 'value' | 'cohort' | 'platform';

/** A kind of field, with the limits that the decoder holds it within. */
export type Kind =
  /** One of the constructs of conditions, or of tests of events. */
  | { readonly type: 'union'; readonly of: UnionName }
  | { readonly type: 'record'; readonly of: RecordKind }
  | {
      readonly type: 'list';
      readonly of: Kind;
      readonly min: number;
      readonly max: number;
      readonly item: string;
      readonly start: unknown;
    }
  /** An object whose keys are the publisher’s. */
  | { readonly type: 'table'; readonly of: Kind; readonly item: string; readonly start: unknown }
  | { readonly type: 'text'; readonly minLength?: 1; readonly completion?: Completion }
  /** One name, or a list of several. */
  | { readonly type: 'names'; readonly max: number; readonly completion: Completion }
  /** One text or number. */
  | { readonly type: 'operand'; readonly completion?: Completion }
  /** A list of texts and numbers, or of texts alone, one a line. */
  | {
      readonly type: 'operands';
      readonly of: 'scalar' | 'text';
      readonly min: number;
      readonly max: number;
      readonly completion?: Completion;
    }
  | { readonly type: 'number'; readonly min?: number; readonly max?: number; readonly isInteger?: boolean }
  | { readonly type: 'flag' }
  /** `true`, or absent. */
  | { readonly type: 'mark' }
  | { readonly type: 'choice'; readonly of: Readonly<Record<string, string>> }
  | { readonly type: 'date' }
  /** Two numbers. */
  | { readonly type: 'range' }
  | { readonly type: 'comparison' }
  /** `hasScopes`: the session and the view can be the window. */
  | { readonly type: 'duration'; readonly hasScopes: boolean };

export type UnionName = 'expr' | 'pred';
export type RecordKind = 'definition' | 'step' | 'provider' | 'model' | 'trigger';

/** A field of a construct: what it holds, and what people are told of it. */
export interface Field {
  readonly kind: Kind;
  readonly label: string;
  readonly help: string;
  readonly isOptional?: boolean;
  /** What the field begins with when somebody adds it. */
  readonly start?: unknown;
}
export type FieldTable = Readonly<Record<string, Field>>;

/** A construct of the language. */
export interface Construct {
  readonly label: string;
  readonly help: string;
  /** Where lists of constructs have it. */
  readonly group: string;
  readonly fields: FieldTable;
  /** The construct as a form adds it. */
  readonly start: Readonly<Record<string, unknown>>;
}

/** A construct that tests an event, with what it does to one. */
export interface TestConstruct extends Construct {
  readonly example: Pred;
  /** Properties that the example is true of, and others that it is false of. */
  readonly holds: object;
  readonly fails: object;
  /** The example with a mistake. */
  readonly mistake: object;
}
