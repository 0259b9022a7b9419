/** Something about a page that an engineer should know. */
export interface Finding {
  readonly finding: string;
  /** `error`: the SDK does not do its work here. `warning`: a part of it does not. `info`: worth knowing. */
  readonly severity: 'error' | 'warning' | 'info';
  /** Where it was found, such as `consent`. */
  readonly where: string;
  /** The text that says what to do about the finding; empty where nothing is wrong. */
  readonly fix: string;
}
