import { AnyNumber, AnyString, list, object, readerOf, shape, type TypeOf } from '../codecs/codecs';
import { bodyOf, type Endpoint } from './endpoint';

/** The result of one event; results are in the order of the events. */
const EventResult = object('EventResult', shape({ code: AnyNumber }));
export interface EventResult extends TypeOf<typeof EventResult> {
  /** `{id, time}` where the event was accepted. Nobody checks the value. */
  readonly body?: unknown;
}

/**
 * POST /v2.0/batch/events?enrich=&sdkp= : at most 100 events and 512 KiB (spec S§7; contract: network). `enrich` asks
 * the server to add data of place and content; `sdkp` says that the cohorts were computed in the browser. The body is
 * JSON text, because the events are stored and sent as the text that they were first made into.
 */
export const batchTexts: Endpoint<string, readonly EventResult[]> = {
  method: 'POST',
  path: '/{apiVersion}/batch/events',
  body: bodyOf(AnyString),
  responseType: 'json',
  answer: readerOf(list(EventResult)),
};
