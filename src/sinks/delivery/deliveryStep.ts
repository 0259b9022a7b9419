import type { DeliveryInput, DeliveryState, DeliveryStep, Draft, EventState, Moment } from './deliveryState';
import { later, requestStep, sendAtExit, sendNext, settle } from './requestStep';
import { maxBatchEvents, recordText, sameFlags, type UploadItem } from './uploadItem';

/**
 * Events are gathered for so many ms before they are sent, so that a page view and what it led to travel in one request
 * (spec C§4, task queue). Settled ones are gathered too, so that the results of a batch are one write of the journal.
 */
const gatherMs = 50;
/** Bytes of accepted events that are kept; beyond that, the oldest that wait are dropped. */
const maxTotalBytes = 20_000_000;

/**
 * One step of the delivery: the state after an input, and what is to be done then. Pure, as
 * long as each state is given once: the step changes the events and requests of the state in place.
 *
 * An event is in the journal before it is sent and until the server has answered for it. There is one ordinary request
 * at a time. After a failed one there is a pause, which grows with each failure; it ends with its time or, unless the
 * server has asked for it, when the network returns. On page exit what waits is sent so that it outlives the page, as
 * far as it fits; the rest goes by ordinary requests: at once where the page stays, else after those of the exit (spec
 * C§4, S§4).
 */
export const deliveryStep = (before: DeliveryState, input: DeliveryInput, moment: Moment): DeliveryStep => {
  const draft: Draft = { ...before, ...moment, commands: [], changed: new Set() };
  const { events, commands, changed } = draft;
  const absent = (['fresh', 'settled'] as const).filter((state) => events.count(state) === 0);
  inputStep(draft, input);
  const isLeaving = input.type === 'exit' ? input.isUnloading : input.type === 'accepted' && before.isUnloading;
  if (!isLeaving) sendNext(draft);
  for (const state of absent) if (events.count(state) > 0) later(draft, gatherMs, { type: 'gathered', state });
  // The texts of records as they are now; null for one without events.
  const textOf = (key: string): string | null =>
    recordText(events.in(`/${key}`).filter(({ state }) => state !== 'settled'));
  const changes = new Map([...changed].map((key) => [key, textOf(key)]));
  return { before, state: draft, commands: changes.size > 0 ? [{ type: 'write', changes }, ...commands] : commands };
};

const inputStep = (draft: Draft, input: DeliveryInput): void => {
  switch (input.type) {
    case 'returned':
      draft.isUnloading = false;
      return;
    case 'accepted':
      journal(draft, input.items, 'fresh');
      // The events of one task go together.
      if (input.isUrgent) later(draft, 0, { type: 'exit', isUnloading: false });
      // No timer outlives a page that unloads.
      if (draft.isUnloading) atExit(draft, true);
      return;
    case 'gathered':
      return input.state === 'fresh' ? gather(draft) : tidy(draft);
    case 'exit':
      draft.isUnloading ||= input.isUnloading;
      tidy(draft);
      return atExit(draft, input.isUnloading);
    case 'tookOver':
      return input.takeOver(draft);
    case 'waited':
      if (input.pause !== draft.waitsFor) return;
      draft.waitsFor = null;
      if (input.isOnline) draft.pause = null;
      return;
    default:
      requestStep(draft, input);
  }
};

/** Writes events to records of this page. A record holds events that the server treats alike, a request's worth. */
export const journal = (draft: Draft, items: readonly UploadItem[], state: EventState): void => {
  let record: UploadItem[] = [];
  for (const item of items) {
    const isSame = record[0] && sameFlags(record[0], item) && record.length < maxBatchEvents;
    const key = `${draft.page}/${draft.recordCount + (isSame ? 0 : 1)}`;
    if (!add(draft, item, item.waits ? 'unfilled' : state, key)) continue;
    draft.changed.add(key);
    if (isSame) record.push(item);
    else [record, draft.recordCount] = [[item], draft.recordCount + 1];
  }
};

/**
 * Adds an event, unless it is on its way. An event that has waited for data takes the place of its earlier form in the
 * journal. Answers whether it was added.
 */
export const add = ({ events, changed }: Draft, item: UploadItem, state: EventState, record: string): boolean => {
  const earlier = events.get(item.id);
  if (earlier && !['unfilled', 'fresh', 'settled'].includes(earlier.state)) return false;
  if (earlier) changed.add(earlier.record);
  events.delete(item.id);
  events.set(item.id, { ...item, state, record, request: 0, restUntil: 0, suspicion: null });
  return true;
};

/** Lets fresh events wait for their request. */
const gather = (draft: Draft): void => {
  for (const { id } of draft.events.in('fresh')) draft.events.change(id, { state: 'waiting' });
  wake(draft);
};

const atExit = (draft: Draft, isUnloading: boolean): void => {
  gather(draft);
  sendAtExit(draft, isUnloading);
};

/** Lets events that have rested wait behind the others. Gives up the oldest that wait while there are too many. */
export const wake = (draft: Draft): void => {
  const { events, now } = draft;
  for (const { id, restUntil } of events.in('resting'))
    if (restUntil <= now) events.change(id, { state: 'waiting' }, true);
  for (const { id, state } of events.values()) {
    if (events.bytes <= maxTotalBytes) return;
    if (state === 'waiting') settle(draft, id, new Error('The events queue is full'));
  }
};

/** Removes settled events, from the journal too. */
const tidy = ({ events, changed }: Draft): void => {
  for (const { id, record } of events.in('settled')) {
    events.delete(id);
    changed.add(record);
  }
};
