import type { ClientContext } from './event';

/** `initialised`: queries are loaded, methods work. `realtime`: cohorts are evaluated over this page. */
export type Stage = 'initialised' | 'realtime';

/** Who, where and when: `permutive.context` (contract: the tag and the public object). */
export interface PageContext {
  readonly user_id: string;
  readonly session_id: string;
  readonly view_id: string;
  readonly client: ClientContext;
  /** Where the visitor is, and what the page is about: once that was asked for. */
  readonly geoip?: Readonly<Record<string, unknown>>;
  readonly watson?: Readonly<Record<string, unknown>>;
}
