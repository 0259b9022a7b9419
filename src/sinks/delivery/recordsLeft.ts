import { concatMap, from, map, mergeMap, type Observable, of } from 'rxjs';

import { AnyBoolean, Anything, list, object, readOr, shape } from '../../model/codecs';
import { type Json, NoJson } from '../../model/json';
import type { Report } from '../../model/report';
import type { Journal } from '../../platform/platform';
import { QueuedEventCodec } from './appState';
import type { PageJournal } from './pageJournal';
import { uploadItemOf } from './uploadItem';
import type { UploadItem } from './uploadQueue';

/** One record of the journal, as it is stored. */
const JournalRecord = object<{
  readonly enrich: boolean;
  readonly sdkProcessed: boolean;
  readonly events: readonly unknown[];
}>('journal', shape({ enrich: AnyBoolean, sdkProcessed: AnyBoolean, events: list(Anything) }));

/** The journal of the browser, and what its events are read with. */
export interface RecordsLeftDeps {
  readonly journal: Journal;
  readonly json: Json;
  readonly report: Report;
}

/** The records that pages have left in the journal. No operation errors. */
export interface RecordsLeft {
  /** Ids of all pages with records, this page included. Emits once, or nothing where the journal fails. */
  readonly pages: () => Observable<readonly string[]>;
  /** Emits the events of a page, record by record. This page's journal settles them from then on. */
  readonly takeOver: (page: string) => Observable<readonly UploadItem[]>;
}

/** Reads records of other pages into the journal of this one. */
export const recordsLeft = (own: PageJournal, { journal, ...deps }: RecordsLeftDeps): RecordsLeft => {
  const keys = (): Observable<readonly string[]> => own.attempt(() => journal.keys());
  return {
    pages: () => keys().pipe(map((all) => [...new Set(all.map(pageOf))])),
    takeOver: (owner) =>
      keys().pipe(
        mergeMap((all) => from(all.filter((key) => pageOf(key) === owner && !own.has(key)))),
        concatMap((key) =>
          own
            .attempt(() => journal.read(key))
            .pipe(
              mergeMap((text) => {
                const items = itemsIn(text, owner, deps);
                const kept$ = own.keep(key, items);
                return items.length > 0 ? of(items) : kept$;
              }),
            ),
        ),
      ),
  };
};

/** The page of a record, from its key. */
const pageOf = (key: string): string => key.slice(0, key.lastIndexOf('/'));

/** The events of a stored record. A broken event is reported and costs itself. */
const itemsIn = (text: unknown, page: string, deps: Omit<RecordsLeftDeps, 'journal'>): readonly UploadItem[] => {
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
