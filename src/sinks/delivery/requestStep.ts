import type { EventResult } from '../../endpoints/batchTexts';
import { StatusError } from '../../model/errors';
import { backoffMs } from '../../operators/backoff';
import type { DeliveryEvent, DeliveryInput, DeliveryRequest, MutableDelivery, RequestStep } from './deliveryState';
import { longestPauseMs, type Pause } from './pause';
import { batchOf, listBytes, type UploadItem } from './uploadItem';

/** Bytes of keepalive requests at a time. Browsers allow 64 KiB for all of a page's; the rest is left to the page. */
const maxKeepaliveBytes = 60 * 1024;
/**
 * Bytes of a batch that is sent with keepalive while the page stays. A larger one would leave other requests no room to
 * outlive the page.
 */
const maxKeepaliveBatchBytes = 28 * 1024;
/** Spread of a pause that the server has asked for, in ms, so that not all browsers come back at the same moment. */
const askedSpreadMs = 300;
/** How the pauses grow where no answer came: five repetitions of an event in the first minute. */
const unansweredGrowth = 2;
/** A server that asks for less than this gets the usual back-off, which is at least as long. */
const leastAskedMs = 1000;

/** Lets the events of a request wait again; `isLast`: behind all others. */
export const release = (delivery: MutableDelivery, number: number, isLast = false): void => {
  for (const { id } of delivery.events.in(number)) delivery.events.change(id, { state: 'waiting', request: 0 }, isLast);
};

/** Lets an input come after so many ms. */
export const later = ({ commands }: MutableDelivery, ms: number, input: DeliveryInput): void =>
  void commands.push({ type: 'later', ms, input });

/** Sends events as one request. Answers whether there are any. */
export const openRequest = (
  delivery: MutableDelivery,
  items: readonly UploadItem[],
  kind: DeliveryRequest['kind'],
  halves: DeliveryRequest['halves'] = [],
): boolean => {
  const [first] = items;
  if (first === undefined) return false;
  const bytes = listBytes(items);
  const fits = bytes <= Math.min(maxKeepaliveBatchBytes, keepaliveRoom(delivery));
  // Some browsers refuse keepalive, so every second repetition goes without it.
  const keepalive = kind === 'exit' || kind === 'unload' || (fits && (delivery.pause?.attempts ?? 0) % 2 === 0);
  const number = (delivery.requestCount += 1);
  const { flags } = first;
  const request: DeliveryRequest = { number, items, flags, bytes, keepalive, kind, halves, state: 'open', error: null };
  for (const { id } of items) delivery.events.change(id, { state: 'sent', request: number });
  delivery.requests.set(number, request);
  delivery.commands.push({ type: 'send', request });
  return true;
};

/** Bytes that are left for further keepalive requests now. */
const keepaliveRoom = ({ requests }: MutableDelivery): number => {
  let room = maxKeepaliveBytes;
  for (const { keepalive, state, bytes } of requests.values()) if (keepalive && state === 'open') room -= bytes;
  return room;
};

/** The events that wait, in the order in which they are sent. Lazy, because a batch looks no further than it needs. */
function* waiting({ events }: MutableDelivery): Generator<DeliveryEvent> {
  for (const event of events.values()) if (event.state === 'waiting') yield event;
}

/** Sends what waits, unless a request is under way or a pause is not over. */
export const sendNext = (delivery: MutableDelivery): void => {
  if (delivery.waitsFor || delivery.events.count('waiting') === 0) return;
  if ([...delivery.requests.values()].some(({ kind }) => kind !== 'exit')) return;
  openRequest(delivery, batchOf(waiting(delivery), delivery.maxEvents), 'turn');
};

/**
 * Sends what waits, as far as the browser lets it outlive the page; nothing while the server has asked for a pause.
 * While the page unloads, events of a request that would end with the page are sent again.
 */
export const sendAtExit = (delivery: MutableDelivery): void => {
  const { isUnloading } = delivery;
  if (delivery.waitsFor?.asked) return;
  for (const { number, keepalive, state } of delivery.requests.values())
    if (isUnloading && state === 'open' && !keepalive) release(delivery, number);
  const kind = isUnloading ? 'unload' : 'exit';
  while (openRequest(delivery, batchOf(waiting(delivery), delivery.maxEvents, keepaliveRoom(delivery)), kind));
};

/** The step for the end of a request. */
export const requestStep = (
  delivery: MutableDelivery,
  input: Extract<DeliveryInput, { readonly request: number }>,
): void => {
  const request = delivery.requests.get(input.request);
  if (request === undefined) return;
  if (input.type === 'answered') answered(delivery, request, input.results);
  else if (input.type === 'failed') failed(delivery, { ...request, error: input.error });
  // Where the code that judges refusals does not load, the events wait for a later attempt.
  else (input.judge ?? putBack)(delivery, request);
};

/**
 * Settles the events that the server has answered for, and ends the pause. An event that it may take later is judged.
 * Where the answer settles nothing, or says nothing of an event, the request has failed.
 */
