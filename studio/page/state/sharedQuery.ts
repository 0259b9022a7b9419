import { AnyNumber, AnyString, DecodeError, object, readAs, shape, type TypeOf } from '../../../src/codecs/codecs';

/** What an address says of a query that is tried. The visitor in it is generated: a recorded one is a person. */
const SharedQuery = object(
  'a shared query',
  shape({
    /** The query as it is written. */
    text: AnyString,
    /** Seed of the generated visitor. */
    seed: AnyNumber,
    taste: AnyString,
    /** The moment that is looked at, in ms since 1970. */
    at: AnyNumber,
  }),
);
export type SharedQuery = TypeOf<typeof SharedQuery>;

/** The query as a part of an address. */
export const sharedText = (query: SharedQuery): string => encodeURIComponent(JSON.stringify(query));

/** The query of such a part; undefined where it has none that can be read. */
export const sharedOf = (part: string | undefined): SharedQuery | undefined => {
  try {
    const read = readAs(SharedQuery, JSON.parse(decodeURIComponent(part ?? '')));
    return read instanceof DecodeError ? undefined : read;
  } catch {
    return undefined;
  }
};
