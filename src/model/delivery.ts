/** The end of one event's delivery. Without `error` the server has accepted it. */
export interface Delivery {
  /** Id of the event. */
  readonly id: string;
  /** `Failed to track {name}` (spec S§8). */
  readonly error?: string;
}
