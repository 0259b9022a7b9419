import { catchError, defer, EMPTY, ignoreElements, type Observable } from 'rxjs';

import type { Report } from '../../model/report';
import { firstWithin } from '../../operators/firstWithin';
import type { Journal } from '../../platform/platform';
import { listText, sameFlags, type UploadItem } from './uploadQueue';

/** Time that an operation of the journal gets. It is longer than the time that the journal gives the disk. */
const journalTimeoutMs = 2000;

/** Events of one record, at most: a batch's worth. */
const maxRecordEvents = 100;

/** Events of one record by id. */
type Items = ReadonlyMap<string, UploadItem>;

/** The journal of the browser, and who hears that it fails. */
export interface JournalDeps {
  readonly journal: Journal;
  readonly report: Report;
}

/**
 * The journal of one page: its own records, and those that it has taken over. A record holds events that were accepted
 * in one gathering, under the key `{page}/{number}`, so the key alone tells whose events they are. It is written as a
 * whole; written again with the rest when the server has answered for a part of it; and removed with its last event. No
 * operation errors, and one that fails or hangs does not end the journal.
 */
export interface PageJournal {
  /** Writes events, in place of those with the same ids. Completes when they are on disk. */
  readonly put: (items: readonly UploadItem[]) => Observable<never>;
  /** Removes events that the server has answered for, by id. Unknown ids are ignored. */
  readonly settle: (ids: readonly string[]) => Observable<never>;
  /** Whether the journal has a record under that key. */
  readonly has: (key: string) => boolean;
  /**
   * Keeps a record that another page has left: its events are settled here from then on. One without events is removed
   * from the disk. Completes when that is done.
   */
  readonly keep: (key: string, items: readonly UploadItem[]) => Observable<never>;
  /** Runs an operation of the disk. Completes without a value where it fails or hangs; only the first is reported. */
  readonly attempt: <A>(operation: () => Observable<A>) => Observable<A>;
}

/**
 * Makes the journal of a page. It knows in memory which event is in which record, so that a settled event costs one
 * write and no read.
 */
export const pageJournal = (page: string, { journal, report }: JournalDeps): PageJournal => {
  const records = new Map<string, Items>();
  const keyOf = new Map<string, string>();
  let count = 0;
  const attempt = attempts(report);

  /** Notes what a record holds. */
  const note = (key: string, items: readonly UploadItem[]): void => {
    records.set(key, new Map(items.map((item) => [item.id, item])));
    for (const { id } of items) keyOf.set(id, key);
  };
  /** Takes out of these records the events that belong to another record, or to none any more. */
  const prune = (keys: ReadonlySet<string>): void => {
    for (const key of keys) {
      const left = [...(records.get(key)?.values() ?? [])].filter(({ id }) => keyOf.get(id) === key);
      if (left.length > 0) note(key, left);
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
        note(key, some);
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
    has: (key) => records.has(key),
    keep: (key, items) => {
      if (items.length === 0) return write([key]);
      note(key, items);
      return EMPTY;
    },
    attempt,
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
