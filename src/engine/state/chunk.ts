import { type Codec, type DecodeError, isRecord, readAs, shape, type TypeOf, value } from '../../codecs/codecs';
import type { EngineEvent } from '../engineEvent';
import type { Id } from '../language/language';
import { open, Text } from '../language/storedCodecs';

/**
 * What is stored of the engine, in version 2 (spec S§3): bucket numbers, counters, truth bits and short hashes; no URL,
 * title or property.
 */
export interface QueriesChunk {
  /** Version of this shape. */
  readonly migration_version: 2;
  /** Counted up at each snapshot. Tabs tell by it whether another one has written. */
  readonly rev: number;
  /**
   * Id of this browser's storage. The id is stored with the counts that were made under it and is lost with them. A
   * source that counted from 0 under its old id would be behind what the server has, and the join would swallow what
   * the source counts.
   */
  readonly 'event-source-id': string;
  /** Names the queries that the chunk is complete for; empty while some are still to be rebuilt. */
  readonly bundle_checksum: string;
  /** What this source has counted, and results. A query that counted nothing and does not hold is left out. */
  readonly internal_query_states: Readonly<Record<Id, StoredQuery>>;
  /** What other sources have counted, by source and query. */
  readonly external_query_states: Readonly<Record<string, Readonly<Record<Id, WireQuery>>>>;
  /** By source, the day since 1970 on which it was last heard of; absent when there is no other source. */
  readonly external_seen?: Readonly<Record<string, number>>;
  /** Queries with counts that the server has not confirmed. */
  readonly unsynced: readonly Id[];
  /** Offset of the last state sync that was taken in. */
  readonly last_seen_offset: number;
  /** The user whose state this is. Set by the engine's host; the engine hands it on. */
  readonly group_id: string | null;
  /** Names the third-party data that the results were made with; null when there was none yet. */
  readonly third_party_data_hash: string | null;
  /** The completion of a page view that was not counted when the page ended; null when there is none. */
  readonly unprocessed_pageview_complete: EngineEvent | null;
}

/** What is stored of one query. */
export interface StoredQuery {
  /** Names the meaning of the query under which it was counted. */
  readonly checksum: string;
  /** The cells of the query as `encodeCells` writes them. */
  readonly state: readonly unknown[];
  /** Whether the visitor was in the cohort. */
  readonly result: boolean;
  /**
   * The platforms for which the cohort was activated; absent when there are none. Not read back, because they follow
   * from the definition and the result.
   */
  readonly activations?: readonly string[];
}

/** What is stored of other sources. */
export type ExternalStates = Pick<QueriesChunk, 'external_query_states' | 'external_seen'>;

/** The state of a query as it travels: its checksum and its cells. */
export type WireQuery = readonly [checksum: string, cells: readonly unknown[]];

/** A stored chunk of any version, read as far as that is possible without knowing the queries. */
export interface DecodedChunk {
  /** The version that was found, which says how cells have to be read. */
  readonly version: 0 | 1 | 2;
  readonly rev: number;
  readonly source: string;
  /** Null where the chunk does not say. */
  readonly bundleChecksum: string | null;
  /** What this source has counted. */
  readonly internal: ReadonlyMap<Id, StoredQueryState>;
  /** By source, then by query. Version 0 did not store other sources. */
  readonly external: ReadonlyMap<string, ReadonlyMap<Id, StoredQueryState>>;
  /** The day on which a source was last heard of, where that is known. */
  readonly externalSeen: ReadonlyMap<string, number>;
  readonly unsynced: ReadonlySet<Id>;
  readonly lastSeenOffset: number;
  /** Null where the chunk does not say whose it is. */
  readonly groupId: string | null;
  readonly thirdPartyDataHash: string | null;
  readonly unprocessed: EngineEvent | null;
}

/** The ids of the queries that a chunk says something of. */
export const idsIn = ({ internal, external, unsynced }: DecodedChunk): ReadonlySet<Id> =>
  new Set([...[internal, ...external.values()].flatMap((states) => [...states.keys()]), ...unsynced]);

/** The state of a query before its cells are looked at. */
export interface StoredQueryState {
  readonly checksum: string;
  readonly cells: unknown;
  readonly result: boolean;
}

/** What is read where nothing usable is stored: a new source without any counts. */
export const emptyChunk = (source: string): DecodedChunk => ({
  version: 2,
  rev: 0,
  source,
  bundleChecksum: null,
  internal: new Map(),
  external: new Map(),
  externalSeen: new Map(),
  unsynced: new Set(),
  lastSeenOffset: 0,
  groupId: null,
  thirdPartyDataHash: null,
  unprocessed: null,
});

/**
 * Reads a stored chunk of any version. A malformed entry of a table is dropped alone; a chunk that is malformed
 * otherwise, or of an unknown version, is an error.
 */
