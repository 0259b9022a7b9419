/** A message that was posted to the page's window. */
export interface PageMessage {
  readonly data: unknown;
  /** As the browser says it: `https://host`, or `null` for a sandboxed sender. */
  readonly origin: string;
  /** The sender's window. */
  readonly source: unknown;
}
