import { ownEntry } from '../../hardening/ownFields';
import {
  type CountedUntil,
  type DeliveryEvent,
  type DeliveryInput,
  type DeliveryState,
  type DeliveryStep,
  type EventState,
  isSettled,
  type Moment,
  type MutableDelivery,
} from './deliveryState';
import { later, requestStep, sendAtExit, sendNext, settle } from './requestStep';
import { maxBatchEvents, recordText, sameFlags, type UploadItem } from './uploadItem';

/**
 * Events are gathered for so many ms before they are sent, so that a page view and what it led to travel in one request
 * (spec C§4, task queue). Settled ones are gathered too, so that the results of a batch are one write of the journal.
 */
const gatherMs = 50;
/** Bytes of accepted events that are kept; beyond that, the oldest that wait are dropped. */
const maxTotalBytes = 20_000_000;
/** Events that the server has and no engine, at most: the newest. Only an engine that never starts leaves so many. */
const maxUncounted = 1000;
const maxUncountedBytes = 1_000_000;

/**
 * One step of the delivery: the state after an input, and what is to be done then. Pure, as long as each state is
 * given once: the step changes the events and requests of the state in place.
 *
 * An event is in the journal before it is sent, until the server has answered for it and an engine has it. There is one
 * ordinary request at a time. After a failed one there is a pause, which grows with each failure; it ends with its time
 * or, unless the server has asked for it, when the network returns. On page exit what waits is sent so that it outlives
 * the page, as far as it fits; the rest goes by ordinary requests: at once where the page stays, else after those of
 * the exit (spec C§4, S§4).
 */
export const deliveryStep = (before: DeliveryState, input: DeliveryInput, moment: Moment): DeliveryStep => {
  const delivery: MutableDelivery = { ...before, ...moment, commands: [], changed: new Set() };
  const { events, commands, changed } = delivery;
  const absent = (['fresh', 'settled'] as const).filter((state) => events.count(state) === 0);
  inputStep(delivery, input);
  const isLeaving = delivery.isUnloading && (input.type === 'exit' || input.type === 'accepted');
  if (!isLeaving) sendNext(delivery);
  for (const state of absent) if (events.count(state) > 0) later(delivery, gatherMs, { type: 'gathered', state });
  // The texts of records as they are now; null for one without events.
  const textOf = (key: string): string | null =>
    recordText(
      events
        .in(`/${key}`)
        .filter((event) => event.place !== null || !isSettled(event))
        .map((event) => ({ ...event, isUploaded: isSettled(event) })),
    );
  const changes = new Map([...changed].map((key) => [key, textOf(key)]));
  if (changes.size > 0) commands.unshift({ type: 'write', changes, isUnloading: delivery.isUnloading });
  return { before, state: delivery, commands };
};

const inputStep = (delivery: MutableDelivery, input: DeliveryInput): void => {
  switch (input.type) {
    case 'returned':
      delivery.isUnloading = false;
      return;
    case 'accepted':
      delivery.isUnloading ||= input.isUnloading;
      journal(delivery, input.items, 'fresh');
      // The events of one task go together.
      if (input.isUrgent) later(delivery, 0, { type: 'exit', isUnloading: false });
      // No timer outlives a page that unloads.
      if (delivery.isUnloading) atExit(delivery);
      return;
    case 'gathered':
      return input.state === 'fresh' ? gather(delivery) : tidy(delivery);
    case 'exit':
      delivery.isUnloading ||= input.isUnloading;
      tidy(delivery);
      return atExit(delivery);
    case 'counted':
      return count(delivery, input.until);
    case 'tookOver':
      return input.takeOver(delivery);
    case 'waited':
      if (input.pause !== delivery.waitsFor) return;
      delivery.waitsFor = null;
      if (input.isOnline) delivery.pause = null;
      return;
    default:
      requestStep(delivery, input);
  }
};

/** Writes events to records of this page. A record holds events that the server treats alike, a request's worth. */
export const journal = (delivery: MutableDelivery, items: readonly UploadItem[], state: EventState): void => {
  let record: UploadItem[] = [];
  for (const item of items) {
    const isSame = record[0] && sameFlags(record[0], item) && record.length < maxBatchEvents;
    const key = `${delivery.page}/${delivery.recordCount + (isSame ? 0 : 1)}`;
    if (!add(delivery, item, item.isUploaded ? 'uncounted' : item.waits ? 'unfilled' : state, key)) continue;
    delivery.changed.add(key);
    if (isSame) record.push(item);
    else [record, delivery.recordCount] = [[item], delivery.recordCount + 1];
  }
};

/**
 * Adds an event, unless it is on its way. An event that has waited for data takes the place of its earlier form in the
 * journal. Answers whether it was added.
 */
export const add = (
  { events, changed }: MutableDelivery,
  item: UploadItem,
  state: EventState,
  record: string,
): boolean => {
  const earlier = events.get(item.id);
  if (earlier && !['unfilled', 'fresh', 'settled'].includes(earlier.state)) return false;
  if (earlier) changed.add(earlier.record);
  events.delete(item.id);
  events.set(item.id, { ...item, state, record, request: 0, restUntil: 0, suspicion: null });
  return true;
};

/** Lets fresh events wait for their request. */
const gather = (delivery: MutableDelivery): void => {
  for (const { id } of delivery.events.in('fresh')) delivery.events.change(id, { state: 'waiting' });
  wake(delivery);
};

const atExit = (delivery: MutableDelivery): void => {
  gather(delivery);
  sendAtExit(delivery);
};

/** Lets events that have rested wait behind the others. Gives up the oldest that wait while there are too many. */
export const wake = (delivery: MutableDelivery): void => {
  const { events, now } = delivery;
  for (const { id, restUntil } of events.in('resting'))
    if (restUntil <= now) events.change(id, { state: 'waiting' }, true);
  for (const { id, state } of events.values()) {
    if (events.bytes <= maxTotalBytes) return;
    if (state === 'waiting') settle(delivery, id, new Error('The events queue is full'));
  }
};

/** Removes settled events, from the journal too. Events that no engine has stay in the journal, as settled ones. */
const tidy = ({ events, changed }: MutableDelivery): void => {
  for (const { id, record, place } of events.in('settled')) {
    if (place) events.change(id, { state: 'uncounted' });
    else events.delete(id);
    changed.add(record);
  }
  let [count, bytes] = [0, 0];
  for (const event of [...events.in('uncounted')].reverse()) {
    bytes += event.bytes;
    if ((count += 1) <= maxUncounted && bytes <= maxUncountedBytes) continue;
    events.delete(event.id);
    changed.add(event.record);
  }
};

/** Removes the events that an engine has, if the server has them too. The journal is told of the others. */
const count = (delivery: MutableDelivery, until: CountedUntil): void => {
  for (const event of delivery.events.values())
    if (event.place && event.place.number <= Number(ownEntry(until, event.place.page))) markCounted(delivery, event);
};

/** No engine has to count an event any more. Where the server has it too, nothing is left to be done with it. */
export const markCounted = (
  { events, changed }: MutableDelivery,
  { id, state, record }: Pick<DeliveryEvent, 'id' | 'state' | 'record'>,
): void => {
  if (isSettled({ state })) events.delete(id);
  else events.change(id, { place: null });
  changed.add(record);
};
