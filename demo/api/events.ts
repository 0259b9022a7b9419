import { isLeft } from 'fp-ts/Either';

import { batchEvents, UploadedEvent } from '../../src/endpoints/batchEvents';
import type { EventResult } from '../../src/endpoints/batchTexts';
import type { Endpoint } from '../../src/endpoints/endpoint';
import { Anything, type DecodeError, list, readerOf } from '../../src/model/codecs';
import { decode } from '../../src/model/decode';
import { errorBody } from './errorBody';
import type { EventLog } from './eventLog';
import { Refused, type Route, served } from './served';

const maxEvents = 100;
const maxBytes = 512 * 1024;

// The list is read event by event: a bad one costs itself only.
const anyEvents: Endpoint<readonly unknown[], readonly EventResult[]> = {
  ...batchEvents,
  body: { encode: (events) => events, read: readerOf(list(Anything, 0, Infinity, 'UploadedEvent[]')) },
};

export type Reject = (error: DecodeError, input: unknown) => void;

export const eventRoutes = (log: EventLog, reject: Reject): readonly Route[] => [
  served(anyEvents, ({ body, bytes }) => {
    if (body.length > maxEvents) throw new Refused(413, `${body.length} events, at most ${maxEvents}`);
    if (bytes > maxBytes) throw new Refused(413, `${bytes} bytes, at most ${maxBytes}`);
    const accepted: UploadedEvent[] = [];
    const results = body.map((input): EventResult => {
      const event = decode(UploadedEvent)(input);
      if (isLeft(event)) {
        reject(event.left, input);
        return { code: 400, body: errorBody(400, event.left.message) };
      }
      accepted.push(event.right);
      return { code: 200, body: { id: event.right.id, time: event.right.time } };
    });
    log.add(accepted);
    return results;
  }),
];
