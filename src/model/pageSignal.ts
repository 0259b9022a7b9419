// What a page tells of its visitor, as sources read it off DOM events.

/** A submitted form as it is tracked (spec S§3), without its personal fields. */
export interface FormContent {
  readonly id?: string;
  readonly name?: string;
  /** Where the form is sent, without query and fragment. */
  readonly action?: string;
  /** `get`, `post` or `dialog`. */
  readonly method: string;
  /** The remaining fields in the order of the form. */
  readonly properties: readonly { readonly name: string; readonly value: string }[];
}

/** A click on a link (spec S§3, S§5). */
export interface LinkClick {
  /**
   * The link's address without credentials and fragment, with `*` for redacted parameters; `NOT_URL` where it is not
   * http(s).
   */
  readonly dest_url: string;
  /** True where the page may be replaced by the link's target, so that the event must outlive it. */
  readonly leaves: boolean;
}

/** A message that any frame or script has posted to the page's window. No field of the message has been checked. */
export interface PageMessage {
  readonly data: unknown;
  /** The sender's origin as the browser gives it: `https://host`, or the text `null` for a sandboxed sender. */
  readonly origin: string;
  /** The sender's window; null where there is none. */
  readonly source: unknown;
}

/**
 * The page is hidden, unloads or is about to be replaced. The exit is told in two steps, so that the order of
 * subscriptions does not matter.
 */
export interface PageExit {
  /** At `beforeFlush` addons emit their final events; at `flush` state is written and events are sent. */
  readonly step: 'beforeFlush' | 'flush';
  /** False where the page may still go on: it is hidden, or another document has been asked for in its place. */
  readonly isUnloading: boolean;
}
