import { type Observable, Subject } from 'rxjs';

import type { Json } from '../model/json';
import type { LogEntry, LogHeader } from '../model/logEntry';
import { textHash } from '../model/textHash';
import { utf8Bytes } from '../model/utf8Bytes';

/** Room of the ring buffer, in bytes of NDJSON. The oldest lines go first. */
export const maxLogBytes = 2 * 1024 * 1024;

/** What is noted. Without `causes`, it is caused by what is being handed on at this moment. */
export interface Noted extends Pick<LogEntry, 'lane' | 'type' | 'data'> {
  readonly causes?: readonly number[] | undefined;
}

/** The log of one page. No function of it throws. */
export interface Log {
  /** Each entry as it is noted. Hot. */
  readonly entry$: Observable<LogEntry>;
  /** The entries that the buffer holds, the oldest first. */
  readonly entries: () => readonly LogEntry[];
  /** The log as NDJSON: the header, then a line for each entry. */
  readonly text: () => string;
  /** Notes an entry, and answers its id. */
  readonly note: (noted: Noted) => number;
  /** Runs an action. What is noted meanwhile is caused by this entry. */
  readonly during: <A>(id: number, action: () => A) => A;
  /** Makes an entry findable under a name, such as `event ID`, for what it will have caused later. */
  readonly link: (name: string, id: number) => void;
  /** Ids of the entries that were last linked to these names. */
  readonly linked: (...names: readonly string[]) => readonly number[];
  /** Keeps a text out of all later lines: what others know the visitor by. A number stands for it. */
  readonly hide: (text: string) => void;
}

export interface LogDeps {
  readonly json: Json;
  /** Ms since the log began. The clock of the visitor may be changed meanwhile, and this one does not follow it. */
  readonly elapsed: () => number;
  /** What hidden texts are hashed with, so that two logs cannot be compared by them. */
  readonly salt: number;
  readonly header: Pick<LogHeader, 'sdk' | 'project' | 'clock' | 'complete'>;
}

/** Names that are kept of the latest entries. A long page must not keep all of them. */
const maxLinks = 5000;

/** Begins a log at this moment. */
export const openLog = ({ json, elapsed, salt, header }: LogDeps): Log => {
  // eslint-disable-next-line no-restricted-syntax -- the source: entries come from calls of `note`
  const entry$ = new Subject<LogEntry>();
  const links = new Map<string, number>();
  const kept: { readonly entry: LogEntry; readonly line: string; readonly bytes: number }[] = [];
  let [ids, bytes, dropped] = [0, 0, 0];
  let current: readonly number[] = [];
  const hidden = new Map<string, string>();
  const withoutHidden = (text: string): string =>
    [...hidden].reduce((shown, [secret, name]) => shown.replaceAll(secret, name), text);
  return {
    entry$,
    entries: () => kept.map(({ entry }) => entry),
    text: () => {
      const first: LogHeader = { v: 1, ...header, dropped };
      return [json.stringify(first), ...kept.map(({ line }) => line), ''].join('\n');
    },
    note: ({ lane, type, data, causes = current }) => {
      const [t, text] = [Math.round(1000 * elapsed()) / 1000, withoutHidden(textOf(data, json))];
      const entry = { id: (ids += 1), t, lane, type, data: json.parse(text), causes };
      const line = `{"t":${t},"lane":"${lane}","type":${json.stringify(type)},"data":${text}}`;
      kept.push({ entry, line, bytes: utf8Bytes(line) + 1 });
      bytes += utf8Bytes(line) + 1;
      while (bytes > maxLogBytes) {
        bytes -= kept.shift()?.bytes ?? 0;
        dropped += 1;
      }
      entry$.next(entry);
      return entry.id;
    },
    during: (id, action) => {
      const before = current;
      current = [id];
      try {
        return action();
      } finally {
        current = before;
      }
    },
    link: (name, id) => {
      links.delete(name);
      links.set(name, id);
      const [oldest] = links.size > maxLinks ? links.keys() : [];
      if (oldest !== undefined) links.delete(oldest);
    },
    linked: (...names) => [...new Set(names.flatMap((name) => links.get(name) ?? []))],
    hide: (text) => {
      if (text !== '') hidden.set(text, `hidden-${textHash(`${salt} ${text}`).toString(36)}`);
    },
  };
};

/** What JSON can hold of a value; null where nothing. */
const textOf = (data: unknown, json: Json): string => {
  try {
    // JSON has no text for undefined.
    return json.stringify(data ?? null);
  } catch {
    return 'null';
  }
};
