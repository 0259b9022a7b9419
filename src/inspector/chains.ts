import type { LogEntry } from '../model/logEntry';

/** What an entry has led to directly, in the order of the log. */
export const effectsOf = (id: number, entries: readonly LogEntry[]): readonly LogEntry[] =>
  entries.filter(({ causes }) => causes.includes(id));
