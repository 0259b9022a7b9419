import { parseArgs } from 'node:util';
import type { JsMsg } from '@nats-io/jetstream';
import { isLeft } from 'fp-ts/Either';

import { decode } from '../../src/codecs/decode';
import { UploadedEvent } from '../../src/endpoints/batchEvents';
import { json } from '../../src/hardening/plainJson';
import { onStop } from '../api/onStop';
import { connectBroker, leaveBroker } from '../eventStream/broker';
import { cohortSizes, later, latestOf } from './latest';
import { readEvents } from './readEvents';
import { usersFile } from './usersFile';

const { values } = parseArgs({
  options: {
    nats: { type: 'string', default: 'nats://127.0.0.1:4222' },
    data: { type: 'string', default: 'build/cohort-sizes' },
    name: { type: 'string', default: 'cohort-sizes' },
  },
});

const file = usersFile(values.data);
const stored = file.read();
const latest = new Map(stored.latest);
let { sequence } = stored;

/** Notes what a message says of its user. One that is no event, or has no time, says nothing. */
const note = (message: JsMsg): void => {
  const event = decode(UploadedEvent)(json.parse(message.string()));
  const found = isLeft(event) ? undefined : latestOf(event.right);
  if (isLeft(event) || found === undefined) {
    console.error(`Message ${message.seq} is no event`);
    return;
  }
  const { user_id } = event.right;
  const known = latest.get(user_id);
  latest.set(user_id, known === undefined ? found : later(known, found));
};

let last = '';
/**
 * Prints a line of JSON where something has changed: up to which message of the stream was read, how many before it or
 * after it are not counted yet, how many users there are, and how many in each cohort; of an experiment, by group too.
 */
const print = (behind: number): void => {
  const line = JSON.stringify({ sequence, behind, ...cohortSizes(latest.values()) });
  if (line !== last) console.log(line);
  last = line;
};

const stopped = new AbortController();
const broker = await connectBroker(values.nats, { name: values.name, report: (text) => console.error(text) });
const reading = readEvents(
  broker,
  {
    name: values.name,
    sequence: () => sequence,
    take: (messages) => {
      for (const message of messages) note(message);
      sequence = Math.max(sequence, ...messages.map(({ seq }) => seq));
      file.write({ sequence, latest });
    },
    tellBehind: print,
    report: (error) => console.error(`The stream is not readable: ${String(error)}`),
  },
  stopped.signal,
);
onStop(async () => {
  stopped.abort();
  await reading;
  await leaveBroker(broker);
});
