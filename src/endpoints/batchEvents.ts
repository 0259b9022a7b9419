import * as t from 'io-ts';

import { Properties } from '../model/event';
import type { Endpoint } from './endpoint';

/** An event on the wire: what happened, whose it is, and the cohorts of that moment (spec C§3). */
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

/** One event's own result, in the order they were sent; `body` is `{id, time}` when it was taken. */
const EventResult = t.type({ code: t.number, body: t.unknown }, 'EventResult');
export type EventResult = t.TypeOf<typeof EventResult>;

/** POST /v2.0/batch/events?enrich=&sdkp= : at most 100 events and 512 KiB (spec S§7). */
export const batchEvents: Endpoint<readonly UploadedEvent[], readonly EventResult[]> = {
  method: 'POST',
  version: 'apiVersion',
  path: 'batch/events',
  body: t.readonlyArray(UploadedEvent),
  responseType: 'json',
  answer: t.readonlyArray(EventResult),
};

/** The same call, its events as the JSON text they were made into when they were accepted. */
export const batchTexts: Endpoint<string, readonly EventResult[]> = { ...batchEvents, body: t.string };
