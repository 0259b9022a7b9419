import { ignoreElements, type Observable, Subject, tap } from 'rxjs';

import type { Json } from '../hardening/json';
import { fold } from '../primitives/lists';
import { textHash } from '../primitives/textHash';
import { utf8Bytes } from '../primitives/utf8Bytes';
import type { LogEntry, LogHeader } from './logEntry';
import { scopeOf } from './scope';

/** Room of the ring buffer, in bytes of NDJSON. The oldest lines go first. */
export const maxLogBytes = 2 * 1024 * 1024;

/** An entry to be noted. Without `causes`, the entry is caused by what is being handed on at this moment. */
export interface Noted extends Pick<LogEntry, 'lane' | 'type' | 'data'> {
  readonly causes?: readonly number[] | undefined;
}

/** The log of one page. No function of it throws. */
export type Log = ReturnType<typeof openLog>;

export interface LogDeps {
  readonly json: Json;
  /** Ms since the log began. The clock of the visitor may be changed meanwhile, and this one does not follow it. */
  readonly elapsed: () => number;
  /** Ms since 1970, by the visitor's clock. */
  readonly now: () => number;
  /** What hidden texts are hashed with, so that two logs cannot be compared by them. */
  readonly salt: number;
  readonly header: Pick<LogHeader, 'sdk' | 'project' | 'clock' | 'complete'>;
}

/** Times are noted in fractions whose sums are exact, because virtual time adds them up. */
const perMs = 1024;
const hiddenMark = 'hidden-';

/** Type of the entries that say how far the visitor's clock has been moved since the log began. */
export const clockType = 'clock';
/** Two clocks are not read at the same moment. */
const minDriftMs = 20;

/** Names that are kept of the latest entries. A long page must not keep all of them. */
const maxLinks = 5000;

/** Begins a log at this moment. */
export const openLog = ({ json, elapsed, now, salt, header }: LogDeps) => {
  const entry$ = new Subject<LogEntry>();
  const kept: { readonly entry: LogEntry; readonly line: string; readonly bytes: number }[] = [];
  let [ids, bytes, dropped, lastDrift] = [0, 0, 0, 0];
  const { current, within } = scopeOf<readonly number[]>([]);
  const { hide, withoutHidden } = hidingOf(json, salt);
  const add = ({ lane, type, data, causes = current() }: Noted): number => {
    const [t, text] = [Math.round(perMs * elapsed()) / perMs, withoutHidden(jsonText(data, json))];
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
  };
  /**
   * Notes that the visitor's clock was changed, which the engine reads, too. The clock shows whole ms, rounded down.
   */
  const noteClock = (): void => {
    const drift = now() - header.clock - elapsed();
    if (Math.abs(drift - lastDrift) < minDriftMs) return;
    lastDrift = drift;
    add({ lane: 'door', type: clockType, data: { drift: Math.ceil(drift) }, causes: [] });
  };
  return {
    /** Whether the log began before the SDK had read or done anything, so that it can be replayed. */
    isComplete: header.complete,
    /** Each entry as it is noted. Hot. */
    entry$: entry$.asObservable(),
    /** The entries that the buffer holds, the oldest first. */
    entries: (): readonly LogEntry[] => kept.map(({ entry }) => entry),
    /** Drops all entries. Such a log cannot be replayed. */
    empty: (): void => {
      dropped += kept.splice(0).length;
      bytes = 0;
    },
    /** The log as NDJSON: the header, then a line for each entry. */
    text: (): string => {
      const { sdk, project, clock, complete } = header;
      const first: LogHeader = { v: 1, sdk, project, clock, complete, dropped };
      return [json.stringify(first), ...kept.map(({ line }) => line), ''].join('\n');
    },
    /** Notes an entry, and answers its id. */
    note: (noted: Noted): number => {
      noteClock();
      return add(noted);
    },
    /** Runs an action. What is noted meanwhile is caused by this entry. */
    during: <A>(id: number, action: () => A): A => within([id], action),
    ...linksOf(),
    /** Keeps a text out of all later lines, where it is a whole text: what others know the visitor by. */
    hide,
  };
};

/** Notes each value of a stream as an entry. `onNoted` is called with the id of the entry. */
export const notedIn =
  ({ note }: Log) =>
  <A>(
    value$: Observable<A>,
    entryOf: (value: A) => Noted,
    onNoted?: (value: A, id: number) => void,
  ): Observable<never> =>
    value$.pipe(
      tap((value) => {
        const id = note(entryOf(value));
        onNoted?.(value, id);
      }),
      ignoreElements(),
    );

/** Replaces hidden texts by salted names. */
const hidingOf = (json: Json, salt: number) => {
  const hidden = new Map<string, string>();
  return {
    withoutHidden: (text: string): string =>
      fold(hidden, text, (shown, [secret, name]) => shown.replaceAll(secret, name)),
    hide: (text: string): void => {
      // A replay hides again what is hidden.
      if (text === '' || text.startsWith(hiddenMark)) return;
      const name = `${hiddenMark}${textHash(`${salt} ${text}`).toString(36)}`;
      quotedAtDepths(text, json).forEach((quoted, depth) =>
        hidden.set(quoted, quotedAtDepths(name, json)[depth] ?? ''),
      );
    },
  };
};

/** What JSON can hold of a value; null where nothing. */
const jsonText = (data: unknown, json: Json): string => {
  try {
    // JSON has no text for undefined.
    return json.stringify(data ?? null);
  } catch {
    return 'null';
  }
};

/** Names of the latest entries. */
const linksOf = () => {
  const links = new Map<string, number>();
  return {
    /** Makes an entry findable under a name, such as `event ID`, for what it will have caused later. */
    link: (name: string, id: number): void => {
      links.delete(name);
      links.set(name, id);
      const [oldest] = links.size > maxLinks ? links.keys() : [];
      if (oldest !== undefined) links.delete(oldest);
    },
    /** Ids of the entries that were last linked to these names. */
    linked: (...names: readonly string[]): readonly number[] => [
      ...new Set(names.flatMap((name) => links.get(name) ?? [])),
    ],
  };
};

/** The text in quotes as JSON has it, as JSON within a text of JSON has it, and once more. */
const quotedAtDepths = (text: string, json: Json): readonly string[] => {
  const quoted = json.stringify(text);
  const inText = json.stringify(quoted).slice(1, -1);
  return [quoted, inText, json.stringify(inText).slice(1, -1)];
};
