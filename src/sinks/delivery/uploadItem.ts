import type { Json } from '../../model/json';
import type { QueuedEvent } from './appState';
import type { UploadItem } from './uploadQueue';

export interface UploadItemDeps {
  readonly json: Json;
  /** Size of a text in UTF-8. */
  readonly bytesOf: (text: string) => number;
}

/** An accepted event, made into text once: for the server, the journal and local storage. */
export const uploadItemOf = (event: QueuedEvent, page: string, { json, bytesOf }: UploadItemDeps): UploadItem => {
  const {
    id,
    user_id,
    name,
    time,
    segments,
    cohorts,
    properties,
    session_id,
    view_id,
    requiresEnrichment = false,
    sdkProcessed = true,
  } = event;
  const text = json.stringify({ id, user_id, name, time, segments, cohorts, properties, session_id, view_id });
  return { id, name, page, flags: { enrich: requiresEnrichment, sdkProcessed }, text, bytes: bytesOf(text) };
};
