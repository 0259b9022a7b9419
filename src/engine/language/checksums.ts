import { json } from '../../hardening/plainJson';
import { mapItems } from '../../primitives/lists';
import type { CanonicalQuery, PublishedBundle } from './canonicalLanguage';
import type { Id } from './language';
import { h53 } from './murmur';

/**
 * Names the meaning of a query, in base 36. State that was made under another checksum is not this query's. The prefix
 * is part of what all engines agree on.
 */
export const checksumOf = ({ q, sub }: CanonicalQuery): string =>
  h53(`ql1|${json.stringify({ q, sub })}`, 0).toString(36);

/**
 * Names a whole bundle, in base 36, by the ids and checksums of its queries. The order of the queries does not matter.
 */
export const bundleChecksumOf = (queries: Iterable<readonly [id: Id, checksum: string]>): string =>
  h53(
    mapItems(queries, ([id, checksum]) => `${id}:${checksum}`)
      .sort()
      .join(','),
    0,
  ).toString(36);

/** The checksum of a bundle that has no queries at rest, or says its checksum. */
export const checksumOfBundle = ({ checksum, queries }: Omit<PublishedBundle, 'resting'>): string =>
  checksum ?? bundleChecksumOf(queries.map((query) => [query.id, query.checksum ?? ''] as const));
