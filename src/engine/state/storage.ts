import { mapItems } from '../../primitives/lists';
import type { Component } from '../cells/cell';
import { encodeCells } from '../cells/cellCodec';
import type { EngineEvent } from '../engineEvent';
import { providersHash } from '../evaluate/lookups';
import type { Machine } from '../evaluate/machine';
import { bottomCells, eachCell, isBottom, notAfter, type Query } from '../evaluate/query';
import type { Turn } from '../evaluate/turn';
import { idsOf, type PublishedBundle } from '../language/canonicalLanguage';
import { bundleChecksumOf } from '../language/checksums';
import type { Id } from '../language/language';
import {
  decodeChunk,
  type DecodedChunk,
  emptyChunk,
  type ExternalStates,
  idsIn,
  type QueriesChunk,
  type StoredQuery,
  type StoredQueryState,
  type WireQuery,
} from './chunk';
import { readCells } from './migration';

/**
 * What the store holds for this engine, and what the engine puts there. A chunk that cannot be read is reported and
 * given up; its queries are then rebuilt from past events.
 */
export class Storage {
  /** Entries whose query is not known, or broken, on this page: they are written back as they were. */
  readonly kept = new Map<Id, StoredQueryState>();
  /** The completion of a page view that is still to be counted. */
  unprocessed: EngineEvent | null;
  /** Offset of the last state sync; 0 asks the server for everything. */
  lastSeenOffset: number;
  /** Revision of the chunk that was written or merged last. */
  rev: number;
  /** What was wrong with the stored chunk, for the first report. */
  readonly errors: string[] = [];
  /** Appends each answer of cloud lift again, in their order, to the state of another tab. */
  readonly appended: ((turn: Turn) => void)[] = [];
  /** The chunk as it was found last. */
  loaded: DecodedChunk;
  /** Whether the chunk that the engine began with was of an older version. */
  readonly migrated: boolean;
  /** The checksum of that many queries. */
  private named: { readonly size: number; readonly checksum: string };
  /** Entries whose query is not known are kept. */
  private keepsUnknown = true;

  constructor(
    stored: unknown,
    private source: string,
    private readonly machine: Machine,
    bundle: PublishedBundle,
  ) {
    const { checksum } = bundle;
    this.named = checksum === undefined ? { size: -1, checksum: '' } : { size: idsOf(bundle).length, checksum };
    this.loaded = this.read(stored);
    this.migrated = this.loaded.version !== 2;
    this.unprocessed = this.loaded.unprocessed;
    this.lastSeenOffset = this.loaded.lastSeenOffset;
    this.rev = this.loaded.rev;
    this.keep(this.loaded);
  }

  /** Takes over a chunk that another tab has written: what does not belong to a query of this page. */
  rebase(chunk: DecodedChunk): void {
    this.loaded = chunk;
    this.source = chunk.source;
    this.rev = Math.max(this.rev, chunk.rev);
    this.lastSeenOffset = Math.max(this.lastSeenOffset, chunk.lastSeenOffset);
    this.kept.clear();
    if (this.keepsUnknown) this.keep(chunk);
    for (const id of this.machine.catalogue.queries.keys()) this.kept.delete(id);
  }

  /**
   * Gives a query its stored state, if there is one that it can use. `unusable`: it is of another meaning, or
   * malformed. Notes in the turn where the state is not as it was stored.
   */
  restore(query: Query, turn: Turn): 'restored' | 'absent' | 'unusable' {
    const stored = this.loaded.internal.get(query.id);
    this.kept.delete(query.id);
    if (stored === undefined) return 'absent';
    const own = this.cellsOf(query, stored, turn);
    if (own === null) return 'unusable';
    const { result } = stored;
    query.cells.own = own;
    query.result = result;
    query.activations = result ? query.platforms : [];
    this.machine.memberships.of(query.id).member = result;
    return 'restored';
  }

  /**
   * What the chunk says of a query: its cells and its result. Null where it says nothing that can be used: the state is
   * of another meaning or malformed, or it is absent from the chunk of another bundle.
   */
  stateOf(query: Query, turn: Turn): { readonly own: readonly Component[]; readonly result: boolean } | null {
    const stored = this.loaded.internal.get(query.id);
    if (stored === undefined) return this.isSameBundle() ? { own: bottomCells(query.specs), result: false } : null;
    const own = this.cellsOf(query, stored, turn);
    return own === null ? null : { own, result: stored.result };
  }

