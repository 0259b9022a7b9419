import { StatusError } from '../../model/errors';
import type { DeliveryEvent, DeliveryRequest, DeliveryState, Draft, RequestStep } from './deliveryState';
import { end, putBack, release, reportFailed, send, settle } from './requestStep';

/**
 * Statuses that say that the events are at fault. Other refusals, such as of a wrong key or path, are mended on the
 * server, so their events wait.
 */
const refusals = [400, 413, 422];
/**
 * Failed requests in a row after which a server that fails with 5xx may do so because of one event. After an outage of
 * ten seconds, there are not as many, and one request brings all that waits.
 */
const fewFailures = 6;
/**
 * How often an event is refused alone before it is given up, where the server takes no others either: the pauses
 * between take an hour together. The refusals are counted, because a clock may jump.
 */
const maxRefusals = 75;
/** How long an event rests that the server fails at while it takes others. */
const restMs = 300_000;

/**
 * The second step of the delivery, for a request that the server has refused or failed at. A batch that is refused, or
 * that is at fault, is halved; an event that is alone at fault is given up, or rests where the server has not refused
 * it. So does a part of a batch whose other events were settled. All others wait again, and a pause begins. Suspects
 * wait behind the others, so that these are tried first.
 */
export const refusalStep: RequestStep = (draft, request) => {
  const events = draft.events.in(request.number);
  if (request.state === 'over') nextHalf(draft, request);
  else if (request.state === 'answered') rest(draft, request, events);
  else judge(draft, request, events);
};

const judge = (draft: Draft, request: DeliveryRequest, events: readonly DeliveryEvent[]): void => {
  const { error } = request;
  const status = error instanceof StatusError ? error.status : 0;
  const isRefused = refusals.includes(status);
  const isAtFault = (isRefused || status >= 500) && areAtFault(events, draft);
  const isSuspect = isRefused || isAtFault || (status >= 500 && (draft.pause?.attempts ?? 0) >= fewFailures);
  if (isSuspect) suspect(draft, events);
  const [first, ...others] = events;
  if (first && others.length > 0 && (isAtFault || (isRefused && isNew(request, events))))
    return halve(draft, request, events);
  // Whether this refusal of an event alone is one too many.
  const isOverdue = isRefused && (first?.suspicion?.alone ?? 0) + 1 >= maxRefusals;
  if (first === undefined || others.length > 0 || !(isAtFault || isOverdue)) return putBack(draft, request, isSuspect);
  draft.judgedAt = draft.takenCount;
  if (!isRefused) return rest(draft, request, events);
  settle(draft, first.id, error);
  end(draft, request);
};

/** Halving costs requests, so events that were refused before are not halved again while the server takes none. */
const isNew = ({ kind }: DeliveryRequest, events: readonly DeliveryEvent[]): boolean =>
  kind === 'half' || events.some(({ suspicion }) => suspicion === null);

/**
 * Whether one of these is a suspect and the server has taken other events since then. Each event that is judged needs
 * events of its own that were taken, so that an outage is not held against many.
 */
const areAtFault = (events: readonly DeliveryEvent[], { judgedAt, takenCount }: DeliveryState): boolean =>
  events.some(({ suspicion }) => Math.max(suspicion?.takenBefore ?? Infinity, judgedAt) < takenCount);

/** Notes a refusal, or failure, against the events. The next request holds half as many. */
const suspect = (draft: Draft, events: readonly DeliveryEvent[]): void => {
  draft.maxEvents = Math.max(1, Math.ceil(events.length / 2));
  for (const event of events) {
    const { takenBefore, alone } = event.suspicion ?? { takenBefore: draft.takenCount, alone: 0 };
    draft.events.change(event.id, { suspicion: { takenBefore, alone: events.length === 1 ? alone + 1 : alone } });
  }
};

/** Lets the events of a request rest. */
const rest = (draft: Draft, request: DeliveryRequest, events: readonly DeliveryEvent[]): void => {
  for (const { id } of events) draft.events.change(id, { state: 'resting', restUntil: draft.now + restMs, request: 0 });
  reportFailed(draft, request);
  end(draft, request);
};

/** Halves a batch, until the event at fault is alone, so that it costs no other event. */
const halve = (draft: Draft, request: DeliveryRequest, events: readonly DeliveryEvent[]): void => {
  const middle = Math.ceil(events.length / 2);
  const second = { request: request.number, isAfterSingle: middle === 1 };
  draft.requests.delete(request.number);
  send(draft, events.slice(0, middle), 'half', [second, ...request.halves]);
};

/**
 * Sends the half that has waited for the end of a request. A pause that has begun meanwhile is kept; but after a single
 * event, only its neighbours can tell whether the event or the server is at fault.
 */
const nextHalf = (draft: Draft, { halves, ...request }: DeliveryRequest): void => {
  const [half, ...others] = halves;
  if (half === undefined) return;
  const maySend = draft.waitsFor === null || (half.isAfterSingle && !draft.waitsFor.asked);
  if (maySend && send(draft, draft.events.in(half.request), 'half', others)) draft.requests.delete(request.number);
  else {
    release(draft, half.request);
    end(draft, { ...request, halves: others });
  }
};
