import type {
  DeliveryCommand,
  DeliveryInput,
  DeliveryState,
  DeliveryStep,
  Draft,
  EventState,
  Moment,
} from './deliveryState';
import { put, requestStep, sendAtExit, sendNext, settle } from './requestStep';
import { maxBatchEvents, recordText, sameFlags, type UploadItem } from './uploadItem';

/**
 * Events are gathered for so many ms before they are sent, so that a page view and what it led to travel in one request
 * (spec C§4, task queue). Settled ones are gathered too, so that the results of a batch are one write of the journal.
 */
const gatherMs = 50;
/** Bytes of accepted events that are kept; beyond that, the oldest that wait are dropped. */
const maxTotalBytes = 20_000_000;

/**
 * One step of the delivery: the state after an input, and what is to be done then. Pure.
 *
 * An event is in the journal before it is sent and until the server has answered for it. There is one ordinary request
 * at a time. After a failed one there is a pause, which grows with each failure; it ends with its time or, unless the
 * server has asked for it, when the network returns. On page exit what waits is sent so that it outlives the page, as
 * far as it fits; the rest goes by ordinary requests: at once where the page stays, else after those of the exit (spec
 * C§4, S§4).
 */
export const deliveryStep = (before: DeliveryState, input: DeliveryInput, moment: Moment): DeliveryStep => {
  const [events, requests] = [new Map(before.events), new Map(before.requests)];
  const draft: Draft = { ...before, events, requests, commands: [], changed: new Set() };
  inputStep(draft, input, moment);
  const isLeaving = input.type === 'exit' ? input.isUnloading : input.type === 'accepted' && before.isUnloading;
  if (!isLeaving) sendNext(draft);
  for (const state of ['fresh', 'settled'] as const)
    if (has(draft, state) && !has(before, state)) draft.commands.push(later(gatherMs, { type: 'gathered', state }));
  const { commands, changed, ...state } = draft;
  return {
    state,
    commands: changed.size > 0 ? [{ type: 'write', changes: textsOf(changed, draft) }, ...commands] : commands,
  };
};

const has = ({ events }: DeliveryState, wanted: EventState): boolean => {
  for (const { state } of events.values()) if (state === wanted) return true;
  return false;
};

const later = (ms: number, input: DeliveryInput): DeliveryCommand => ({ type: 'later', ms, input });

/** The texts of records as they are now; null for one without events. */
const textsOf = (keys: ReadonlySet<string>, { events }: DeliveryState): ReadonlyMap<string, string | null> => {
  const records = new Map([...keys].map((key): [string, UploadItem[]] => [key, []]));
  for (const { item, state, record } of events.values()) if (state !== 'settled') records.get(record)?.push(item);
  return new Map([...records].map(([key, items]) => [key, recordText(items)]));
};

const inputStep = (draft: Draft, input: DeliveryInput, moment: Moment): void => {
  switch (input.type) {
    case 'returned':
      draft.isUnloading = false;
      return;
    case 'accepted':
      journal(draft, input.items, 'fresh');
      // The events of one task go together.
      if (input.isUrgent) draft.commands.push(later(0, { type: 'exit', isUnloading: false }));
      // No timer outlives a page that unloads.
      if (draft.isUnloading) atExit(draft, true, moment);
      return;
    case 'gathered':
      if (input.state === 'fresh') gather(draft, moment);
      else tidy(draft);
      return;
    case 'exit':
      draft.isUnloading ||= input.isUnloading;
      tidy(draft);
      return atExit(draft, input.isUnloading, moment);
    case 'tookOver':
      return input.takeOver(draft, moment);
    case 'waited':
      if (input.pause !== draft.waitsFor) return;
      draft.waitsFor = null;
      if (input.isOnline) draft.pause = null;
      return;
    default:
      requestStep(draft, input, moment);
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
  events.set(item.id, { item, state, record, request: 0, restUntil: 0, suspicion: null });
  return true;
};

/** Lets fresh events wait for their request. */
const gather = (draft: Draft, moment: Moment): void => {
  for (const event of draft.events.values()) if (event.state === 'fresh') put(draft, event, { state: 'waiting' });
  wake(draft, moment);
};

const atExit = (draft: Draft, isUnloading: boolean, moment: Moment): void => {
  gather(draft, moment);
  sendAtExit(draft, isUnloading);
};

/** Lets events that have rested wait behind the others. Gives up the oldest that wait while there are too many. */
export const wake = (draft: Draft, { now }: Moment): void => {
  let excess = -maxTotalBytes;
  for (const event of [...draft.events.values()]) {
    const { item, state, restUntil } = event;
    if (state !== 'settled') excess += item.bytes;
    if (state === 'resting' && restUntil <= now) put(draft, event, { state: 'waiting' }, true);
  }
  for (const [id, { item, state }] of draft.events) {
    if (excess <= 0) return;
    if (state !== 'waiting') continue;
    excess -= item.bytes;
    settle(draft, id, new Error('The events queue is full'));
  }
};

/** Removes settled events, from the journal too. */
const tidy = ({ events, changed }: Draft): void => {
  for (const [id, { state, record }] of events) {
    if (state !== 'settled') continue;
    events.delete(id);
    changed.add(record);
  }
};
