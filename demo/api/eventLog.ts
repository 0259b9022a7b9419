import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRight } from 'fp-ts/Either';

import { UploadedEvent } from '../../src/endpoints/batchEvents';
import { decode } from '../../src/model/decode';
import { json } from '../../src/model/plainJson';

/** The accepted events, each id once, the newest last. */
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

/** Keeps events in memory and, given a folder, as `events.ndjson`, one event a line, read back at the start. */
export const eventLog = (dataDir?: string): EventLog => {
  const file = dataDir === undefined ? undefined : fileIn(dataDir);
  const events = new Map((file === undefined ? [] : readEvents(file)).map((event) => [event.id, event]));
  let duplicates = 0;

  return {
    add: (received) => {
      const added = received.filter((event) => {
        const isNew = !events.has(event.id);
        if (isNew) events.set(event.id, event);
        else duplicates += 1;
        return isNew;
      });
      // Written before the answer goes out: what was confirmed must survive a restart.
      if (file !== undefined && added.length > 0)
        appendFileSync(file, added.map((event) => `${JSON.stringify(event)}\n`).join(''));
    },
    all: () => counted([...events.values()]),
    received: () => [...events.values()],
    duplicates: () => duplicates,
    clear: () => {
      events.clear();
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

const readEvents = (file: string): readonly UploadedEvent[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .map((line) => decode(UploadedEvent)(json.parse(line)))
        .flatMap((decoded) => (isRight(decoded) ? [decoded.right] : []))
    : [];
