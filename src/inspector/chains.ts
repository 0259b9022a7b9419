import { isRecord } from '../codecs/codecs';
import type { LogEntry } from './logEntry';

/** What an entry has come from directly, in the order of the log. */
export const causesIn = (entry: LogEntry, entries: readonly LogEntry[]): readonly LogEntry[] =>
  entries.filter((other) => isCause(other, entry));

/** What an entry has led to directly, in the order of the log. */
export const effectsIn = (entry: LogEntry, entries: readonly LogEntry[]): readonly LogEntry[] =>
  entries.filter((other) => isCause(entry, other));

/** The way to an entry from what began it, such as a call of the page, the entry itself included. */
export const chainTo = (entry: LogEntry, entries: readonly LogEntry[]): readonly LogEntry[] => {
  const chain: LogEntry[] = [];
  for (let hop: LogEntry | undefined = entry; hop !== undefined && !chain.includes(hop); [hop] = causesIn(hop, entries))
    chain.unshift(hop);
  return chain;
};

/**
 * Whether one entry has led to another. The engine may be told of an event before the event itself is noted, so that
 * such an entry names the event in place of its entry.
 */
const isCause = (cause: LogEntry, { causes, lane, data }: LogEntry): boolean => {
  if (causes.includes(cause.id)) return true;
  const told = lane === 'engine' && isRecord(data) ? data['event'] : undefined;
  return told !== undefined && cause.lane === 'events' && isRecord(cause.data) && cause.data['id'] === told;
};
