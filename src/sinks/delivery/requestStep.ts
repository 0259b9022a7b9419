import type { EventResult } from '../../endpoints/batchTexts';
import { StatusError } from '../../model/errors';
import { longestPauseMs, type Pause } from '../../model/pause';
import { backoffMs } from '../../operators/backoff';
import type { DeliveryEvent, DeliveryInput, DeliveryRequest, Draft, RequestStep } from './deliveryState';
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
export const release = (draft: Draft, number: number, isLast = false): void => {
  for (const { id } of draft.events.in(number)) draft.events.change(id, { state: 'waiting', request: 0 }, isLast);
};

/** Lets an input come after so many ms. */
export const later = ({ commands }: Draft, ms: number, input: DeliveryInput): void =>
  void commands.push({ type: 'later', ms, input });

/** Sends events as one request. Answers whether there are any. */
export const send = (
  draft: Draft,
  items: readonly UploadItem[],
  kind: DeliveryRequest['kind'],
  halves: DeliveryRequest['halves'] = [],
): boolean => {
  const [first] = items;
  if (first === undefined) return false;
  const bytes = listBytes(items);
  const fits = bytes <= Math.min(maxKeepaliveBatchBytes, keepaliveRoom(draft));
  // Some browsers refuse keepalive, so every second repetition goes without it.
  const keepalive = kind === 'exit' || kind === 'unload' || (fits && (draft.pause?.attempts ?? 0) % 2 === 0);
  const number = (draft.requestCount += 1);
  const { flags } = first;
  const request: DeliveryRequest = { number, items, flags, bytes, keepalive, kind, halves, state: 'open', error: null };
  for (const { id } of items) draft.events.change(id, { state: 'sent', request: number });
  draft.requests.set(number, request);
  draft.commands.push({ type: 'send', request });
  return true;
};

/** Bytes that are left for further keepalive requests now. */
const keepaliveRoom = ({ requests }: Draft): number => {
  let room = maxKeepaliveBytes;
  for (const { keepalive, state, bytes } of requests.values()) if (keepalive && state === 'open') room -= bytes;
  return room;
};

/** The events that wait, in the order in which they are sent. Lazy, because a batch looks no further than it needs. */
function* waiting({ events }: Draft): Generator<DeliveryEvent> {
  for (const event of events.values()) if (event.state === 'waiting') yield event;
}

/** Sends what waits, unless a request is under way or a pause is not over. */
export const sendNext = (draft: Draft): void => {
  if (draft.waitsFor || draft.events.count('waiting') === 0) return;
  if ([...draft.requests.values()].some(({ kind }) => kind !== 'exit')) return;
  send(draft, batchOf(waiting(draft), draft.maxEvents), 'turn');
};

/**
 * Sends what waits, as far as the browser lets it outlive the page; nothing while the server has asked for a pause.
 * While the page unloads, events of a request that would end with the page are sent again.
 */
export const sendAtExit = (draft: Draft, isUnloading: boolean): void => {
  if (draft.waitsFor?.asked) return;
  for (const { number, keepalive, state } of draft.requests.values())
    if (isUnloading && state === 'open' && !keepalive) release(draft, number);
  const kind = isUnloading ? 'unload' : 'exit';
  while (send(draft, batchOf(waiting(draft), draft.maxEvents, keepaliveRoom(draft)), kind));
};

/** The step for the end of a request. */
export const requestStep = (draft: Draft, input: Extract<DeliveryInput, { readonly request: number }>): void => {
  const request = draft.requests.get(input.request);
  if (request === undefined) return;
  if (input.type === 'answered') answered(draft, request, input.results);
  else if (input.type === 'failed') failed(draft, { ...request, error: input.error });
  // Where the code that judges refusals does not load, the events wait for a later attempt.
  else (input.judge ?? putBack)(draft, request);
};

/**
 * Settles the events that the server has answered for, and ends the pause. An event that it may take later is judged.
 * Where the answer settles nothing, or says nothing of an event, the request has failed.
 */
