/** An event as the engine takes it. */
export interface EngineEvent {
  readonly name: string;
  readonly time: number;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly session_id?: string | null;
  readonly view_id?: string | null;
}
