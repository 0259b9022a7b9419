import type { Json } from '../../hardening/json';
import { ownFields } from '../../hardening/ownFields';
import { numberOf, type Place, provisionalMark, uploadedMark } from '../../model/delivery';
import type { QueuedEvent } from '../../model/queuedEvent';
import { sumOf } from '../../primitives/lists';
import { utf8Bytes } from '../../primitives/utf8Bytes';

/** An accepted event as text. */
export interface UploadItem {
  readonly id: string;
  readonly name: string;
  /** How the server is to treat the event: said once per request, so a request holds only events with equal flags. */
  readonly flags: {
    /** The server is to add place and classification. */
    readonly enrich: boolean;
    /** The SDK has computed cohorts over the event. */
    readonly sdkProcessed: boolean;
  };
  /** The event as it is sent: JSON. */
  readonly text: string;
  /** Size of `text` in UTF-8. */
  readonly bytes: number;
  /** The event is to be sent only once it is accepted again, with its data. */
  readonly waits: boolean;
  /** The event's place among those that engines count; null where an engine has the event, or need not have it. */
  readonly place: Place | null;
  /** The server has the event already, or need not get it. */
  readonly isUploaded: boolean;
}

/** Limits of one request (contract: network). A record of the journal holds as many events at most. */
export const maxBatchEvents = 100;
const maxBatchBytes = 512 * 1024;

/** An event that is to be sent now, and that no engine has to count. */
export const onlySent = { waits: false, place: null, isUploaded: false } as const;

/**
 * Makes an accepted event into text, once for the server, the journal and local storage. Without flags of its own, it
 * is not enriched by the server and counts as processed by the SDK.
 */
export const uploadItemOf = (
  event: QueuedEvent,
  json: Json,
  { waits, place, isUploaded }: Pick<UploadItem, 'waits' | 'place' | 'isUploaded'>,
): UploadItem => {
  const { requiresEnrichment = false, sdkProcessed = true, experiment_group, ...own } = ownFields(event);
  const { id, user_id, name, time, segments, cohorts, properties, session_id, view_id } = own;
  const sent = { id, user_id, name, time, segments, cohorts, experiment_group, properties, session_id, view_id };
  const text = json.stringify(sent);
  const flags = { enrich: requiresEnrichment, sdkProcessed };
  return { id, name, flags, text, bytes: utf8Bytes(text), waits, place, isUploaded };
};

/** Whether two events may travel in one request, and be in one record. */
export const sameFlags = (a: UploadItem, b: UploadItem): boolean =>
  a.flags.enrich === b.flags.enrich && a.flags.sdkProcessed === b.flags.sdkProcessed;

/** Events as one JSON list. */
export const listText = (items: readonly UploadItem[]): string => `[${items.map(({ text }) => text).join(',')}]`;

/** Size of the list of these events: brackets and commas count too. */
export const listBytes = (items: readonly UploadItem[]): number => 1 + sumOf(items, ({ bytes }) => bytes + 1);

/**
 * The oldest events that may travel together, at most `maxEvents`. Events with other flags than the first are passed
 * over. With `limitBytes` so are those that do not fit; without it, one that is too large for any request travels
 * alone, for the server to judge.
 */
export const batchOf = (items: Iterable<UploadItem>, maxEvents = maxBatchEvents, limitBytes?: number) => {
  const batch: UploadItem[] = [];
  let total = 1;
  for (const item of items) {
    if (batch.length === maxEvents) break;
    if (batch[0] && !sameFlags(batch[0], item)) continue;
    if (total + item.bytes + 1 > (limitBytes ?? maxBatchBytes)) {
      if (limitBytes !== undefined) continue;
      if (batch.length > 0) break;
    }
    batch.push(item);
    total += item.bytes + 1;
  }
  return batch;
};

/** The text of a record; null, which removes the record, where it has no events. */
export const recordText = (items: readonly UploadItem[]): string | null => {
  const [first] = items;
  return first
    ? `{"enrich":${first.flags.enrich},"sdkProcessed":${first.flags.sdkProcessed},"events":${listText(items)},"places":[${items.map(placeText).join(',')}]}`
    : null;
};

/** What a record says of an event beside the event: its number, and its marks. */
const placeText = ({ place, isUploaded }: UploadItem): string =>
  `[${numberOf(place)},${(place?.isProvisional ? provisionalMark : 0) + (isUploaded ? uploadedMark : 0)}]`;
