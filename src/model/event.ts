import * as t from 'io-ts';

import { IsoDate } from './isoDate';

/** Where an event happened; `user_agent` ends with the SDK's suffix (spec C§3). */
export const ClientContext = t.strict(
  { type: t.string, user_agent: t.string, url: t.string, domain: t.string, title: t.string, referrer: t.string },
  'ClientContext',
);
export type ClientContext = t.TypeOf<typeof ClientContext>;

export const Properties = t.record(t.string, t.unknown, 'Properties');
export type Properties = Readonly<Record<string, unknown>>;

/** One thing that happened, as it is cached, evaluated and uploaded. `time` is ISO 8601 (spec C§3). */
export const Event = t.strict(
  { id: t.string, name: t.string, time: IsoDate, properties: Properties, session_id: t.string, view_id: t.string },
  'Event',
);
export type Event = Readonly<t.TypeOf<typeof Event>>;

/** How an event is treated on its way; none of it is sent. */
export interface EventFlags {
  /** Ask the server to add geo, ISP and classification (`enrich`). */
  readonly requiresEnrichment?: boolean;
  /** Cohorts were computed here (`sdkp`). Default true. */
  readonly sdkProcessed?: boolean;
  /** Sent at once and so that it outlives the page. */
  readonly beacon?: boolean;
  /** Evaluated here, never uploaded. */
  readonly edgeOnly?: boolean;
}

/** What a source or an addon wants tracked; the runtime makes it an {@link Event}. */
export interface EventDraft extends EventFlags {
  readonly name: string;
  readonly properties?: Properties;
  /**
   * This event opens a page view: another one in the same document, and with what the publisher says of its client
   * context and its classification.
   */
  readonly view?: { readonly isAnother: boolean; readonly client: Partial<ClientContext>; readonly watson?: boolean };
}
