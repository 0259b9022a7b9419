import { StatusError } from '../../model/errors';
import type { DeliveryEvent, DeliveryRequest, DeliveryState, MutableDelivery, RequestStep } from './deliveryState';
import { end, openRequest, putBack, release, reportFailed, settle } from './requestStep';

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
export const refusalStep: RequestStep = (delivery, request) => {
  const events = delivery.events.in(request.number);
  if (request.state === 'over') nextHalf(delivery, request);
  else if (request.state === 'answered') rest(delivery, request, events);
  else judge(delivery, request, events);
};

const judge = (delivery: MutableDelivery, request: DeliveryRequest, events: readonly DeliveryEvent[]): void => {
  const { error } = request;
  const status = error instanceof StatusError ? error.status : 0;
  const isRefused = refusals.includes(status);
  const isAtFault = (isRefused || status >= 500) && areAtFault(events, delivery);
  const isSuspect = isRefused || isAtFault || (status >= 500 && (delivery.pause?.attempts ?? 0) >= fewFailures);
  if (isSuspect) suspect(delivery, events);
  const [first, ...others] = events;
  if (first && others.length > 0 && (isAtFault || (isRefused && isNew(request, events))))
    return halve(delivery, request, events);
  // Whether this refusal of an event alone is one too many.
  const isOverdue = isRefused && (first?.suspicion?.alone ?? 0) + 1 >= maxRefusals;
  if (first === undefined || others.length > 0 || !(isAtFault || isOverdue))
    return putBack(delivery, request, isSuspect);
  delivery.judgedAt = delivery.takenCount;
  if (!isRefused) return rest(delivery, request, events);
  settle(delivery, first.id, error);
  end(delivery, request);
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
const suspect = (delivery: MutableDelivery, events: readonly DeliveryEvent[]): void => {
  delivery.maxEvents = Math.max(1, Math.ceil(events.length / 2));
  for (const event of events) {
    const { takenBefore, alone } = event.suspicion ?? { takenBefore: delivery.takenCount, alone: 0 };
    delivery.events.change(event.id, { suspicion: { takenBefore, alone: events.length === 1 ? alone + 1 : alone } });
  }
};

/** Lets the events of a request rest. */
const rest = (delivery: MutableDelivery, request: DeliveryRequest, events: readonly DeliveryEvent[]): void => {
  for (const { id } of events)
    delivery.events.change(id, { state: 'resting', restUntil: delivery.now + restMs, request: 0 });
  reportFailed(delivery, request);
  end(delivery, request);
};

/** Halves a batch, until the event at fault is alone, so that it costs no other event. */
const halve = (delivery: MutableDelivery, request: DeliveryRequest, events: readonly DeliveryEvent[]): void => {
  const middle = Math.ceil(events.length / 2);
  const second = { request: request.number, isAfterSingle: middle === 1 };
  delivery.requests.delete(request.number);
  openRequest(delivery, events.slice(0, middle), 'half', [second, ...request.halves]);
};

/**
 * Sends the half that has waited for the end of a request. A pause that has begun meanwhile is kept; but after a single
 * event, only its neighbours can tell whether the event or the server is at fault.
 */
const nextHalf = (delivery: MutableDelivery, { halves, ...request }: DeliveryRequest): void => {
  const [half, ...others] = halves;
  if (half === undefined) return;
  const maySend = delivery.waitsFor === null || (half.isAfterSingle && !delivery.waitsFor.asked);
  if (maySend && openRequest(delivery, delivery.events.in(half.request), 'half', others))
    delivery.requests.delete(request.number);
  else {
    release(delivery, half.request);
    end(delivery, { ...request, halves: others });
  }
};
