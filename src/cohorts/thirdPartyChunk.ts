import { AnyNumber, AnyString, type Codec, list, object, readOr, shape, table, type TypeOf } from '../codecs/codecs';
import { localKeys } from '../model/storageKeys';
import type { ProviderSegments } from './providerSegments';
import type { ServiceDeps } from './service';

/** An answer about the visitor's third-party segments. */
const KeptAnswer = object(
  'an answer',
  shape({
    /** Hash of the user id and the identities that were asked with. */
    asked: AnyNumber,
    segments: table('segments', list(AnyString)) satisfies Codec<ProviderSegments>,
    /** When it came, in ms since 1970. */
    time: AnyNumber,
    /** From when on the server is asked again, in ms since 1970. */
    freshUntil: AnyNumber,
  }),
);
export type KeptAnswer = TypeOf<typeof KeptAnswer>;

/** What is kept of third-party data between pages (contract: storage). Absent entries were never there, or broken. */
interface ThirdPartyChunk {
  readonly answer?: KeptAnswer | undefined;
  /** Hash of the user id and the segments that were last reported as used. */
  readonly reported?: number | undefined;
}

type ChunkDeps = Pick<ServiceDeps, 'local' | 'json' | 'now' | 'report'>;

/** The chunk as it is stored. An entry that does not decode is reported and left out; the others stay. */
export const readThirdParty = ({ local, json, report }: ChunkDeps): ThirdPartyChunk => {
  const stored = Object(json.parse(local.read(localKeys.thirdParty) ?? '{}')) as Readonly<Record<string, unknown>>;
  const entry = <A>(name: keyof ThirdPartyChunk, codec: Codec<A>): A | undefined =>
    stored[name] === undefined
      ? undefined
      : readOr(codec, stored[name], undefined, (cause) => report('Error fetching data from store', cause));
  return { answer: entry('answer', KeptAnswer), reported: entry('reported', AnyNumber) };
};

/** Changes some entries. The others are read again first, because other tabs change them too. */
export const writeThirdParty = (changes: ThirdPartyChunk, deps: ChunkDeps): void => {
  deps.local.write(localKeys.thirdParty, deps.json.stringify({ ...readThirdParty(deps), ...changes }));
};
