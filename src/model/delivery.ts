import type { Event, NumberedEvent } from './event';

/** The end of one event's delivery. Without `error` the server has accepted it. */
export interface Delivery {
  /** Id of the event. */
  readonly id: string;
  /** `Failed to track {name}` (spec S§8). */
  readonly error?: string;
}

// What the records of the journal say of an event beside the event itself: its place among the events that engines
// count, and what is done with it already. Pages write the records; pages and engines read them.

/** The place of an event that an engine has to count. */
export interface Place extends Pick<NumberedEvent, 'page' | 'number'> {
  readonly isProvisional: boolean;
}

/** Marks of an event in a record: bits that are added up. */
export const provisionalMark = 1;
export const uploadedMark = 2;

/**
 * The place of an event of a page, by its number there (`Counting`); null where no engine has to count it. An event
 * that waits for data has a number of another row: its page tells its engine of it later than of events with higher
 * numbers.
 */
export const placeOf = (page: string, number: number, isProvisional: boolean): Place | null =>
  number === 0 ? null : { page: number < 0 ? `${page}~` : page, number: Math.abs(number), isProvisional };

/** The place of an event of a record with this key, by its number and marks there. */
export const placeInRecord = (key: string, number: number, marks: number): Place | null =>
  placeOf(pageOfRecord(key), number, (marks & provisionalMark) > 0);

/** The number of `placeOf`. */
export const numberOf = (place: Place | null): number =>
  place === null ? 0 : place.page.endsWith('~') ? -place.number : place.number;

/** The page of a record, from its key. */
export const pageOfRecord = (key: string): string => key.slice(0, key.lastIndexOf('/'));

/** The text of a journalled event for an engine: what the server is to fill in is not known here. */
export const withoutPlaceholders = (text: string): string =>
  text.replace(/"\$(ip|alchemy|taxonomy)_\w+"(?=[,\]}])/g, 'null');

/** A journalled event as an engine takes it in. */
export const numberedEvent = (
  { id, name, time, properties, session_id, view_id }: Event,
  { page, number, isProvisional }: Place,
): NumberedEvent => ({
  ...{ id, name, time, properties, session_id, view_id, page, number },
  provisional: isProvisional || undefined,
});
