import type { Json } from '../../model/json';
import type { AppState, QueueEntry, StoredEvent } from './appState';
import type { UploadItem } from './uploadQueue';

/**
 * The stored text of a state; partners read `core.cohorts.all` in it. The events that wait are joined as the texts that
 * they are already: a save costs what has changed, and hundreds of waiting events are not made into text again.
 */
export const appStateText = ({ cohorts, queue, pause, unsaved }: AppState<QueueEntry>, json: Json): string => {
  const core = json.stringify({ cohorts: { all: cohorts } });
  const eventUpload = queue.map(({ text }) => text).join(',');
  const pauseText = pause ? `,"pause":${json.stringify(pause)}` : '';
  const queryLanguage = json.stringify({ unsaved });
  return `{"core":${core},"eventPublication":{"eventUpload":[${eventUpload}]${pauseText}},"queryLanguage":${queryLanguage}}`;
};

/** The entry of an event that was read from the stored state; an entry stays as it is. */
export const queueEntryOf = (stored: StoredEvent | QueueEntry, json: Json): QueueEntry => {
  if ('text' in stored) return stored;
  const { page, event } = stored;
  return { page, text: json.stringify([event.id, { event, page }]) };
};

/**
 * Makes the entry of an event on its way, once for each: its text for the server, and how the server is to treat it.
 */
export const queueEntries = (json: Json): ((item: UploadItem) => QueueEntry) => {
  const made = new WeakMap<UploadItem, QueueEntry>();
  return (item) => {
    const known = made.get(item);
    if (known !== undefined) return known;
    const { id, page, flags, text } = item;
    const event = `${text.slice(0, -1)},"requiresEnrichment":${flags.enrich},"sdkProcessed":${flags.sdkProcessed}}`;
    const entry = { page, text: `[${json.stringify(id)},{"event":${event},"page":${json.stringify(page)}}]` };
    made.set(item, entry);
    return entry;
  };
};
