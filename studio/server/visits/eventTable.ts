import { eventIn } from '../../../project/visits/visits';
import type { EngineEvent } from '../../../src/engine/engineEvent';

/**
 * Events of many visitors as columns and texts that threads share: a million events as objects would take several times
 * the memory, and each thread would need a copy.
 */
export interface EventTable {
  /** Texts of events, one after the other. */
  readonly chunks: readonly Uint8Array[];
  /** By event: its chunk, the place of its text there, the length of that, its name by number, and its time. */
  readonly chunk: Int32Array;
  readonly offset: Int32Array;
  readonly length: Int32Array;
  readonly name: Int32Array;
  readonly time: Float64Array;
  readonly names: readonly string[];
  /** Events of a visitor: those of `order` from `starts[visitor]` to `starts[visitor + 1]`, oldest first. */
  readonly order: Int32Array;
  readonly starts: Int32Array;
  /** Times of the first event and the last, of all visitors. */
  readonly from: number;
  readonly to: number;
}

export const visitorsOf = ({ starts }: Pick<EventTable, 'starts'>): number => starts.length - 1;

/** Reads the text of an event. */
export const eventAt = (table: EventTable, event: number): EngineEvent => {
  const { buffer, byteOffset } = table.chunks[table.chunk[event]!]!;
  const text = Buffer.from(buffer, byteOffset + table.offset[event]!, table.length[event]).toString();
  // Only texts that are events are added.
  return eventIn(JSON.parse(text))!;
};

/** The events of a visitor, oldest first. */
export const eventsOf = (table: EventTable, visitor: number): readonly EngineEvent[] =>
  Array.from(table.order.subarray(table.starts[visitor], table.starts[visitor + 1]), (event) => eventAt(table, event));
