import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRight } from 'fp-ts/Either';

import { decode } from '../../src/codecs/decode';
import { UploadedEvent } from '../../src/endpoints/batchEvents';
import { json } from '../../src/hardening/plainJson';
import type { Limits } from './boundedMap';
import { ring } from './ring';

/** The accepted events, each id once, the newest last. The oldest go once there is no more room for them. */
export interface EventLog {
  readonly add: (events: readonly UploadedEvent[]) => void;
  /**
   * What reports count. A page that is hidden and comes back completes its view again, so of the PageviewComplete
   * events of a view only the latest counts.
   */
  readonly all: () => readonly UploadedEvent[];
  /** All accepted events, those that reports do not count included. */
  readonly received: () => readonly UploadedEvent[];
  /** How many came again with an id that was known. */
  readonly duplicates: () => number;
  readonly clear: () => void;
}

/** Room in memory. The file keeps all events, and an id is known for longer than its event is held. */
const limits: Limits = { items: 100_000, bytes: 256 * 1024 * 1024 };
const maxIds = 1_000_000;

/**
 * Keeps the latest events in memory and, given a folder, all as `events.ndjson`, one event a line, read back at the
 * start.
 */
export const eventLog = (dataDir?: string): EventLog => {
  const file = dataDir === undefined ? undefined : fileIn(dataDir);
  const events = ring<UploadedEvent>(limits);
  const ids = new Set<string>();
  let duplicates = 0;
  const keep = (event: UploadedEvent, bytes: number): void => {
    ids.add(event.id);
    events.add(event, bytes);
    const [oldest] = ids.size > maxIds ? ids : [];
    if (oldest !== undefined) ids.delete(oldest);
  };
  for (const { event, line } of file === undefined ? [] : readEvents(file))
    if (!ids.has(event.id)) keep(event, line.length);

  return {
    add: (received) => {
      const added = new Map<string, { readonly event: UploadedEvent; readonly line: string }>();
      for (const event of received)
        if (!ids.has(event.id) && !added.has(event.id))
          added.set(event.id, { event, line: `${JSON.stringify(event)}\n` });
      // Written before the answer goes out, because what was confirmed must survive a restart; and before anything
      // counts as known, because a repeat of an event that could not be written is no duplicate.
      if (file !== undefined && added.size > 0)
        appendFileSync(file, Array.from(added.values(), ({ line }) => line).join(''));
      for (const { event, line } of added.values()) keep(event, line.length);
      duplicates += received.length - added.size;
    },
    all: () => counted(events.all()),
    received: events.all,
    duplicates: () => duplicates,
    clear: () => {
      events.clear();
      ids.clear();
      duplicates = 0;
      if (file !== undefined) writeFileSync(file, '');
    },
  };
};

/** The events without the completions of views that were completed again later. */
const counted = (events: readonly UploadedEvent[]): readonly UploadedEvent[] => {
  const latest = new Map<string, UploadedEvent>();
  const completions = events.filter(({ name }) => name === 'PageviewComplete');
  for (const event of completions) {
    // They may arrive in any order: the earlier one may have waited for the network.
    const known = latest.get(event.view_id);
    if (known === undefined || Date.parse(known.time) <= Date.parse(event.time)) latest.set(event.view_id, event);
  }
  const superseded = new Set(completions.filter((event) => latest.get(event.view_id) !== event));
  return events.filter((event) => !superseded.has(event));
};

const fileIn = (folder: string): string => {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'events.ndjson');
  // A line cut off by a crash must not swallow the one that follows it.
  if (existsSync(file) && /[^\n]$/.test(readFileSync(file, 'utf8'))) appendFileSync(file, '\n');
  return file;
};

const readEvents = (file: string): readonly { readonly event: UploadedEvent; readonly line: string }[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .map((line) => ({ line, decoded: decode(UploadedEvent)(json.parse(line)) }))
        .flatMap(({ line, decoded }) => (isRight(decoded) ? [{ event: decoded.right, line }] : []))
    : [];
