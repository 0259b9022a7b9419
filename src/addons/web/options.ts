import * as t from 'io-ts';

import { decodeOr } from '../../model/decode';
import type { ClientContext, EventDraft, Properties } from '../../model/event';

/** What a page may give `permutive.addon('web', …)`; defaults of spec S§9. */
export interface WebOptions {
  /** Custom properties of the Pageview, and of what follows in its view. */
  readonly page: Properties;
  /** Replaces the page's own url, title and referrer. */
  readonly context: Partial<Pick<ClientContext, 'url' | 'title' | 'referrer'>>;
  readonly track_pageview_engagement: boolean;
  readonly track_pageview_complete: boolean;
  readonly track_form_submission: boolean;
  readonly track_link_click: boolean;
  /** Engagement is evaluated here and not uploaded. */
  readonly engagement_edge_only: boolean;
  /** DOM events that show that a visitor is there, instead of mousemove, click and scroll. */
  readonly dirty_events?: readonly string[];
  /** How much of the page the visitor has seen, 0 to 1, instead of the scroll depth. */
  readonly completion?: () => unknown;
  /** By event name: whether to track that event. */
  readonly filterPermutiveEvent: Readonly<Record<string, unknown>>;
  /** Whether this view's content is classified, instead of what the config says. */
  readonly watson?: { readonly enabled: boolean };
}

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

/** Each option for itself: a wrong one is told and dropped, the others count (spec S§5). */
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
 * How much of the page has been seen: as the page says, else how far it was scrolled. What is no number counts as 0, as
 * a throw does (spec S§5).
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
 * Whether the page wants this event tracked. An answer that is no boolean is told, and the event tracked all the same
 * (spec S§5).
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