export const decodeChunk = (stored: unknown): DecodedChunk | DecodeError => {
  const chunk: AnyChunk | DecodeError = readAs(AnyChunk, stored);
  if (chunk instanceof Error) return chunk;
  // The first version did not write its number.
  const version = chunk.migration_version ?? 0;
  const states = version === 0 ? chunk.query_states : chunk.internal_query_states;
  return {
    version,
    rev: chunk.rev ?? 0,
    source: chunk['event-source-id'],
    bundleChecksum: chunk.bundle_checksum ?? null,
    internal: new Map(entriesOf(states).map(([id, entry]) => [id, storedState(entry)])),
    external:
      version === 2
        ? externalBySource(chunk.external_query_states)
        : version === 1
          ? externalByQuery(chunk.external_query_states)
          : new Map<string, Map<Id, StoredQueryState>>(),
    externalSeen: new Map(
      entriesOf(chunk.external_seen).flatMap(([source, day]) =>
        Number.isSafeInteger(day) ? [[source, day as number]] : [],
      ),
    ),
    unsynced: new Set(chunk.unsynced?.filter((id) => typeof id === 'string')),
    // After a migration, the states of all other sources are fetched again.
    lastSeenOffset: version === 2 ? (chunk.last_seen_offset ?? 0) : 0,
    groupId: chunk.group_id ?? null,
    thirdPartyDataHash: chunk.third_party_data_hash ?? null,
    unprocessed: chunk.unprocessed_pageview_complete ?? null,
  };
};

/** A table whose entries are read one by one. */
type Entries = Readonly<Record<string, unknown>>;

const Entries: Codec<Entries> = value('an object', isRecord);
const NullableText = value('a string or null', (input) => input === null || typeof input === 'string');
const Count = value<number>('a number from 0', (input) => Number.isSafeInteger(input) && (input as number) >= 0);
const Version = value('version 0, 1 or 2', (input) => input === 0 || input === 1 || input === 2);
const List = value<readonly unknown[]>('a list', Array.isArray);

/** An event, or null where there is none. */
const EventOrNull = value('an event or null', (input) => input === null || isEvent(input));

/** Whether something is an event that the engine can evaluate. */
export const isEvent = (input: unknown): input is EngineEvent =>
  isRecord(input) &&
  typeof input['name'] === 'string' &&
  Number.isFinite(input['time']) &&
  isRecord(input['properties']);

/** The fields of all versions. Only the frame is checked; the entries of tables are let through. */
const AnyChunk = open(
  'a queries chunk',
  shape(
    { 'event-source-id': Text },
    {
      migration_version: Version,
      rev: Count,
      bundle_checksum: NullableText,
      query_states: Entries,
      internal_query_states: Entries,
      external_query_states: Entries,
      unsynced: List,
      last_seen_offset: Count,
      group_id: NullableText,
      third_party_data_hash: NullableText,
      unprocessed_pageview_complete: EventOrNull,
    },
  ),
);
type AnyChunk = TypeOf<typeof AnyChunk> & { readonly external_seen?: unknown };

/** The entries of a table; none where it is no table. */
const entriesOf = (table: unknown): readonly (readonly [string, unknown])[] =>
  isRecord(table) ? Object.entries(table) : [];
/** An entry for a table, or none where nothing was found. */
const foundEntry = <Value>(id: string, found: Value | null): readonly (readonly [string, Value])[] =>
  found === null ? [] : [[id, found]];

/**
 * Stands for a malformed entry. No query has an empty checksum, so the state counts as unusable and is rebuilt; an
 * absent one may mean that nothing was counted.
 */
const malformedState: StoredQueryState = { checksum: '', cells: null, result: false };

/** Reads the state of a query in any form it was stored in. */
const storedState = (entry: unknown): StoredQueryState => {
  // The form that packedChunk.ts writes.
  if (Array.isArray(entry))
    return typeof entry[0] === 'string'
      ? { checksum: entry[0], cells: entry[1], result: entry[2] === 1 }
      : malformedState;
  if (!isRecord(entry) || typeof entry['checksum'] !== 'string') return malformedState;
  // Version 0 had `{result}` here.
  const result = isRecord(entry['result']) ? entry['result']['result'] : entry['result'];
  return { checksum: entry['checksum'], cells: entry['state'], result: result === true };
};

/** Tables of version 2: by source, then by query. */
const externalBySource = (table: unknown): ReadonlyMap<string, ReadonlyMap<Id, StoredQueryState>> =>
  new Map(
    entriesOf(table).map(([source, queries]) => [
      source,
      new Map(entriesOf(queries).flatMap(([id, wire]) => foundEntry(id, wireState(wire)))),
    ]),
  );

/** Tables of version 1: by query, then by source. Such tables had no checksums. */
const externalByQuery = (table: unknown): ReadonlyMap<string, ReadonlyMap<Id, StoredQueryState>> => {
  const bySource = new Map<string, Map<Id, StoredQueryState>>();
  for (const [id, sources] of entriesOf(table))
    for (const [source, cells] of entriesOf(sources)) {
      const queries = bySource.get(source) ?? new Map<Id, StoredQueryState>();
      bySource.set(source, queries.set(id, { checksum: '', cells, result: false }));
    }
  return bySource;
};

/** Reads a query state that travelled: `[checksum, cells]`. Null when it is none. The cells are not looked at. */
export const wireState = (wire: unknown): StoredQueryState | null =>
  Array.isArray(wire) && wire.length === 2 && typeof wire[0] === 'string'
    ? { checksum: wire[0], cells: wire[1], result: false }
    : null;
