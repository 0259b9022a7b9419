import { AnyNumber, AnyString, DecodeError, object, readAs, shape } from '../../src/model/codecs';

/** What an address of the playground says. A recorded log is not in it: it tells of a person. */
export interface SharedState {
  /** The query as it is written. */
  readonly text: string;
  /** The generated visitor. */
  readonly seed: number;
  readonly taste: string;
  /** The moment that is looked at, in ms since 1970. */
  readonly at: number;
}

const SharedStateCodec = object<SharedState>(
  'a shared state',
  shape({ text: AnyString, seed: AnyNumber, taste: AnyString, at: AnyNumber }),
);

/** The state as the fragment of an address, which browsers send to no server. */
export const fragmentOf = (state: SharedState): string => `#${encodeURIComponent(JSON.stringify(state))}`;

/** The state of a fragment; undefined where it has none that can be read. */
export const stateOf = (fragment: string): SharedState | undefined => {
  try {
    const read = readAs(SharedStateCodec, JSON.parse(decodeURIComponent(fragment.slice(1))));
    return read instanceof DecodeError ? undefined : read;
  } catch {
    return undefined;
  }
};
