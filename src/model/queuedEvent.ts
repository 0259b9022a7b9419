import { AnyBoolean, AnyNumber, AnyString, list, object, shape } from '../codecs/codecs';
import { type Event, eventFields } from './event';

/**
 * An accepted event as it waits for its upload: with user id and cohorts of the moment it was accepted, and how the
 * server is to treat it.
 */
export interface QueuedEvent extends Event {
  readonly user_id: string;
  readonly segments: readonly number[];
  readonly cohorts: readonly string[];
  readonly requiresEnrichment?: boolean;
  readonly sdkProcessed?: boolean;
}
export const QueuedEventCodec = object<QueuedEvent>(
  'QueuedEvent',
  shape(
    { ...eventFields, user_id: AnyString, segments: list(AnyNumber), cohorts: list(AnyString) },
    { requiresEnrichment: AnyBoolean, sdkProcessed: AnyBoolean },
  ),
);

/** A queued event, and the id of the page that accepted it. That page sends the event while it lives. */
export interface StoredEvent {
  readonly page: string;
  readonly event: QueuedEvent;
}
