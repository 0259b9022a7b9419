import type { Cohorts } from './cohorts';
import type { ClientContext, Event } from './event';
import type { Metric } from './metric';
import type { Transition } from './protocol';

/** What a visit lets the public object, and through it the page, know. */
export type Signal =
  | { readonly type: 'visit'; readonly context: () => PageContext }
  | { readonly type: 'stage'; readonly stage: Stage }
  | { readonly type: 'event'; readonly event: Event }
  | { readonly type: 'cohorts'; readonly cohorts: Cohorts }
  | { readonly type: 'transition'; readonly transition: Transition }
  | { readonly type: 'delivery'; readonly id: string; readonly error?: string }
  | { readonly type: 'consent'; readonly given: boolean }
  /** Measured by the engine. */
  | { readonly type: 'metrics'; readonly metrics: readonly Metric[] };

/** `initialised`: queries are loaded, methods work. `realtime`: cohorts are this page's own. */
export type Stage = 'initialised' | 'realtime';

/** Who, where and when: `permutive.context` (contract: the public object). */
export interface PageContext {
  readonly user_id: string;
  readonly session_id: string;
  readonly view_id: string;
  readonly client: ClientContext;
  /** Where the visitor is, and what the page is about: once that was asked for. */
  readonly geoip?: Readonly<Record<string, unknown>>;
  readonly watson?: Readonly<Record<string, unknown>>;
}
