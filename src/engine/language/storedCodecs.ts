import { type Codec, object, type Shape, value } from '../../codecs/codecs';

// Codecs that stored state and the query language have in common.

/** Any string, empty ones too. */
export const Text = value('a string', (input) => typeof input === 'string');

/** An object of a shape; keys that the shape does not name are let through and kept. */
export const open = <A>(name: string, fields: Shape<A>): Codec<A> => object(`${name} (an object)`, fields);
