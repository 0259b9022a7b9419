import { catchError, defer, map, type Observable, of, tap } from 'rxjs';

import type { EngineEvent } from '../engine/engineEvent';
import type { Json } from '../hardening/json';
import type { Event } from '../model/event';
import type { EventStore } from '../platform/platform';
import { timeOf } from '../primitives/isoDate';

/** The store is read again after so long. A page may ask for many explanations, one after the other. */
const storedForMs = 1000;

interface KnownEventsDeps {
  readonly store: Pick<EventStore, 'records'>;
  readonly json: Json;
  readonly now: () => number;
}

/**
 * Answers a function that gives all events of the visitor that are still known, oldest first: those of pages before
 * this one, those of this page that are stored, and those that the services have seen. The services have not seen what
 * was evaluated before they were loaded. Each answer is cold and emits once; it never errors.
 */
export const knownEvents = (
  past: readonly Event[],
  { store, json, now }: KnownEventsDeps,
): ((seen: readonly Event[]) => Observable<readonly EngineEvent[]>) => {
  let stored: readonly Event[] = [];
  let readAt = -Infinity;
  const read = (): Observable<readonly Event[]> =>
    store.records().pipe(
      map((records) => records.flatMap(({ text }) => eventsOfRecord(json.parse(text)))),
      // Explanations do without; the cache reports a store that cannot be read.
      catchError(() => of([])),
      tap((events) => {
        stored = events;
        readAt = now();
      }),
    );
  return (seen) =>
    defer(() => (now() - readAt > storedForMs ? read() : of(stored))).pipe(
      map((events) => inOrder([...past, ...events, ...seen])),
    );
};

/** The events of one record, as far as they can be read. */
const eventsOfRecord = (record: unknown): readonly Event[] =>
  Array.isArray(record) ? (record as unknown[]).filter(isStoredEvent) : [];

const isStoredEvent = (input: unknown): input is Event =>
  typeof input === 'object' && input !== null && 'properties' in input && 'time' in input && 'name' in input;

/** Each event once, the oldest first. */
const inOrder = (events: readonly Event[]): readonly EngineEvent[] =>
  [...new Map(events.map((event) => [event.id, { ...event, time: timeOf(event.time) }])).values()].sort(
    (a, b) => a.time - b.time,
  );
