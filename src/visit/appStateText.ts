import type { Json } from '../hardening/json';
import { ownFields } from '../hardening/ownFields';
import type { StoredEvent } from '../model/queuedEvent';
import type { AppState, QueueEntry } from './appState';

/**
 * The stored text of a state; partners read `core.cohorts.all` in it. Waiting events are joined as the texts that they
 * have already, so a save does not encode them again.
 */
export const appStateText = (state: AppState<QueueEntry>, json: Json): string => {
  const { cohorts, produced, queue, pause } = ownFields(state);
  const all = [...new Set([...cohorts, ...Object.values(produced ?? {}).flat()])];
  const core = json.stringify({ cohorts: produced ? { all, ql: cohorts, produced } : { all: cohorts } });
  const eventUpload = queue.map(({ text }) => text).join(',');
  const pauseText = pause ? `,"pause":${json.stringify(pause)}` : '';
  return `{"core":${core},"eventPublication":{"eventUpload":[${eventUpload}]${pauseText}}}`;
};

const isEntry = (stored: StoredEvent | QueueEntry): stored is QueueEntry => Object.hasOwn(stored, 'text');

/** The entry of an event that was read from the stored state. An entry is answered as it is. */
export const queueEntryOf = (stored: StoredEvent | QueueEntry, json: Json): QueueEntry => {
  if (isEntry(stored)) return stored;
  const { page, event } = stored;
  return { page, text: json.stringify([event.id, { event, page }]) };
};
