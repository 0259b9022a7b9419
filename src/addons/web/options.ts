import * as t from 'io-ts';
import type { ClientContext, Properties } from '../../model/event';
import { decodeOr } from '../../model/decode';

/** What a page may give `permutive.addon('web', …)`; defaults of spec S§9. */
export interface WebOptions {
  /** Custom properties of the Pageview, and of what follows in its view. */
  readonly page: Properties;
  /** Replaces the page's own url, title and referrer. */
  readonly context: Partial<Pick<ClientContext, 'url' | 'title' | 'referrer'>>;
  readonly track_pageview_engagement: boolean;
  readonly track_pageview_complete: boolean;
  /** Engagement is evaluated here and not uploaded. */
  readonly engagement_edge_only: boolean;
}

const fields = {
  page: t.UnknownRecord,
  context: t.partial({ url: t.string, title: t.string, referrer: t.string }),
  track_pageview_engagement: t.boolean,
  track_pageview_complete: t.boolean,
  engagement_edge_only: t.boolean,
};

const defaults: WebOptions = { page: {}, context: {}, track_pageview_engagement: true, track_pageview_complete: true, engagement_edge_only: true };

/** Each option for itself: a wrong one is told and dropped, the others count (spec S§5). */
export const webOptions = (input: unknown, onFault: (cause: unknown) => void): WebOptions => {
  const given: Readonly<Record<string, unknown>> = decodeOr(t.UnknownRecord, input ?? {}, {}, onFault);
  const option = <Name extends keyof WebOptions>(name: Name): WebOptions[Name] => {
    if (!Object.hasOwn(given, name) || given[name] === undefined) return defaults[name];
    const codec: t.Mixed = t.type({ [name]: fields[name] });
    return (decodeOr(codec, given, defaults, onFault) as WebOptions)[name];
  };
  return {
    page: option('page'),
    context: option('context'),
    track_pageview_engagement: option('track_pageview_engagement'),
    track_pageview_complete: option('track_pageview_complete'),
    engagement_edge_only: option('engagement_edge_only'),
  };
};
