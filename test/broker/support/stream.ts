import { jetstream, jetstreamManager, type StreamInfo, type StreamUpdateConfig } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';

import { connectBroker } from '../../../demo/eventStream/broker';
import { streamName } from '../../../demo/eventStream/stream';

/** The stream of a server as a test sees it, by a connection of its own. */
export interface TestStream {
  readonly broker: NatsConnection;
  readonly info: () => Promise<StreamInfo>;
  readonly update: (config: Partial<StreamUpdateConfig>) => Promise<unknown>;
  /** The ids of all messages, in their order. */
  readonly ids: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

export const testStream = async (url: string): Promise<TestStream> => {
  const broker = await connectBroker(url, { name: 'test', report: () => undefined });
  const { streams } = await jetstreamManager(broker);
  const info = (): Promise<StreamInfo> => streams.info(streamName);
  return {
    broker,
    info,
    update: (config) => streams.update(streamName, config),
    ids: async () => {
      const { messages } = (await info()).state;
      const found: string[] = [];
      if (messages === 0) return found;
      const reader = await jetstream(broker).consumers.get(streamName, { headers_only: true });
      for await (const message of await reader.consume()) {
        found.push(message.headers?.get('Nats-Msg-Id') ?? '');
        if (message.info.pending === 0) break;
      }
      return found;
    },
    close: () => broker.close(),
  };
};
