import type { Start } from '../model/engineCommands';
import type { NumberedEvent } from '../model/event';
import { appendedBy, type Counted, isCounted, nothingCounted, withCounted } from './counted';
import { noChunk, type StoredChunk } from './queriesChunk';

/** Events that wait for a save, at most: the newest. Only a store that fails for long leaves so many. */
const maxPending = 10_000;
/**
 * An event that changes nothing needs no save. More of them than these do, because the next page would evaluate all of
 * them again.
 */
const maxIdle = 20;

/** A write that may succeed or fail. */
export interface PendingWrite {
  readonly counted: Counted;
  /** The write has succeeded, and the engine's state continues the written state from now on. */
  readonly landed: (state: Pick<StoredChunk, 'rev' | 'eventSourceId'>) => void;
}

/** Makes the ledger of one page's engine. */
export const ledger = ({ page }: Pick<Start, 'page'>, now: () => number) => {
  let base: Pick<StoredChunk, 'rev' | 'eventSourceId'> = noChunk;
  let counted: Counted = nothingCounted;
  // By id, the oldest first.
  const pending = new Map<string, NumberedEvent>();
  return {
    /** The engine's state continues this one. */
    restore: (stored: StoredChunk): void => {
      base = stored;
      counted = stored.counted ?? nothingCounted;
    },
    /**
     * Whether the state contains an event that the page tells the engine. A worker that has started late may find that
     * the next page has counted it.
     */
    isCounted: (event: NumberedEvent): boolean => isCounted(counted, event, page) || pending.has(event.id),
    /** The engine has taken in an event. Answers whether so many wait that they should be saved. */
    add: (event: NumberedEvent): boolean => {
      pending.set(event.id, event);
      const [oldest = ''] = pending.keys();
      if (pending.size > maxPending) pending.delete(oldest);
      return pending.size > maxIdle;
    },
    /**
     * Compares the stored state with the one that the engine's continues. Null where it is the same. Otherwise the
     * engine has to be brought to the stored state: answers the events, and the number of answers of cloud lift, that
     * are to be counted on it.
     */
    takeOver: (
      stored: StoredChunk,
    ): { readonly events: readonly NumberedEvent[]; readonly appended: number } | null => {
      // Where nothing is stored any more, the engine's state is all there is.
      if (stored.state === null || (stored.rev === base.rev && stored.eventSourceId === base.eventSourceId))
        return null;
      base = stored;
      // A tab of an older version does not say what it has counted. Such a tab has counted no event that is pending
      // here.
      counted = stored.counted ?? counted;
      for (const [id, event] of pending) if (isCounted(counted, event, page)) pending.delete(id);
      return { events: [...pending.values()], appended: appendedBy(counted, page) };
    },
    /** What is contained in a write of this moment, with so many appended answers of cloud lift in all. */
    write: (appended: number): PendingWrite => {
      const events = [...pending.values()];
      const after = withCounted(counted, { events, page, appended }, now());
      return {
        counted: after,
        landed: (state) => {
          base = state;
          counted = after;
          for (const { id } of events) pending.delete(id);
        },
      };
    },
  };
};

/** What an engine has taken in beyond the stored state that it was made from. */
export type Ledger = ReturnType<typeof ledger>;
