import type { Id } from '../language/language';
import type { QueriesChunk, StoredQuery } from './chunk';

/** A query state without field names. Activations are left out, because they follow from definition and result. */
export type PackedQuery = readonly [checksum: string, cells: readonly unknown[], result: 0 | 1];

/** The chunk in the shortest form that can be read back. */
export type PackedChunk = Omit<QueriesChunk, 'internal_query_states'> & {
  readonly internal_query_states: Readonly<Record<Id, PackedQuery>>;
};

/** Packs a chunk for the store. `decodeChunk` reads packed chunks and others. */
export const packChunk = (chunk: QueriesChunk): PackedChunk => ({
  ...chunk,
  internal_query_states: Object.fromEntries(
    Object.entries(chunk.internal_query_states).map(([id, query]) => [id, packQuery(query)]),
  ),
});

const packQuery = ({ checksum, state, result }: StoredQuery): PackedQuery => [checksum, state, result ? 1 : 0];
