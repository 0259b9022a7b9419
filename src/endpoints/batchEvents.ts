import * as t from 'io-ts';

import { Properties } from '../model/event';
import type { Endpoint } from './endpoint';

/**
 * An event as it is uploaded: with the visitor's id and cohorts of the moment when it was tracked (spec C§3).
 * `segments` are those cohorts that have a number, `cohorts` all of them as text. `time` is ISO 8601.
 */
export const UploadedEvent = t.strict(
  {
    id: t.string,
    user_id: t.string,
    name: t.string,
    time: t.string,
    segments: t.array(t.number),
    cohorts: t.array(t.string),
    properties: Properties,
    session_id: t.string,
    view_id: t.string,
  },
  'UploadedEvent',
);
export type UploadedEvent = t.TypeOf<typeof UploadedEvent>;

/**
 * The result of one event; results are in the order of the events. `body` is `{id, time}` where the event was accepted.
 */
const EventResult = t.type({ code: t.number, body: t.unknown }, 'EventResult');
export type EventResult = t.TypeOf<typeof EventResult>;

/**
 * POST /v2.0/batch/events?enrich=&sdkp= : at most 100 events and 512 KiB (spec S§7; contract: network). `enrich` asks
 * the server to add data of place and content; `sdkp` says that the cohorts were computed in the browser.
 */
export const batchEvents: Endpoint<readonly UploadedEvent[], readonly EventResult[]> = {
  method: 'POST',
  version: 'apiVersion',
  path: 'batch/events',
  body: t.readonlyArray(UploadedEvent),
  responseType: 'json',
  answer: t.readonlyArray(EventResult),
};

/**
 * The same call with a body of JSON text, because the events are stored and sent as the text that they were first made
 * into.
 */
export const batchTexts: Endpoint<string, readonly EventResult[]> = { ...batchEvents, body: t.string };
