import { setTimeout as sleep } from 'node:timers/promises';
import { connect, deadline, type NatsConnection } from '@nats-io/transport-node';

import { brokerName } from './brokerName';

/** Pause between two attempts to connect, in ms. */
const pauseMs = 500;
/** Time to send what is under way before a connection is closed, in ms. */
const leaveMs = 2000;

/** Who connects. */
export interface BrokerClient {
  /** The server shows it among its clients. */
  readonly name: string;
  /** Told once why the first connection has not come yet. */
  readonly report: (text: string) => void;
  /** Gives the first connection up. */
  readonly stop?: AbortSignal;
}

/**
 * Connects to a NATS server, and connects again whenever the connection breaks. Resolves with the first connection,
 * however late that comes. Rejects where `stop` comes first.
 *
 * @param url `nats://host:port`, or several with commas: the servers of one cluster.
 */
export const connectBroker = async (url: string, { name, report, stop }: BrokerClient): Promise<NatsConnection> => {
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await connect({
        servers: url.split(','),
        name,
        maxReconnectAttempts: -1,
        reconnectTimeWait: pauseMs,
        // A server whose credentials are being changed is like one that is being restarted.
        ignoreAuthErrorAbort: true,
        // A server that hangs is left after 10 s.
        pingInterval: 5000,
        maxPingOut: 2,
        // A trace for each message costs more than the message.
        noAsyncTraces: true,
      });
    } catch (error) {
      if (isFirst) report(`No connection to ${brokerName(url)}: ${String(error)}`);
      await sleep(pauseMs, undefined, { signal: stop });
    }
  }
};

/** Sends what is under way, such as acknowledgements, and closes the connection, whether the server is there or not. */
export const leaveBroker = async (broker: NatsConnection): Promise<void> => {
  try {
    await deadline(broker.drain(), leaveMs);
  } catch {
    await broker.close();
  }
};