const answered = (delivery: MutableDelivery, request: DeliveryRequest, results: readonly EventResult[]): void => {
  const { items } = request;
  let failing: EventResult | undefined;
  let hasSettled = false;
  let i = 0;
  for (const { id } of items) {
    const result = results[i];
    i += 1;
    // The server was too busy, or has failed.
    if (result && (result.code === 429 || result.code >= 500)) failing ??= result;
    else if (result) {
      hasSettled = true;
      settle(delivery, id, result.code === 200 ? null : new Error(`Status code was ${result.code}`));
    }
  }
  const isWhole = results.length >= items.length;
  if (hasSettled) {
    // A pause that the server has asked for is kept.
    if (!delivery.waitsFor?.asked) delivery.waitsFor = delivery.pause = null;
    delivery.takenCount += 1;
    delivery.maxEvents = undefined;
    if (isWhole && !failing) return end(delivery, request);
  }
  const error =
    failing && (isWhole || !hasSettled)
      ? new StatusError(failing.code, 'One event')
      : new Error('Events without a result');
  if (hasSettled && isWhole) awaitJudgement(delivery, { ...request, error, state: 'answered' });
  else failed(delivery, { ...request, error });
};

/**
 * Ends the delivery of an event: with null the server has taken it, else it is given up, and why. An event that was
 * settled before, by a repetition, is not told again.
 */
export const settle = (delivery: MutableDelivery, id: string, cause: unknown): void => {
  const event = delivery.events.get(id);
  if (event === undefined || event.state === 'settled') return;
  delivery.events.change(id, { state: 'settled', request: 0 });
  const error = `Failed to track ${event.name}`;
  if (cause !== null) delivery.commands.push({ type: 'report', message: error, cause });
  delivery.commands.push({ type: 'settle', delivery: cause === null ? { id } : { id, error } });
};

/**
 * What a failed request leads to. Where the server has answered, the answer may say that an event is at fault, which is
 * judged. Else the events wait again, and a pause begins. While the page unloads, a request that fails at once goes to
 * the browser as a beacon. A beacon has no answer, so the next page sends its events again.
 *
 * Browsers end the requests of a page just before they say that it goes. One with keepalive goes on all the same, so
 * its end counts in the next task only, which a page that goes does not have. The events of such a request are not sent
 * again at page exit then, and the next page does not begin with a pause.
 */
const failed: RequestStep = (delivery, request) => {
  const { number, error, kind, keepalive } = request;
  const isFirst = request.state === 'open';
  if (isFirst && kind === 'unload') delivery.commands.push({ type: 'beacon', request });
  if (error instanceof StatusError && error.retryAfterMs === undefined)
    awaitJudgement(delivery, { ...request, state: 'failed' });
  else if (keepalive && isFirst) {
    delivery.requests.set(number, { ...request, state: 'failed' });
    later(delivery, 0, { type: 'failed', request: number, error });
  } else putBack(delivery, request);
};

/** Lets `refusalStep` go on with a request. */
const awaitJudgement = (delivery: MutableDelivery, request: DeliveryRequest): void => {
  delivery.requests.set(request.number, request);
  delivery.commands.push({ type: 'judge', request: request.number });
};

/** Reports that the server has not taken a request. */
export const reportFailed = ({ commands }: MutableDelivery, { error }: DeliveryRequest): void =>
  void commands.push({ type: 'report', message: 'Error sending events batch', cause: error });

/** Lets the events of a request wait again, behind the others where they are suspect, and begins a pause. */
export const putBack = (delivery: MutableDelivery, request: DeliveryRequest, isSuspect = false): void => {
  release(delivery, request.number, isSuspect);
  reportFailed(delivery, request);
  const pause = nextPause(delivery, request.error);
  delivery.pause = delivery.waitsFor = pause;
  delivery.commands.push({ type: 'wait', ms: pause.waitMs, pause });
  end(delivery, request);
};

/** The pause after a failed request: as long as the server has asked for, or as the back-off says. */
const nextPause = ({ pause, now, random }: MutableDelivery, error: unknown): Pause => {
  const attempts = (pause?.attempts ?? 0) + 1;
  const askedMs = error instanceof StatusError ? Math.min(error.retryAfterMs ?? 0, longestPauseMs) : 0;
  const asked = askedMs >= leastAskedMs;
  // Without an answer, the server may have taken the events, so they are repeated less often.
  const growth = error instanceof StatusError ? undefined : unansweredGrowth;
  const waitMs = asked ? askedMs + random * askedSpreadMs : backoffMs(attempts, random, growth);
  return { at: now, waitMs, attempts, asked };
};

/** Ends a request. A half that has waited for its end may go then. */
export const end = (delivery: MutableDelivery, request: DeliveryRequest): void => {
  if (request.halves.length > 0) awaitJudgement(delivery, { ...request, state: 'over' });
  else delivery.requests.delete(request.number);
};
