import type { Context } from './evaluate/context';
import type { PublishedBundle } from './language/canonicalLanguage';
import type { LookupName } from './language/language';

/** What a page gives its engine to start with. */
export interface RuntimeInput {
  /** Id of this browser's storage. State that was stored under another id is not counted on. */
  readonly event_source_id: string;
  /** Present time in ms since 1970. */
  readonly now: number;
  /** The project's query definitions. */
  readonly bundle: PublishedBundle;
  /**
   * The stored queries chunk of any version, or null. The engine decodes the chunk; a chunk that cannot be read is
   * reported and given up.
   */
  readonly state: unknown;
  /** The session and the view that the page is in. */
  readonly context: Context;
  /** Values of the lookups that are there already. */
  readonly lookups: Partial<Record<LookupName, unknown>>;
  /**
   * Lookups that `updateData` will provide. Until then, the queries that read them keep their stored result and go on
   * counting. A query that reads a lookup neither provided nor pending fails when it is evaluated.
   */
  readonly pending: readonly LookupName[];
}
