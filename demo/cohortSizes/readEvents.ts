import { setTimeout as sleep } from 'node:timers/promises';
import {
  AckPolicy,
  type Consumer,
  jetstream,
  JetStreamApiCodes,
  JetStreamApiError,
  jetstreamManager,
  type JsMsg,
} from '@nats-io/jetstream';
import { nanos, type NatsConnection } from '@nats-io/transport-node';

import { ensureStream, streamName } from '../eventStream/stream';

/** Messages that are read together, at most, and how long they are waited for. */
const maxMessages = 1000;
const waitMs = 1000;
/** A pull that has not ended by then has lost its server. */
const pullMs = 5 * waitMs;
/** Messages that a process has left without an acknowledgement are delivered again after so long. */
const acknowledgeMs = 10_000;
const maxUnacknowledged = 10 * maxMessages;
/** Pause after a failure: the server is away, or not ready yet. */
const pauseMs = 500;

/** Where a reader stands, and what it does with messages. */
export interface StreamReader {
  /** Name of the durable consumer: the server keeps under it what was acknowledged. */
  readonly name: string;
  /** The highest sequence number that was read and kept; 0 where none was. */
  readonly sequence: () => number;
  /**
   * Keeps what some messages say. They are acknowledged once this has returned, and all of them are delivered again
   * where the process ends before that.
   */
  readonly take: (messages: readonly JsMsg[]) => void;
  /**
   * Told about once a second how many messages of the stream are not acknowledged yet. Those of a process that was
   * killed are among them: they come again, after newer ones.
   */
  readonly tellBehind: (count: number) => void;
  readonly report: (error: unknown) => void;
}

/**
 * Reads the stream of events until `stop`, over breaks of the connection. Every message is taken at least once.
 *
 * Each message is acknowledged by itself. A consumer that acknowledges all up to one would also acknowledge those that
 * another process has taken and not kept, because the server goes on with newer messages until those are overdue.
 */
export const readEvents = async (broker: NatsConnection, reader: StreamReader, stop: AbortSignal): Promise<void> => {
  const isStopped = (): boolean => stop.aborted;
  let consumer: Consumer | undefined;
  while (!isStopped()) {
    try {
      consumer ??= await durableConsumer(broker, reader);
      const messages = await pull(consumer, stop);
      if (messages.length > 0) reader.take(messages);
      for (const message of messages) message.ack();
      if (isStopped()) return;
      const { num_pending, num_ack_pending } = await consumer.info();
      reader.tellBehind(num_pending + num_ack_pending);
    } catch (error) {
      consumer = undefined;
      reader.report(error);
      await sleep(pauseMs);
    }
  }
};

/** The next messages, at most those that have come by `stop`. */
const pull = async (consumer: Consumer, stop: AbortSignal): Promise<readonly JsMsg[]> => {
  const pulled = await consumer.fetch({ max_messages: maxMessages, expires: waitMs });
  const end = (): void => pulled.stop();
  const overdue = setTimeout(end, pullMs);
  stop.addEventListener('abort', end);
  const messages: JsMsg[] = [];
  try {
    for await (const message of pulled) messages.push(message);
  } finally {
    clearTimeout(overdue);
    stop.removeEventListener('abort', end);
  }
  return messages;
};

/**
 * The durable consumer of this name. Where the server counts more as read than the reader has kept, for its file was
 * lost or is an older copy, the consumer begins anew with the first message.
 */
const durableConsumer = async (broker: NatsConnection, { name, sequence }: StreamReader): Promise<Consumer> => {
  await ensureStream(broker);
  const { consumers } = await jetstreamManager(broker);
  const known = await consumers.info(streamName, name).catch((error: unknown) => {
    if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.ConsumerNotFound) return undefined;
    throw error;
  });
  if (known !== undefined && known.ack_floor.stream_seq > sequence()) await consumers.delete(streamName, name);
  await consumers.add(streamName, {
    durable_name: name,
    ack_policy: AckPolicy.Explicit,
    ack_wait: nanos(acknowledgeMs),
    max_ack_pending: maxUnacknowledged,
  });
  return jetstream(broker).consumers.get(streamName, name);
};
