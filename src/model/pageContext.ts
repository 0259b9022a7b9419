import type { ClientContext } from './event';

/**
 * How far a visit has come. `initialised`: queries are loaded and the methods work. `realtime`: the cohorts are those
 * that this page has evaluated.
 */
export type Stage = 'initialised' | 'realtime';

/** A session ends after half an hour without an event (spec C§9). */
export const sessionTimeoutMs = 1_800_000;

/** The client context with its two fields that events do not have (spec C§3). */
export interface PageClient extends ClientContext {
  /** The path of the page's address, as the browser has it. */
  readonly path: string;
  readonly view_id: string;
}

/** Who, where and when: `permutive.context` (contract: the tag and the public object). */
export interface PageContext {
  /** A UUID version 4. */
  readonly user_id: string;
  readonly session_id: string;
  readonly view_id: string;
  /** What the page says of itself, and what the publisher gave instead. */
  readonly client: PageClient;
  /** Where the visitor is, as a flat record; absent until it was asked for and answered. */
  readonly geoip?: Readonly<Record<string, unknown>>;
  /** What the page is about; absent until it was asked for and answered. */
  readonly watson?: Readonly<Record<string, unknown>>;
  /**
   * Codes that describe the page, whoever reads it, and its categories and keywords; absent until the contextual
   * service has answered for this page.
   */
  readonly contextual?: {
    readonly cohorts: readonly string[];
    readonly classifications: Readonly<Record<string, unknown>>;
  };
}
