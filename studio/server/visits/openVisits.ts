import { basename } from 'node:path';

import { brokerName } from '../../../demo/eventStream/brokerName';
import { type EventTable, visitorsOf } from './eventTable';
import { addLine, readVisitFile } from './readFile';
import { readStream } from './readStream';
import { VisitStore } from './visitStore';

/** The visits that are counted. */
export interface Visits {
  /** Where they come from and what was found there, for people; undefined where there are none. */
  readonly said: () => string | undefined;
  /** The events, once the file is read or the stream has no more. Waits as long as the source is away. */
  readonly table: () => Promise<EventTable>;
  /** What is wrong with the source; undefined where nothing is. */
  readonly fault: () => string | undefined;
  /** The events where they are read already. */
  readonly present: () => EventTable | undefined;
  readonly store: VisitStore;
  /** How many events were read by now. */
  readonly count: () => number;
  readonly close: () => Promise<void>;
}

export interface VisitSources {
  /** A file of visits. */
  readonly data?: string | undefined;
  /** The address of a NATS server that has the collector's stream. */
  readonly nats?: string | undefined;
  /** Told once when what is said of the visits has changed. */
  readonly onChange: () => void;
  /** Events of a stream that goes on are taken into counts once they are so old, in ms. Counts are kept until then. */
  readonly freshMs?: number;
}

const counted = (number: number, noun: string): string =>
  `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;

/** Begins to read visits. What is wrong with their source is said and ends nothing. */
export const openVisits = ({ data, nats, onChange, freshMs = 30_000 }: VisitSources): Visits => {
  const store = new VisitStore();
  const stopped = new AbortController();
  let fault: string | undefined;
  let isRead = false;
  let taken: { readonly table: EventTable; readonly at: number } | undefined;
  let resolveReady: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => (resolveReady = resolve));
  const changed = (): void => {
    if (!stopped.signal.aborted) onChange();
  };
  const end = (): void => {
    isRead = true;
    resolveReady();
    changed();
  };
  const reading = (async (): Promise<void> => {
    if (data !== undefined)
      try {
        const { wrong, firstWrong } = await readVisitFile(data, store, stopped.signal);
        if (wrong > 0) fault = `${counted(wrong, 'line')} left out, the first one because ${firstWrong}`;
      } catch (error) {
        fault = `${basename(data)} cannot be read (${error instanceof Error ? error.message : String(error)})`;
      }
    if (nats === undefined) {
      end();
      return;
    }
    // The collector's stream may hold an event twice (demo/eventStream/stream.ts).
    const known = new Set<string>();
    await readStream(
      nats,
      {
        take: (text) => {
          const id = /"id":"([^"]+)"/.exec(Buffer.from(text.buffer, text.byteOffset, text.length).toString())?.[1];
          if (id !== undefined && known.has(id)) return;
          if (id !== undefined) known.add(id);
          addLine(store, text);
        },
        caughtUp: () => {
          const wasWrong = fault !== undefined;
          fault = undefined;
          if (!isRead) end();
          else if (wasWrong) changed();
        },
        report: (text) => {
          // The same is told at each attempt.
          if (fault === text) return;
          fault = text;
          changed();
        },
      },
      stopped.signal,
    );
  })();
  const source = [data && basename(data), nats && `the stream of ${brokerName(nats)}`].filter(Boolean).join(' and ');
  const tableNow = (): EventTable => {
    if (taken === undefined || (nats !== undefined && Date.now() - taken.at > freshMs))
      taken = { table: store.table(), at: Date.now() };
    return taken.table;
  };
  return {
    store,
    said: () => {
      if (source === '') return undefined;
      const events = counted(store.count, 'event');
      const table = isRead && store.count > 0 ? tableNow() : undefined;
      const what =
        table === undefined
          ? isRead
            ? 'no events'
            : `${events} by now`
          : `${events} of ${counted(visitorsOf(table), 'visitor')}`;
      return `${source}: ${what}${fault === undefined ? '' : `; ${fault}`}`;
    },
    table: async () => {
      await ready;
      return tableNow();
    },
    fault: () => fault,
    present: () => (isRead && store.count > 0 ? tableNow() : undefined),
    count: () => store.count,
    close: async () => {
      stopped.abort();
      resolveReady();
      await reading;
    },
  };
};
