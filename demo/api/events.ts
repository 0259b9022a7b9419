import { isLeft } from 'fp-ts/Either';

import { Anything, list, readerOf } from '../../src/codecs/codecs';
import { decode } from '../../src/codecs/decode';
import { batchEvents, UploadedEvent } from '../../src/endpoints/batchEvents';
import type { EventResult } from '../../src/endpoints/batchTexts';
import type { Endpoint } from '../../src/endpoints/endpoint';
import { errorBody } from './errorBody';
import { Refused, type Route, served } from './served';

const maxEvents = 100;
const maxBytes = 512 * 1024;

// The list is read event by event: a bad one costs itself only.
const anyEvents: Endpoint<readonly unknown[], readonly EventResult[]> = {
  ...batchEvents,
  body: { encode: (events) => events, read: readerOf(list(Anything, 0, Infinity, 'UploadedEvent[]')) },
};

/** Events that cannot be kept, however often they are sent, each with the reason. */
export type RefusedEvents = ReadonlyMap<UploadedEvent, Refused>;
export const noneRefused: RefusedEvents = new Map();

/**
 * Keeps the events of a batch, all but those that it refuses. Once it has answered, what was kept survives what the
 * keeper can survive. Rejects with `Unavailable` where the whole batch is to be sent again.
 */
export type KeepEvents = (events: readonly UploadedEvent[]) => RefusedEvents | Promise<RefusedEvents>;

/** Called with each event that is refused, and with what the sender has sent. */
export type Reject = (refused: Refused, input: unknown) => void;

/** The call for batches of events. Each event has a result of its own, once all events are kept. */
export const eventRoutes = (keep: KeepEvents, reject: Reject): readonly Route[] => [
  served(anyEvents, async ({ body, bytes }) => {
    if (body.length > maxEvents) throw new Refused(413, `${body.length} events, at most ${maxEvents}`);
    if (bytes > maxBytes) throw new Refused(413, `${bytes} bytes, at most ${maxBytes}`);
    const read = body.map((input) => ({ input, event: readEvent(input) }));
    const refused = await keep(read.flatMap(({ event }) => (event instanceof Refused ? [] : [event])));
    return read.map(({ input, event }) => {
      const result = event instanceof Refused ? event : (refused.get(event) ?? event);
      if (!(result instanceof Refused)) return { code: 200, body: { id: result.id, time: result.time } };
      reject(result, isDeeper(input, maxDepth) ? null : input);
      return { code: result.status, body: errorBody(result.status, result.message) };
    });
  }),
];

/** Deeper than the SDK sends anything. What nests much deeper cannot be written as JSON. */
const maxDepth = 100;

const isDeeper = (value: unknown, depth: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (depth === 0 || Object.values(value).some((one) => isDeeper(one, depth - 1)));

const readEvent = (input: unknown): UploadedEvent | Refused => {
  if (isDeeper(input, maxDepth)) return new Refused(400, `nested deeper than ${maxDepth} levels`);
  const event = decode(UploadedEvent)(input);
  return isLeft(event) ? new Refused(400, event.left.message, event.left.faults) : event.right;
};