const answered = (draft: Draft, request: DeliveryRequest, results: readonly EventResult[]): void => {
  const { items } = request;
  let [failing, hasSettled]: [EventResult | undefined, boolean] = [undefined, false];
  for (const [i, { id }] of items.entries()) {
    const result = results[i];
    // The server was too busy, or has failed.
    if (result && (result.code === 429 || result.code >= 500)) failing ??= result;
    else if (result) {
      hasSettled = true;
      settle(draft, id, result.code === 200 ? null : new Error(`Status code was ${result.code}`));
    }
  }
  const isWhole = results.length >= items.length;
  if (hasSettled) {
    // A pause that the server has asked for is kept.
    if (!draft.waitsFor?.asked) draft.waitsFor = draft.pause = null;
    draft.takenCount += 1;
    draft.maxEvents = undefined;
    if (isWhole && !failing) return end(draft, request);
  }
  const error =
    failing && (isWhole || !hasSettled)
      ? new StatusError(failing.code, 'One event')
      : new Error('Events without a result');
  if (hasSettled && isWhole) judge(draft, { ...request, error, state: 'answered' });
  else failed(draft, { ...request, error });
};

/**
 * Ends the delivery of an event: with null the server has taken it, else it is given up, and why. An event that was
 * settled before, by a repetition, is not told again.
 */
export const settle = (draft: Draft, id: string, cause: unknown): void => {
  const event = draft.events.get(id);
  if (event === undefined || event.state === 'settled') return;
  draft.events.change(id, { state: 'settled', request: 0 });
  const error = `Failed to track ${event.name}`;
  if (cause !== null) draft.commands.push({ type: 'report', message: error, cause });
  draft.commands.push({ type: 'settle', delivery: cause === null ? { id } : { id, error } });
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
const failed: RequestStep = (draft, request) => {
  const { number, error, kind, keepalive } = request;
  const isFirst = request.state === 'open';
  if (isFirst && kind === 'unload') draft.commands.push({ type: 'beacon', request });
  if (error instanceof StatusError && error.retryAfterMs === undefined) judge(draft, { ...request, state: 'failed' });
  else if (keepalive && isFirst) {
    draft.requests.set(number, { ...request, state: 'failed' });
    later(draft, 0, { type: 'failed', request: number, error });
  } else putBack(draft, request);
};

/** Lets `refusalStep` go on with a request. */
const judge = (draft: Draft, request: DeliveryRequest): void => {
  draft.requests.set(request.number, request);
  draft.commands.push({ type: 'judge', request: request.number });
};

/** Reports that the server has not taken a request. */
export const reportFailed = ({ commands }: Draft, { error }: DeliveryRequest): void =>
  void commands.push({ type: 'report', message: 'Error sending events batch', cause: error });

/** Lets the events of a request wait again, behind the others where they are suspect, and begins a pause. */
export const putBack = (draft: Draft, request: DeliveryRequest, isSuspect = false): void => {
  release(draft, request.number, isSuspect);
  reportFailed(draft, request);
  const pause = nextPause(draft, request.error);
  draft.pause = draft.waitsFor = pause;
  draft.commands.push({ type: 'wait', ms: pause.waitMs, pause });
  end(draft, request);
};

/** The pause after a failed request: as long as the server has asked for, or as the back-off says. */
const nextPause = ({ pause, now, random }: Draft, error: unknown): Pause => {
  const attempts = (pause?.attempts ?? 0) + 1;
  const askedMs = error instanceof StatusError ? Math.min(error.retryAfterMs ?? 0, longestPauseMs) : 0;
  const asked = askedMs >= leastAskedMs;
  // Without an answer, the server may have taken the events, so they are repeated less often.
  const growth = error instanceof StatusError ? undefined : unansweredGrowth;
  const waitMs = asked ? askedMs + random * askedSpreadMs : backoffMs(attempts, random, growth);
  return { at: now, waitMs, attempts, asked };
};

/** Ends a request. A half that has waited for its end may go then. */
export const end = (draft: Draft, request: DeliveryRequest): void => {
  if (request.halves.length > 0) judge(draft, { ...request, state: 'over' });
  else draft.requests.delete(request.number);
};
