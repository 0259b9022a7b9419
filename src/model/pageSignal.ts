// What a page tells of its visitor, as sources read it off DOM events.

/** A submitted form as it is tracked (spec S§3). */
export interface FormContent {
  readonly id?: string;
  readonly name?: string;
  readonly action?: string;
  readonly method: string;
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

/** A click on a link (spec S§3, S§5). */
export interface LinkClick {
  /** `NOT_URL` for a data: link. */
  readonly dest_url: string;
  /** The page may be replaced by the link's target, so the event must outlive it. */
  readonly leaves: boolean;
}

/** A message that was posted to the page's window. */
export interface PageMessage {
  readonly data: unknown;
  /** As the browser gives it: `https://host`, or `null` for a sandboxed sender. */
  readonly origin: string;
  /** The sender's window. */
  readonly source: unknown;
}

/**
 * The page is hidden or unloads. It is told in two steps, so that the order of subscriptions does not matter: at
 * `beforeFlush` addons emit their final events, at `flush` state is written and events are sent.
 */
export interface PageExit {
  readonly step: 'beforeFlush' | 'flush';
  /** False when the page is only hidden: it may come back. */
  readonly isUnloading: boolean;
}