  /** Gives up entries whose query is not known, for the ids of which the test is true, now and after each rebase. */
  forget(isObsolete: (id: Id) => boolean): void {
    this.keepsUnknown = false;
    for (const id of [...this.kept.keys()]) if (isObsolete(id)) this.kept.delete(id);
  }

  // Cells of older versions cannot be written back as they are.
  private keep({ version, internal }: DecodedChunk): void {
    if (version === 2) for (const [id, state] of internal) if (Array.isArray(state.cells)) this.kept.set(id, state);
  }

  /** Whether a chunk, the stored one by default, is complete for the queries that are there. */
  isSameBundle(chunk = this.loaded): boolean {
    return chunk.bundleChecksum === this.bundleChecksum();
  }

  /**
   * The cells of a stored state; null when its checksum is another one (spec S§5), or when they are malformed. What was
   * counted by a clock that was ahead is of now from here on, so the state has to be saved.
   */
  private cellsOf(query: Query, { checksum, cells }: StoredQueryState, turn: Turn): readonly Component[] | null {
    const found = checksum === query.checksum ? readCells(query, cells, this.loaded.version) : null;
    const own = found && notAfter(query, found, this.machine.present.now, true);
    if (own !== found) turn.changed(query);
    return own;
  }

  /** Ids among which are all dormant queries that have counted something, or whose server does not know all of it. */
  namedIds(): Iterable<Id> {
    return this.loaded.version === 2 ? idsIn(this.loaded) : this.machine.catalogue.dormant.ids();
  }

  /** Made anew when a query was added. */
  private bundleChecksum(): string {
    const { queries, dormant, size } = this.machine.catalogue;
    if (size !== this.named.size)
      this.named = {
        size,
        checksum: bundleChecksumOf([
          ...mapItems(queries.values(), ({ id, checksum }) => [id, checksum] as const),
          ...dormant.checksums(),
        ]),
      };
    return this.named.checksum;
  }

  /**
   * The chunk to store. Drops what can no longer count first. Queries that are not rebuilt yet are left out. Where
   * there are such queries, the chunk is not `isComplete` and does not name its bundle, so that the next page rebuilds
   * them if this one does not come to it. Unknown entries are written back as they were found.
   */
  write(external: ExternalStates, unbuilt: ReadonlySet<Query>, isComplete: boolean): QueriesChunk {
    const { catalogue, lookups, present } = this.machine;
    const queries = [...catalogue.queries.values()].filter((query) => !unbuilt.has(query));
    for (const query of queries) query.cells.own = compacted(query, query.cells.own, present.now);
    const states = queries
      // Under the same bundle, a query without an entry is known to have counted nothing.
      .filter((query) => query.result || !isBottom(query.cells.own))
      .map((query) => [query.id, storedQuery(query)] as const);
    const kept = mapItems(
      this.kept,
      ([id, { checksum, cells, result }]) => [id, { checksum, state: cells as readonly unknown[], result }] as const,
    );
    this.rev++;
    return {
      migration_version: 2,
      rev: this.rev,
      'event-source-id': this.source,
      bundle_checksum: isComplete ? this.bundleChecksum() : '',
      internal_query_states: Object.fromEntries([...kept, ...states]),
      ...external,
      unsynced: [
        ...[...catalogue.queries.values()].flatMap(({ id, isUnsynced }) => (isUnsynced ? id : [])),
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

  /** Decodes what is stored; an empty chunk where nothing is or nothing can be used. */
  private read(stored: unknown): DecodedChunk {
    if (stored === null || stored === undefined) return emptyChunk(this.source);
    const chunk = decodeChunk(stored);
    if (chunk instanceof Error) {
      this.errors.push(`Failed to read query state. Got ${chunk.message}`);
      return emptyChunk(this.source);
    }
    // The components of another source are not ours to go on counting in. Revisions go on from the revision of the
    // stored chunk.
    return chunk.source === this.source
      ? chunk
      : { ...emptyChunk(this.source), rev: chunk.rev, groupId: chunk.groupId };
  }
}

/** The components without what can no longer count at `now`; the same list when that is nothing. */
export const compacted = (query: Query, components: readonly Component[], now: number): readonly Component[] =>
  eachCell(query, components, (spec, component) => spec.kind.compact(spec, component, now));

/** A query state for the store. */
const storedQuery = ({ checksum, specs, cells, result, activations }: Query): StoredQuery => ({
  checksum,
  state: encodeCells(specs, cells.own),
  result,
  ...(activations.length > 0 ? { activations } : {}),
});

/** A query state for other engines. */
export const wireQuery = ({ checksum, specs }: Query, components: readonly Component[]): WireQuery => [
  checksum,
  encodeCells(specs, components),
];
