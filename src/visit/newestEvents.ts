import type { Json } from '../hardening/json';
import type { Event } from '../model/event';

/** Characters of the events that are left to another engine, at most. An event may have as many as 48 kB. */
const maxChars = 1_000_000;

/** The newest of these events, oldest first: as many as `maxChars` have room for, and `maxCount` at most. */
export const newestEvents = <A extends Event>(events: readonly A[], maxCount: number, json: Json): readonly A[] => {
  let from = events.length;
  let room = maxChars;
  while (from > 0 && events.length - from < maxCount) {
    room -= json.stringify(events[from - 1]).length;
    if (room < 0) break;
    from -= 1;
  }
  return events.slice(from);
};
