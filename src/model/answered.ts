/** An answer has not come. There is nothing in it that a reader could take for an empty answer. */
export interface Unknown {
  readonly isKnown: false;
}

/** An answer that has come, which may well be empty. */
export interface Known<A> {
  readonly isKnown: true;
  readonly value: A;
}

/**
 * An answer that may be missing: of a store, a server or a page. The compiler lets nobody read its value, as that of an
 * empty list for instance, who has not asked whether there is one.
 */
export type Answered<A> = Unknown | Known<A>;

export const unknown: Unknown = { isKnown: false };

export const known = <A>(value: A): Known<A> => ({ isKnown: true, value });
