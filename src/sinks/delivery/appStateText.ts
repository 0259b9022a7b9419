import type { Json } from '../../model/json';
import type { AppState, QueueEntry, StoredEvent } from './appState';
import type { UploadItem } from './uploadQueue';

/**
 * The stored text of a state; partners read `core.cohorts.all` in it. Waiting events are joined as the texts that they
 * have already, so a save with hundreds of waiting events does not encode them again.
 */
export const appStateText = ({ cohorts, queue, pause, unsaved }: AppState<QueueEntry>, json: Json): string => {
  const core = json.stringify({ cohorts: { all: cohorts } });
  const eventUpload = queue.map(({ text }) => text).join(',');
  const pauseText = pause ? `,"pause":${json.stringify(pause)}` : '';
  const queryLanguage = json.stringify({ unsaved });
  return `{"core":${core},"eventPublication":{"eventUpload":[${eventUpload}]${pauseText}},"queryLanguage":${queryLanguage}}`;
};

/** The entry of an event that was read from the stored state. An entry is answered as it is. */
export const queueEntryOf = (stored: StoredEvent | QueueEntry, json: Json): QueueEntry => {
  if ('text' in stored) return stored;
  const { page, event } = stored;
  return { page, text: json.stringify([event.id, { event, page }]) };
};

/**
 * Makes the stored entry of an event on its way: the text that the server gets, and the flags for how the server is to
 * treat it. Each item's entry is made once.
 */
export const queueEntries = (json: Json): ((item: UploadItem) => QueueEntry) => {
  const made = new WeakMap<UploadItem, QueueEntry>();
  return (item) => {
    const known = made.get(item);
    if (known !== undefined) return known;
    const { id, page, flags, text } = item;
    // The flags are put into the text before its closing brace, which is cheaper than encoding the event anew.
    const event = `${text.slice(0, -1)},"requiresEnrichment":${flags.enrich},"sdkProcessed":${flags.sdkProcessed}}`;
    const entry = { page, text: `[${json.stringify(id)},{"event":${event},"page":${json.stringify(page)}}]` };
    made.set(item, entry);
    return entry;
  };
};
