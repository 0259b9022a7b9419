import { setTimeout as sleep } from 'node:timers/promises';
import { jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

import { connectBroker, leaveBroker } from '../../../demo/eventStream/broker';
import { streamName } from '../../../demo/eventStream/stream';

/** Pause after a failure: the server is away, or has no stream yet. In ms. */
const pauseMs = 500;

/** What is told of the collector's stream. */
export interface StreamListener {
  readonly take: (text: Uint8Array) => void;
  /** All messages that there were are read. Told again after each break. */
  readonly caughtUp: () => void;
  readonly report: (text: string) => void;
}

/**
 * Reads the collector's stream from its first message on until `stop`, over breaks of the connection. The consumer is
 * ordered and of this process alone, so nothing is acknowledged for others. A break begins where the last one ended.
 */
export const readStream = async (url: string, listener: StreamListener, stop: AbortSignal): Promise<void> => {
  let broker: NatsConnection;
  try {
    broker = await connectBroker(url, { name: 'studio', report: listener.report, stop });
  } catch {
    return;
  }
  let sequence = 0;
  const isStopped = (): boolean => stop.aborted;
  while (!isStopped()) {
    try {
      const consumer = await jetstream(broker).consumers.get(streamName, { opt_start_seq: sequence + 1 });
      // Asked before messages are taken: those that have come and are not read yet are pending no more.
      if ((await consumer.info()).num_pending === 0) listener.caughtUp();
      const messages = await consumer.consume();
      const end = (): void => messages.stop();
      stop.addEventListener('abort', end);
      for await (const message of messages) {
        listener.take(message.data);
        sequence = message.seq;
        if (message.info.pending === 0) listener.caughtUp();
      }
      stop.removeEventListener('abort', end);
    } catch (error) {
      listener.report(`The stream is not readable: ${error instanceof Error ? error.message : String(error)}`);
      await sleep(pauseMs);
    }
  }
  await leaveBroker(broker);
};
