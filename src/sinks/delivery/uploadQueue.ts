/** Limits of one batch (contract: network). */
const maxBatchEvents = 100;
const maxBatchBytes = 512 * 1024;

/**
 * Bytes of accepted events that are kept; beyond that, the oldest that are not under way are dropped. The journal on
 * disk holds the same events.
 */
const maxQueueBytes = 20_000_000;

/** How the server is to treat an event. It is said per request, so a batch holds only events with equal flags. */
export interface UploadFlags {
  /** The server is to add place and classification. */
  readonly enrich: boolean;
  /** The SDK has computed cohorts over the event. */
  readonly sdkProcessed: boolean;
}

/** An accepted event on its way. */
export interface UploadItem {
  readonly id: string;
  readonly name: string;
  /** The page that accepted it. */
  readonly page: string;
  readonly flags: UploadFlags;
  /** The event as it is sent: JSON. */
  readonly text: string;
  /** Size of `text` in UTF-8. */
  readonly bytes: number;
}

/** Events of one request. */
export interface Batch {
  readonly items: readonly UploadItem[];
  readonly bytes: number;
  readonly flags: UploadFlags;
}

/** Accepted events, waiting or in a request, oldest first. An event leaves only when it is settled or dropped. */
export interface UploadQueue {
  /** Adds an event, unless the queue has it. Answers the events that were dropped for want of room. */
  readonly add: (item: UploadItem) => readonly UploadItem[];
  /**
   * Takes the oldest waiting events that may travel together. They count as sent until they are settled or given back.
   * `limitBytes`: the batch must fit into so many bytes; what does not fit stays. Undefined where nothing can be taken.
   */
  readonly take: (limitBytes?: number, maxEvents?: number) => Batch | undefined;
  /**
   * Lets the events of a batch wait again: before all others, or behind them. Events that were settled meanwhile are
   * left out.
   */
  readonly giveBack: (batch: Batch, isLast?: boolean) => void;
  /** Removes an event. False where it was not there any more. */
  readonly settle: (id: string) => boolean;
  /** Whether nothing waits; events may be under way. */
  readonly isEmpty: () => boolean;
  /** All events, those under way first. */
  readonly all: () => readonly UploadItem[];
}

/** Whether two events may travel in one request. */
export const sameFlags = (a: UploadFlags, b: UploadFlags): boolean =>
  a.enrich === b.enrich && a.sdkProcessed === b.sdkProcessed;

/** Events as one JSON list. */
export const listText = (items: readonly UploadItem[]): string => `[${items.map(({ text }) => text).join(',')}]`;

/** A batch of these events. Its size counts brackets and commas too. */
export const batchOf = (items: readonly UploadItem[], flags: UploadFlags): Batch => ({
  items,
  flags,
  bytes: items.reduce((sum, { bytes }) => sum + bytes + 1, 1),
});

/**
 * Makes an empty queue. Waiting events are a map in their order, so that the oldest are found, and any event removed,
 * without a search.
 */
export const uploadQueue = (maxBytes = maxQueueBytes): UploadQueue => {
  let waiting = new Map<string, UploadItem>();
  const sent = new Map<string, UploadItem>();
  let total = 0;
  const remove = (from: Map<string, UploadItem>, id: string): boolean => {
    total -= from.get(id)?.bytes ?? 0;
    return from.delete(id);
  };
  return {
    add: (item) => {
      if (sent.has(item.id) || waiting.has(item.id)) return [];
      waiting.set(item.id, item);
      total += item.bytes;
      const dropped: UploadItem[] = [];
      for (const oldest of waiting.values()) {
        if (total <= maxBytes) break;
        remove(waiting, oldest.id);
        dropped.push(oldest);
      }
      return dropped;
    },
    take: (limitBytes, maxEvents = maxBatchEvents) => {
      const taken: UploadItem[] = [];
      let [bytes, flags]: [number, UploadFlags | undefined] = [1, undefined];
      for (const item of waiting.values()) {
        if (taken.length === maxEvents) break;
        // Events with other flags are passed over and stay in their place.
        if (flags !== undefined && !sameFlags(flags, item.flags)) continue;
        if (bytes + item.bytes + 1 > (limitBytes ?? maxBatchBytes)) {
          if (limitBytes !== undefined) continue;
          // One that is too large for any batch travels alone, for the server to judge.
          if (taken.length > 0) break;
        }
        flags = item.flags;
        taken.push(item);
        bytes += item.bytes + 1;
      }
      if (flags === undefined) return undefined;
      for (const item of taken) {
        waiting.delete(item.id);
        sent.set(item.id, item);
      }
      return batchOf(taken, flags);
    },
    giveBack: ({ items }, isLast = false) => {
      const back = items.filter(({ id }) => sent.delete(id)).map((item) => [item.id, item] as const);
      waiting = new Map(isLast ? [...waiting, ...back] : [...back, ...waiting]);
    },
    settle: (id) => remove(sent, id) || remove(waiting, id),
    isEmpty: () => waiting.size === 0,
    all: () => [...sent.values(), ...waiting.values()],
  };
};
