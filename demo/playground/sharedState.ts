import { AnyNumber, AnyString, DecodeError, object, readAs, shape, type TypeOf } from '../../src/codecs/codecs';

/** What an address of the playground says. A recorded log is not in it: it tells of a person. */
const SharedState = object(
  'a shared state',
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
export type SharedState = TypeOf<typeof SharedState>;

/** The state as the fragment of an address, which browsers send to no server. */
export const fragmentOf = (state: SharedState): string => `#${encodeURIComponent(JSON.stringify(state))}`;

/** The state of a fragment; undefined where it has none that can be read. */
export const stateOf = (fragment: string): SharedState | undefined => {
  try {
    const read = readAs(SharedState, JSON.parse(decodeURIComponent(fragment.slice(1))));
    return read instanceof DecodeError ? undefined : read;
  } catch {
    return undefined;
  }
};
