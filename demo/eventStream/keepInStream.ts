import { jetstream, JetStreamApiError, type JetStreamClient } from '@nats-io/jetstream';
import { deadline, InvalidArgumentError, type NatsConnection } from '@nats-io/transport-node';

import type { UploadedEvent } from '../../src/endpoints/batchEvents';
import type { KeepEvents, RefusedEvents } from '../api/events';
import { Refused, Unavailable } from '../api/served';
import { connectBroker, leaveBroker } from './broker';
import { ensureStream, streamName, subject } from './stream';

/** Time to find or make the stream, and time to acknowledge a batch, in ms: together less than the 5 s of the SDK. */
const streamMs = 1000;
const acknowledgeMs = 3500;
/** Events of one process that wait for an acknowledgement. More are refused for now, so that memory is bounded. */
const maxWaiting = 10_000;

/** Ids that fit into a header, such as the UUIDs of the SDK. */
const headerText = /^[\x21-\x7e]{1,128}$/;
/** JetStream's error of a message that is larger than its stream allows. */
const messageTooLarge = 10_054;

/** A stream of accepted events. */
export interface StreamKeeper {
  /**
   * Publishes the events of a batch, and answers once the stream has acknowledged each of them. A message has the id of
   * its event, so the stream drops what it has already. Rejects with `Unavailable` while the server is away, where it
   * has not acknowledged all within 3.5 s, and where it refuses one for a reason that may pass. Some of the events may
   * be in the stream by then.
   */
  readonly keep: KeepEvents;
  /** Whether the server answers and has the stream. */
  readonly isReady: () => Promise<boolean>;
  /** Sends what is under way, and closes the connection. */
  readonly close: () => Promise<void>;
}

/**
 * Connects to the NATS server of this address, and makes the stream where it has none. Works from the first connection
 * on, and again after each. `report` is told why events are not taken, once, and when they are taken again.
 */
export const keepInStream = (url: string, report: (text: string) => void): StreamKeeper => {
  let broker: NatsConnection | undefined;
  let stream: Promise<void> | undefined;
  let waiting = 0;
  let isTaking = true;

  const stop = new AbortController();
  const opened = connectBroker(url, { name: 'collector', report, stop: stop.signal });
  opened.then(
    (connection) => {
      broker = connection;
      return followStatus(connection, (isConnected) => {
        [broker, stream] = [isConnected ? connection : undefined, undefined];
      });
    },
    () => undefined,
  );

  /** The connection, once the stream is there. */
  const withStream = async (): Promise<NatsConnection> => {
    const connection = broker;
    if (connection === undefined) throw new Error('no connection');
    stream ??= ensureStream(connection);
    try {
      await stream;
    } catch (error) {
      stream = undefined;
      throw error;
    }
    return connection;
  };

  const keep = async (events: readonly UploadedEvent[]): Promise<RefusedEvents> => {
    if (waiting + events.length > maxWaiting) throw new Error('too many events wait for it');
    waiting += events.length;
    try {
      const connection = await deadline(withStream(), streamMs);
      return await publishAll(events, jetstream(connection, { timeout: acknowledgeMs }));
    } finally {
      waiting -= events.length;
    }
  };

  /** Reports changes only, because there are many batches a second. */
  const note = (isTakingNow: boolean, text: string): void => {
    if (isTakingNow !== isTaking) report(text);
    isTaking = isTakingNow;
  };

  return {
    keep: async (events) => {
      try {
        const refused = await keep(events);
        note(true, 'The event stream takes events again');
        return refused;
      } catch (error) {
        note(false, `The event stream does not take events: ${String(error)}`);
        throw new Unavailable('the event stream does not take events now');
      }
    },
    isReady: () =>
      deadline(withStream(), streamMs).then(
        () => true,
        () => false,
      ),
    close: async () => {
      stop.abort();
      const connection = await opened.catch(() => undefined);
      if (connection) await leaveBroker(connection);
    },
  };
};

/** Tells each change of the connection, until that is closed. */
const followStatus = async (broker: NatsConnection, tell: (isConnected: boolean) => void): Promise<void> => {
  for await (const { type } of broker.status()) {
    if (type === 'disconnect' || type === 'reconnect') tell(type === 'reconnect');
  }
};

/** Publishes events side by side. Rejects where one is neither acknowledged nor refused for good. */
const publishAll = async (events: readonly UploadedEvent[], client: JetStreamClient): Promise<RefusedEvents> => {
  const results = await Promise.allSettled(events.map(async (event) => [event, await publish(event, client)] as const));
  return new Map(
    results.flatMap((result) => {
      if (result.status === 'rejected') throw result.reason;
      const [event, refused] = result.value;
      return refused === undefined ? [] : [[event, refused] as const];
    }),
  );
};

const publish = async (event: UploadedEvent, client: JetStreamClient): Promise<Refused | undefined> => {
  if (!headerText.test(event.id)) return new Refused(400, 'id: expected at most 128 visible characters of ASCII');
  try {
    await client.publish(subject, JSON.stringify(event), { msgID: event.id, expect: { streamName } });
    return undefined;
  } catch (error) {
    const isTooLarge =
      error instanceof InvalidArgumentError || (error instanceof JetStreamApiError && error.code === messageTooLarge);
    if (isTooLarge) return new Refused(413, 'the event is larger than the stream allows');
    throw error;
  }
};
