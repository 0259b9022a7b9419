import type { Component } from '../cells/cell';
import { encodeCells } from '../cells/cellCodec';
import type { EngineEvent } from '../engineEvent';
import { providersHash } from '../evaluate/lookups';
import type { Machine } from '../evaluate/machine';
import { isBottom, type Query } from '../evaluate/query';
import { bundleChecksumOf } from '../language/checksums';
import type { Id } from '../language/language';
import {
  decodeChunk,
  type DecodedChunk,
  emptyChunk,
  type ExternalStates,
  type QueriesChunk,
  type StoredQuery,
  type StoredQueryState,
  type WireQuery,
} from './chunk';
import { readCells } from './migration';

/** What the store holds for this engine, and what the engine puts there. */
export class Storage {
  /** Entries whose query is not known, or broken, on this page: they are written back as they were. */
  readonly kept = new Map<Id, StoredQueryState>();
  unprocessed: EngineEvent | null;
  lastSeenOffset: number;
  rev: number;
  readonly errors: string[] = [];
  readonly loaded: DecodedChunk;

  constructor(
    stored: unknown,
    private readonly source: string,
    private readonly machine: Machine,
  ) {
    this.loaded = this.read(stored);
    this.unprocessed = this.loaded.unprocessed;
    this.lastSeenOffset = this.loaded.lastSeenOffset;
    this.rev = this.loaded.rev;
    if (this.loaded.version === 2)
      for (const [id, state] of this.loaded.internal) if (Array.isArray(state.cells)) this.kept.set(id, state);
  }

  /** Whether the stored chunk was of an older version. */
  get migrated(): boolean {
    return this.loaded.version !== 2;
  }

  /** Gives a query its stored state, if there is one that it can use. */
  restore(query: Query): 'restored' | 'absent' | 'unusable' {
    const stored = this.loaded.internal.get(query.id);
    this.kept.delete(query.id);
    if (stored === undefined) return 'absent';
    return this.adopt(query, stored) ? 'restored' : 'unusable';
  }

  /** Gives up entries that are kept for no query. */
  forget(isObsolete: (id: Id) => boolean): void {
    for (const id of [...this.kept.keys()]) if (isObsolete(id)) this.kept.delete(id);
  }

  /** Whether the stored chunk was made by the queries that are there now. */
  isSameBundle(): boolean {
    return this.loaded.bundleChecksum === this.bundleChecksum();
  }

  private adopt(query: Query, { checksum, cells, result }: StoredQueryState): boolean {
    const own = checksum === query.checksum ? readCells(query, cells, this.loaded.version) : null;
    if (own === null) return false;
    query.cells.own = own;
    query.result = result;
    query.activations = result ? query.platforms : [];
    this.machine.memberships.of(query.id).member = result;
    return true;
  }

  private bundleChecksum(): string {
    return bundleChecksumOf(
      Array.from(this.machine.catalogue.queries.values(), ({ id, checksum }) => [id, checksum] as const),
    );
  }

  /** Takes over what another tab knows of the server. */
  onMerge({ rev, lastSeenOffset }: DecodedChunk): void {
    this.rev = Math.max(this.rev, rev);
    this.lastSeenOffset = Math.max(this.lastSeenOffset, lastSeenOffset);
  }

  /**
   * The chunk to store now. Drops what can no longer count first. Queries that are not rebuilt yet are left out,
   * and so is the name of the bundle, so that the next page rebuilds them if this one does not come to it.
   */
  write(external: ExternalStates, unbuilt: ReadonlySet<Query>): QueriesChunk {
    const { catalogue, lookups, present } = this.machine;
    const queries = [...catalogue.queries.values()].filter((query) => !unbuilt.has(query));
    for (const query of queries) query.cells.own = compacted(query, query.cells.own, present.now);
    const states = queries
      .filter((query) => query.result || !isBottom(query.cells.own))
      .map((query) => [query.id, storedQuery(query)] as const);
    const kept = Array.from(
      this.kept,
      ([id, { checksum, cells, result }]) => [id, { checksum, state: cells as readonly unknown[], result }] as const,
    );
    this.rev++;
    return {
      migration_version: 2,
      rev: this.rev,
      'event-source-id': this.source,
      bundle_checksum: unbuilt.size > 0 ? '' : this.bundleChecksum(),
      internal_query_states: Object.fromEntries([...kept, ...states]),
      ...external,
      unsynced: [
        ...Array.from(catalogue.queries.values()).flatMap(({ id, isUnsynced }) => (isUnsynced ? id : [])),
        ...[...this.kept.keys()].filter((id) => this.loaded.unsynced.has(id)),
      ],
      last_seen_offset: this.lastSeenOffset,
      group_id: this.loaded.groupId,
      third_party_data_hash: lookups.has('thirdParty')
        ? providersHash(lookups.providers('thirdParty'))
        : this.loaded.thirdPartyDataHash,
      unprocessed_pageview_complete: this.unprocessed,
    };
  }

  private read(stored: unknown): DecodedChunk {
    if (stored === null || stored === undefined) return emptyChunk(this.source);
    const chunk = decodeChunk(stored);
    if (chunk instanceof Error) {
      this.errors.push(`Failed to read query state. Got ${chunk.message}`);
      return emptyChunk(this.source);
    }
    // The components of another source are not ours to go on counting in.
    return chunk.source === this.source
      ? chunk
      : { ...emptyChunk(this.source), rev: chunk.rev, groupId: chunk.groupId };
  }
}

/** The components without what no longer counts; the same list when that is nothing. */
export const compacted = ({ specs }: Query, components: readonly Component[], now: number): readonly Component[] => {
  const next = components.map((component, i) => specs[i]?.kind.compact(specs[i], component, now) ?? component);
  return next.every((component, i) => component === components[i]) ? components : next;
};

const storedQuery = ({ checksum, specs, cells, result, activations }: Query): StoredQuery => ({
  checksum,
  state: encodeCells(specs, cells.own),
  result,
  ...(activations.length > 0 ? { activations } : {}),
});

/** A query state for the wire. */
export const wireQuery = ({ checksum, specs }: Query, components: readonly Component[]): WireQuery => [
  checksum,
  encodeCells(specs, components),
];
