import type { QueuedEvent } from './appState';

/** Limits of one batch (contract: network), and of what browsers let outlive a page. */
const maxBatchEvents = 100;
const maxBatchBytes = 512 * 1024;

/** An event and its size on the wire. */
export interface Waiting {
  readonly event: QueuedEvent;
  readonly bytes: number;
}

/** Events of one request: the server is told per request whether to enrich and whether cohorts were computed. */
export interface Batch {
  readonly events: readonly QueuedEvent[];
  readonly bytes: number;
  readonly enrich: boolean;
  readonly sdkProcessed: boolean;
}

/** Accepted events on their way: waiting, or in a request. */
export interface UploadQueue {
  readonly add: (waiting: Waiting) => void;
  /** The oldest waiting events that may travel together, within `limitBytes`; they count as sent until settled or given back. */
  readonly take: (limitBytes?: number) => Batch | undefined;
  readonly giveBack: (batch: Batch) => void;
  readonly settle: (id: string) => void;
}

const flagsOf = ({ requiresEnrichment = false, sdkProcessed = true }: QueuedEvent): Pick<Batch, 'enrich' | 'sdkProcessed'> => ({
  enrich: requiresEnrichment,
  sdkProcessed,
});

export const uploadQueue = (): UploadQueue => {
  const waiting = new Map<string, Waiting>();
  const sent = new Map<string, Waiting>();
  return {
    add: (item) => {
      if (!sent.has(item.event.id)) waiting.set(item.event.id, item);
    },
    take: (limitBytes = maxBatchBytes) => {
      const taken: Waiting[] = [];
      let bytes = 2;
      const first = waiting.values().next();
      if (first.done === true) return undefined;
      const flags = flagsOf(first.value.event);
      for (const item of waiting.values()) {
        const { enrich, sdkProcessed } = flagsOf(item.event);
        if (enrich !== flags.enrich || sdkProcessed !== flags.sdkProcessed) continue;
        // One that is too large for any batch travels alone, for the server to judge.
        if (taken.length === maxBatchEvents || (bytes + item.bytes + 1 > limitBytes && (taken.length > 0 || limitBytes < maxBatchBytes))) break;
        taken.push(item);
        bytes += item.bytes + 1;
      }
      if (taken.length === 0) return undefined;
      for (const item of taken) {
        waiting.delete(item.event.id);
        sent.set(item.event.id, item);
      }
      return { events: taken.map(({ event }) => event), bytes, ...flags };
    },
    giveBack: ({ events }) => {
      for (const { id } of events) {
        const item = sent.get(id);
        if (item) waiting.set(id, item);
        sent.delete(id);
      }
    },
    settle: (id) => {
      waiting.delete(id);
      sent.delete(id);
    },
  };
};
