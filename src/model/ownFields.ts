/**
 * The fields of an object itself, in a copy that inherits none. What is read from it cannot be changed by a page that
 * has added fields to all objects (`Object.prototype`). Optional fields are read through this one.
 */
export const ownFields = <A extends object>(given: A): A => Object.assign(Object.create(null) as A, given);
