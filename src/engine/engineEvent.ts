/** An event as the engine takes it: without its id, because the engine does not look for duplicates. */
export interface EngineEvent {
  /** Name of the event, such as `Pageview`. Queries wait for events by name. */
  readonly name: string;
  /** When it happened, in ms since 1970. A time to come is taken as now. */
  readonly time: number;
  /** What paths of predicates read. Comes from the page and may have any shape. */
  readonly properties: Readonly<Record<string, unknown>>;
  /** Id of the session it happened in. Without one it does not count in cells of the current session. */
  readonly session_id?: string | null;
  /** Id of the page view it happened in. Without one it does not count in cells of the current view. */
  readonly view_id?: string | null;
}
