/**
 * The fields of an object itself, in a copy that inherits none. What is read from it cannot be changed by a page that
 * has added fields to all objects (`Object.prototype`). Optional fields are read through this one.
 */
export const ownFields = <A extends object>(given: A): A => Object.assign(Object.create(null) as A, given);

/** An entry of the table itself; undefined where it has none of that name. Entries of its prototypes do not count. */
export const ownEntry = <A>(table: Readonly<Record<string, A>>, key: string): A | undefined =>
  Object.hasOwn(table, key) ? table[key] : undefined;
