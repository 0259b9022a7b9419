import type { IsWanted } from '../engine/engineInterface';
import type { Query } from '../engine/evaluate/query';
import { readerOf } from '../engine/language/readerOf';
import { ownFields } from '../hardening/ownFields';
import { json } from '../hardening/plainJson';
import type { Event, NumberedEvent } from '../model/event';

/** An event that some queries may take in later than the others. */
export interface HeldEvent {
  readonly event: NumberedEvent;
  /** Whether the event is held for a query. Undefined: the event is held for none. */
  readonly isHeld: IsWanted | undefined;
}

/** A held event, and how long its values may still be awaited, in ms: 0 where none are. */
interface Waiting extends HeldEvent {
  event: NumberedEvent;
  restMs: number;
}

/**
 * Holds events for the queries that read properties of which the values are still to come, for `waitMs` at most. An
 * event that comes later is held for the same queries, so that each query takes in the events in their order. `fields`:
 * the properties that queries read and that may come late.
 */
export const heldEvents = (waitMs: number, fields: readonly string[]) => {
  // The oldest event is first.
  const queue: Waiting[] = [];
  let names: readonly string[] = [];
  let isHeld: IsWanted = () => false;
  return {
    isHolding: (): boolean => queue.length > 0,
    /** Takes an event, and holds it where it, or one before it, lacks values. */
    add: (numbered: NumberedEvent): HeldEvent => {
      const { unfilled = {}, ...event } = ownFields(numbered);
      // Placeholders are left where values are not known.
      const unknown = fields.filter((name) => json.stringify([unfilled[name]]).includes('"$'));
      // Queries stay held until no event is: otherwise they would take in a later event before an earlier one.
      const awaited = queue.length > 0 ? [...new Set([...names, ...unknown])] : unknown;
      if (awaited.length === 0) return { event, isHeld: undefined };
      if (awaited.join() !== names.join()) isHeld = readersOf(awaited);
      names = awaited;
      const held: Waiting = { event, isHeld, restMs: unknown.length > 0 ? waitMs : 0 };
      queue.push(held);
      return held;
    },
    /**
     * So many ms have passed, and perhaps the values of an event have come. Takes out the events up to the first one
     * that still waits.
     */
    takeDue: (ms: number, filled?: Event): readonly HeldEvent[] => {
      for (const held of queue) {
        held.restMs -= ms;
        if (held.event.id !== filled?.id) continue;
        held.event = { ...held.event, properties: filled.properties };
        held.restMs = 0;
      }
      const first = queue.findIndex(({ restMs }) => restMs > 0);
      return queue.splice(0, first < 0 ? queue.length : first);
    },
  };
};

/** Tells the queries that read one of these properties. The text of each query is made and looked at once. */
const readersOf = (names: readonly string[]): IsWanted => {
  const reads = readerOf(names);
  const known = new WeakMap<Query, boolean>();
  return ({ query }) => {
    const isReader = known.get(query) ?? reads(query.meaning);
    known.set(query, isReader);
    return isReader;
  };
};

export type HeldEvents = ReturnType<typeof heldEvents>;
