import { catchError, concatMap, defer, EMPTY, from, ignoreElements, map, mergeMap, type Observable, of } from 'rxjs';

import { AnyBoolean, Anything, list, object, readOr, shape } from '../../model/codecs';
import { type Json, NoJson } from '../../model/json';
import type { Report } from '../../model/report';
import { firstWithin } from '../../operators/firstWithin';
import type { Journal } from '../../platform/platform';
import { QueuedEventCodec } from './appState';
import { uploadItemOf } from './uploadItem';
import { listText, sameFlags, type UploadItem } from './uploadQueue';

/** Time that an operation of the journal gets. It is longer than the time that the journal gives the disk. */
const journalTimeoutMs = 2000;

/**
 * One record of the journal: events that were accepted in one gathering, at most a batch's worth, under the key
 * `{page}/{number}`. The key alone tells whose events they are. A record is written as a whole; written again with the
 * rest when the server has answered for a part of it; and removed with its last event.
 */
const JournalRecord = object<{
  readonly enrich: boolean;
  readonly sdkProcessed: boolean;
  readonly events: readonly unknown[];
}>('journal', shape({ enrich: AnyBoolean, sdkProcessed: AnyBoolean, events: list(Anything) }));
const maxRecordEvents = 100;

/** Events of one record by id. */
type Items = ReadonlyMap<string, UploadItem>;

/** The journal of the browser, and what its events are read with. */
export interface JournalDeps {
  readonly journal: Journal;
  readonly json: Json;
  readonly report: Report;
}

/**
 * The journal of one page: its own records, and those that it has taken over. No operation errors, and one that fails
 * or hangs does not end the journal.
 */
export interface PageJournal {
  /** Writes events, in place of those with the same ids. Completes when they are on disk. */
  readonly put: (items: readonly UploadItem[]) => Observable<never>;
  /** Removes events that the server has answered for, by id. Unknown ids are ignored. */
  readonly settle: (ids: readonly string[]) => Observable<never>;
  /** Ids of all pages with records, this page included. Emits once, or nothing where the journal fails. */
  readonly pages: () => Observable<readonly string[]>;
  /** Emits the events of a page, record by record. They are settled here from then on. */
  readonly takeOver: (page: string) => Observable<readonly UploadItem[]>;
}

/**
 * Makes the journal of a page. It knows in memory which event is in which record, so that a settled event costs one
 * write and no read.
 */
export const pageJournal = (page: string, { journal, json, report }: JournalDeps): PageJournal => {
  const records = new Map<string, Items>();
  const keyOf = new Map<string, string>();
  let count = 0;
  const attempt = attempts(report);

  /** Notes what a record holds. */
  const keep = (key: string, items: readonly UploadItem[]): void => {
    records.set(key, new Map(items.map((item) => [item.id, item])));
    for (const { id } of items) keyOf.set(id, key);
  };
  /** Takes out of these records the events that belong to another record, or to none any more. */
  const prune = (keys: ReadonlySet<string>): void => {
    for (const key of keys) {
      const left = [...(records.get(key)?.values() ?? [])].filter(({ id }) => keyOf.get(id) === key);
      if (left.length > 0) keep(key, left);
      else records.delete(key);
    }
  };
  /** The records that hold events with these ids. */
  const keysOf = (ids: readonly string[]): ReadonlySet<string> => new Set(ids.flatMap((id) => keyOf.get(id) ?? []));
  /** Writes these records as they are now; a record that is empty is removed. */
  const write = (keys: Iterable<string>): Observable<never> => {
    const changes = new Map([...keys].map((key) => [key, textOf(records.get(key))]));
    return changes.size === 0 ? EMPTY : attempt(() => journal.write(changes)).pipe(ignoreElements());
  };

  return {
    put: (items) => {
      const earlier = keysOf(items.map(({ id }) => id));
      const keys = recordsOf(items).map((some) => {
        const key = `${page}/${(count += 1)}`;
        keep(key, some);
        return key;
      });
      prune(earlier);
      return write([...earlier, ...keys]);
    },
    settle: (ids) => {
      const changed = keysOf(ids);
      for (const id of ids) keyOf.delete(id);
      prune(changed);
      return write(changed);
    },
    pages: () => attempt(() => journal.keys()).pipe(map((keys) => [...new Set(keys.map(pageOf))])),
    takeOver: (owner) =>
      attempt(() => journal.keys()).pipe(
        mergeMap((keys) => from(keys.filter((key) => pageOf(key) === owner && !records.has(key)))),
        concatMap((key) =>
          attempt(() => journal.read(key)).pipe(
            mergeMap((text) => {
              const items = itemsIn(text, owner, { json, report });
              if (items.length > 0) keep(key, items);
              // A record without a readable event is removed.
              return items.length > 0 ? of(items) : write([key]);
            }),
          ),
        ),
      ),
  };
};

/** Runs operations of the journal. Reports the first failure only; a later operation may succeed. */
const attempts = (report: Report): (<A>(operation: () => Observable<A>) => Observable<A>) => {
  let isReported = false;
  return (operation) =>
    defer(operation).pipe(
      firstWithin(journalTimeoutMs),
      catchError((cause: unknown) => {
        if (!isReported) report('Events journal is not available', cause);
        isReported = true;
        return EMPTY;
      }),
    );
};

/** The page of a record, from its key. */
const pageOf = (key: string): string => key.slice(0, key.lastIndexOf('/'));

/**
 * Splits events, in their order, into records: each holds a batch's worth at most, of events that the server treats
 * alike.
 */
const recordsOf = (items: readonly UploadItem[]): readonly (readonly UploadItem[])[] => {
  const records: UploadItem[][] = [];
  for (const item of items) {
    const last = records.at(-1);
    if (last?.[0] && last.length < maxRecordEvents && sameFlags(last[0].flags, item.flags)) last.push(item);
    else records.push([item]);
  }
  return records;
};

/** The text of a record; null, which removes it, where no event is left. */
const textOf = (items: Items | undefined): string | null => {
  const [first] = items?.values() ?? [];
  return items && first
    ? `{"enrich":${first.flags.enrich},"sdkProcessed":${first.flags.sdkProcessed},"events":${listText([...items.values()])}}`
    : null;
};

/** The events of a stored record. A broken event is reported and costs itself. */
const itemsIn = (text: unknown, page: string, deps: Omit<JournalDeps, 'journal'>): readonly UploadItem[] => {
  const onFault = (cause: Error): void => deps.report('Events journal has an invalid record', cause);
  const parsed = typeof text === 'string' ? deps.json.parse(text) : NoJson;
  const record = readOr(JournalRecord, parsed === NoJson ? undefined : parsed, undefined, onFault);
  if (record === undefined) return [];
  const { enrich, sdkProcessed, events } = record;
  return events.flatMap((input) => {
    const event = readOr(QueuedEventCodec, input, undefined, onFault);
    return event ? [uploadItemOf({ ...event, requiresEnrichment: enrich, sdkProcessed }, page, deps.json)] : [];
  });
};
