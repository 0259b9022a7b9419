import * as t from 'io-ts';

import { decodeOr } from '../../model/decode';
import type { ClientContext, EventDraft, Properties } from '../../model/event';

/** What a page may give `permutive.addon('web', …)`. Defaults are in `defaults` (spec S§9). */
export interface WebOptions {
  /** Custom properties of the Pageview and of all other events of its view. */
  readonly page: Properties;
  /** Replaces the page's own url, title and referrer in the client context of the view. */
  readonly context: Partial<Pick<ClientContext, 'url' | 'title' | 'referrer'>>;
  readonly track_pageview_engagement: boolean;
  readonly track_pageview_complete: boolean;
  readonly track_form_submission: boolean;
  readonly track_link_click: boolean;
  /** Evaluate PageviewEngagement in the browser only and do not upload it. */
  readonly engagement_edge_only: boolean;
  /** Types of DOM events that count as activity, instead of mousemove, click and scroll. */
  readonly dirty_events?: readonly string[];
  /** Returns how much of the page has been seen, from 0 to 1. Replaces the scroll depth. */
  readonly completion?: () => unknown;
  /** By event name, a function that says whether to track that event. It gets `{name, properties}`. */
  readonly filterPermutiveEvent: Readonly<Record<string, unknown>>;
  /** Whether this view's content is classified, instead of what the config says. */
  readonly watson?: { readonly enabled: boolean };
}

/** The type of each option. Each is decoded on its own, so that one wrong option does not discard the others. */
const fields: { readonly [Name in keyof WebOptions]-?: t.Mixed } = {
  page: t.UnknownRecord,
  context: t.partial({ url: t.string, title: t.string, referrer: t.string }),
  track_pageview_engagement: t.boolean,
  track_pageview_complete: t.boolean,
  track_form_submission: t.boolean,
  track_link_click: t.boolean,
  engagement_edge_only: t.boolean,
  dirty_events: t.array(t.string),
  completion: t.Function,
  filterPermutiveEvent: t.UnknownRecord,
  watson: t.type({ enabled: t.boolean }),
};

const defaults: WebOptions = {
  page: {},
  context: {},
  track_pageview_engagement: true,
  track_pageview_complete: true,
  track_form_submission: false,
  track_link_click: false,
  engagement_edge_only: true,
  filterPermutiveEvent: {},
};

/**
 * Reads the options one by one. A wrong option is reported to `onFault` and dropped, the others count, and defaults
 * fill the rest (spec S§5).
 */
export const webOptions = (input: unknown, onFault: (cause: unknown) => void): WebOptions => {
  const given: Readonly<Record<string, unknown>> = decodeOr(t.UnknownRecord, input ?? {}, {}, onFault);
  const right = Object.entries(fields).flatMap(([name, codec]) => {
    if (!Object.hasOwn(given, name) || given[name] === undefined) return [];
    const decoded: Readonly<Record<string, unknown>> | undefined = decodeOr(
      t.type({ [name]: codec }),
      given,
      undefined,
      onFault,
    );
    return decoded === undefined ? [] : [[name, decoded[name]] as const];
  });
  return { ...defaults, ...Object.fromEntries(right) };
};

/**
 * How much of the page has been seen, from 0 to 1: by the page's own function where it gave one, else the scroll depth.
 * A function that throws or returns no number counts as 0 (spec S§5).
 */
export const completionOf = ({ completion }: WebOptions, scrollDepth: () => number): number => {
  if (completion === undefined) return scrollDepth();
  try {
    return Math.min(1, Math.max(0, Number(completion()) || 0));
  } catch {
    return 0;
  }
};

/**
 * Whether the page's filter lets an event through. Without a filter it passes. A filter that throws or returns no
 * boolean is reported, and the event passes (spec S§5).
 */
export const isWanted = (
  { filterPermutiveEvent }: WebOptions,
  { name, properties }: EventDraft,
  onFault: (cause: unknown) => void,
): boolean => {
  const predicate = Object.hasOwn(filterPermutiveEvent, name) ? filterPermutiveEvent[name] : undefined;
  if (predicate === undefined) return true;
  try {
    const answer: unknown = (predicate as (event: object) => unknown)({ name, properties });
    if (typeof answer === 'boolean') return answer;
    onFault(new Error(`filterPermutiveEvent/${name}: expected a function that returns a boolean`));
  } catch (cause) {
    onFault(cause);
  }
  return true;
};
