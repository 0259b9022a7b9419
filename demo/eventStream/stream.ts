import {
  DiscardPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';

/** The JetStream stream that holds the events, and the subject that they are published to. */
export const streamName = 'EVENTS';
export const subject = 'events';

/**
 * How long the stream drops a message whose id it has. A page sends again what was not answered within an hour, the
 * longest pause of the SDK. Pages that are opened again after days send what they have left; the stream then holds
 * their events twice, so a consumer must not count messages.
 */
const duplicateWindowMs = 2 * 3_600_000;

/** Time that one answer of the server gets, in ms. */
const answerMs = 2000;

/**
 * Makes the stream where there is none. One that exists is used as it is, so its limits and replicas are the
 * operator's. Rejects where the server has no JetStream, or does not answer.
 */
export const ensureStream = async (broker: NatsConnection): Promise<void> => {
  const { streams } = await jetstreamManager(broker, { timeout: answerMs });
  try {
    await streams.info(streamName);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.code !== JetStreamApiCodes.StreamNotFound) throw error;
    // Two processes may make it at once: the same configuration is no conflict.
    await streams.add({
      name: streamName,
      subjects: [subject],
      storage: StorageType.File,
      retention: RetentionPolicy.Limits,
      // A full stream refuses new events, which are sent again, in place of dropping old ones.
      discard: DiscardPolicy.New,
      duplicate_window: nanos(duplicateWindowMs),
    });
  }
};
