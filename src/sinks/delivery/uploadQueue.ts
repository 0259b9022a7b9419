/** Limits of one batch (contract: network). */
const maxBatchEvents = 100;
const maxBatchBytes = 512 * 1024;

/**
 * More than this of accepted events is not kept; the oldest that are not under way go first. The journal on disk holds
 * the same events.
 */
const maxQueueBytes = 20_000_000;

/** How the server is to treat an event; it is told per request. */
export interface UploadFlags {
  readonly enrich: boolean;
  readonly sdkProcessed: boolean;
}

/** An accepted event on its way. */
export interface UploadItem {
  readonly id: string;
  readonly name: string;
  /** The page that accepted it. */
  readonly page: string;
  readonly flags: UploadFlags;
  /** As it is sent: JSON, and its size in UTF-8. */
  readonly text: string;
  readonly bytes: number;
}

/** Events of one request. */
export interface Batch {
  readonly items: readonly UploadItem[];
  readonly bytes: number;
  readonly flags: UploadFlags;
}

/** Accepted events: waiting, or in a request. They leave only when they are settled. */
export interface UploadQueue {
  /** Takes an event that it does not have; answers those that had to go for want of room. */
  readonly add: (item: UploadItem) => readonly UploadItem[];
  /**
   * The oldest waiting events that may travel together; they count as sent until settled or given back.
   * Within `limitBytes` where given: what does not fit stays.
   */
  readonly take: (limitBytes?: number) => Batch | undefined;
  /** They wait again, before all others. */
  readonly giveBack: (batch: Batch) => void;
  /** False where it was not there any more. */
  readonly settle: (id: string) => boolean;
  /** Nothing waits. */
  readonly isEmpty: () => boolean;
  readonly all: () => readonly UploadItem[];
}

export const sameFlags = (a: UploadFlags, b: UploadFlags): boolean =>
  a.enrich === b.enrich && a.sdkProcessed === b.sdkProcessed;

/** Events as one JSON list. */
export const listText = (items: readonly UploadItem[]): string => `[${items.map(({ text }) => text).join(',')}]`;

/** Brackets and commas count too. */
export const batchOf = (items: readonly UploadItem[], flags: UploadFlags): Batch => ({
  items,
  flags,
  bytes: items.reduce((sum, { bytes }) => sum + bytes + 1, 1),
});

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
    take: (limitBytes) => {
      const taken: UploadItem[] = [];
      let [bytes, flags]: [number, UploadFlags | undefined] = [1, undefined];
      for (const item of waiting.values()) {
        if (taken.length === maxBatchEvents) break;
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
    giveBack: ({ items }) => {
      const back = items.filter(({ id }) => sent.delete(id));
      waiting = new Map([...back.map((item) => [item.id, item] as const), ...waiting]);
    },
    settle: (id) => remove(sent, id) || remove(waiting, id),
    isEmpty: () => waiting.size === 0,
    all: () => [...sent.values(), ...waiting.values()],
  };
};
