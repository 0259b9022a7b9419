import { AnyRecord, AnyString } from '../codecs/codecs';
import { IsoDate } from '../primitives/isoDate';

/**
 * Where an event happened (spec C§3). `user_agent` ends with the SDK's suffix; `url` and `referrer` have no trailing
 * slashes.
 */
export interface ClientContext {
  readonly type: string;
  readonly user_agent: string;
  readonly url: string;
  readonly domain: string;
  readonly title: string;
  readonly referrer: string;
}

/** Properties of an event by name. In an event they hold only what JSON can hold; in a draft they may hold anything. */
export type Properties = Readonly<Record<string, unknown>>;

/**
 * One thing that happened, as it is cached and evaluated (spec C§3). `time` is ISO 8601, `id` a UUID. The upload adds
 * the visitor's id and cohorts.
 */
export interface Event {
  readonly id: string;
  readonly name: string;
  readonly time: string;
  readonly properties: Properties;
  readonly session_id: string;
  readonly view_id: string;
}
/** The fields of an event in the order in which their faults are named. */
export const eventFields = {
  id: AnyString,
  name: AnyString,
  time: IsoDate,
  properties: AnyRecord,
  session_id: AnyString,
  view_id: AnyString,
} as const;

/** An event with its place among the events of its page, by which engines know whether they have counted it. */
export interface NumberedEvent extends Event {
  /** Id of the page on which it happened. */
  readonly page: string;
  /** 1 for the first event of the page, and so on. */
  readonly number: number;
  /**
   * A later event of the page says all of it again. A provisional event counts where the page ends before the later
   * event.
   */
  readonly provisional?: boolean | undefined;
  /** The properties with placeholders for values that may still come, as in `EventFlags`; absent once they have. */
  readonly unfilled?: Properties | undefined;
}
/** An event of an older version has no place. */
export type KeptEvent = Event & Partial<NumberedEvent>;

/** How an event is treated on its way. No flag is sent with the event. */
export interface EventFlags {
  /** Asks the server to add data of place and content (`enrich` of the batch). */
  readonly requiresEnrichment?: boolean;
  /**
   * What is uploaded in place of the event's properties: they still have the placeholders that the server is to fill.
   * Everybody else gets the event, which has empty values there.
   */
  readonly unfilled?: Properties;
  /**
   * Whether the event is one of this page, with the cohorts that the SDK has computed (`sdkp` of the batch). Default
   * true. An addon says false where it hands over what happened elsewhere.
   */
  readonly sdkProcessed?: boolean;
  /** Sends the event at once, in a way that outlives the page. */
  readonly beacon?: boolean;
  /** Evaluates the event in the browser only; it is never uploaded. */
  readonly edgeOnly?: boolean;
  /** The engine evaluates the event only where the page ends before a later one that says all of it again. */
  readonly provisional?: boolean;
}

/** What a source or an addon wants tracked. The runtime makes it an {@link Event}. */
export interface EventDraft extends EventFlags {
  readonly name: string;
  /** Default: none. `client` is added, and what JSON cannot hold is dropped. */
  readonly properties?: Properties;
  /**
   * Present where the event opens a page view. `isAnother`: it is another view than the one before. `client` and
   * `watson`: what the publisher says of the view's client context and of its classification.
   */
  readonly view?: {
    readonly isAnother: boolean;
    readonly client: Partial<ClientContext>;
    readonly watson?: boolean | undefined;
  };
  /** Nobody gets the event, because the page has filtered it out. The view opens all the same. */
  readonly isUnwanted?: boolean;
}

/** A draft of anybody's. The flag is the SDK's own: no addon and no page sets it. */
export interface AnyDraft extends EventDraft {
  /** The event tells a transition that the engine has made. The engine hears which of them are told. */
  readonly tellsTransition?: boolean;
}

/** An event, and the draft that it was made of. */
export interface Tracked {
  readonly draft: AnyDraft;
  readonly event: Event;
}

/** An event, and its number among the events of its page: above 0, unless it still waits for data. */
export interface Counting extends Tracked {
  /**
   * 0 where no engine has to count the event. Below 0 where the event waits: no engine has heard of it, and it gets its
   * number in the order of the others once it waits no longer.
   */
  readonly number: number;
}
