import type { Json } from '../../model/json';
import { ownFields } from '../../model/ownFields';
import { utf8Bytes } from '../../model/utf8Bytes';
import type { QueuedEvent } from './appState';
import type { UploadItem } from './uploadQueue';

/**
 * Makes an accepted event into text, once for the server, the journal and local storage. Without flags of its own, it
 * is not enriched by the server and counts as processed by the SDK.
 */
export const uploadItemOf = (event: QueuedEvent, page: string, json: Json): UploadItem => {
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
  } = ownFields(event);
  const text = json.stringify({ id, user_id, name, time, segments, cohorts, properties, session_id, view_id });
  return { id, name, page, flags: { enrich: requiresEnrichment, sdkProcessed }, text, bytes: utf8Bytes(text) };
};
