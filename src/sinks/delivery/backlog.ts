import { concat, concatMap, defer, filter, map, mergeMap, type Observable, of, startWith, throttleTime } from 'rxjs';

import { AnyBoolean, Anything, list, object, readOr, shape } from '../../codecs/codecs';
import { NoJson } from '../../hardening/json';
import { QueuedEventCodec } from '../../model/queuedEvent';
import { pageLock } from '../../model/storageKeys';
import type { BacklogOwner, DeliverDeps, LeftBehind } from './deliver';
import type { DeliveryInput } from './deliveryState';
import { add, journal, wake } from './deliveryStep';
import { type UploadItem, uploadItemOf } from './uploadItem';

/** Locks and storage of the backlog. */
export type BacklogDeps = Pick<DeliverDeps, 'hold' | 'journal' | 'json' | 'report'>;

/** A page that has something to do looks for other pages again after so many ms, because a tab may have crashed. */
const searchMs = 30_000;

/**
 * Emits the events of other pages whose lock is free, record by record. The backlog looks for such pages at its start,
 * and every 30 s while this page has something to do. Other versions of the SDK keep waiting events in the stored
 * state; those come last. No operation errors.
 */
export const backlog = (
  owner: BacklogOwner,
  stored: LeftBehind['stored'],
  deps: BacklogDeps,
): Observable<DeliveryInput> => {
  const { attempt, has } = owner;
  const keys$ = attempt(() => deps.journal.keys());
  /** Events of a page in the stored state. */
  const queuedBy = (owner: string): readonly UploadItem[] =>
    stored().queue.flatMap(({ page, event }) => (page === owner ? [uploadItemOf(event, deps.json)] : []));
  /** Events that a page has left: first the records of its journal, then those of the stored state. */
  const leftBy = (page: string): Observable<DeliveryInput> =>
    concat(
      keys$.pipe(
        mergeMap((keys) => keys.filter((key) => pageOfRecord(key) === page && !has(key))),
        concatMap((key) =>
          attempt(() => deps.journal.read(key)).pipe(map((text) => tookOver(page, key, itemsIn(text, deps)))),
        ),
      ),
      defer(() => of(tookOver(page, '', queuedBy(page)))),
    );
  const leftBehind$ = concat(
    keys$.pipe(map((keys) => keys.map(pageOfRecord))),
    defer(() => of(stored().queue.map(({ page }) => page))),
  ).pipe(
    mergeMap((pages) => new Set(pages)),
    filter((page) => page !== owner.page),
    mergeMap((page) =>
      // The lock of the other page is held as well, so that no third page takes the same events.
      deps.hold(pageLock(page)).pipe(mergeMap((isFree) => (isFree ? leftBy(page) : []))),
    ),
  );
  return owner.work$.pipe(
    startWith(undefined),
    throttleTime(searchMs),
    mergeMap(() => leftBehind$),
  );
};

/** The page of a record, from its key. */
const pageOfRecord = (key: string): string => key.slice(0, key.lastIndexOf('/'));

/**
 * Takes over events that another page has left: of a record of the journal, whose events are settled here from then on;
 * or, without a key, of the stored state, which are written to the journal. A record without new events is removed.
 */
export const tookOver = (page: string, key: string, items: readonly UploadItem[]): DeliveryInput => ({
  type: 'tookOver',
  takeOver: (delivery) => {
    if (key === '') {
      delivery.pages = [...delivery.pages, page];
      journal(delivery, items, 'waiting');
    } else if (items.filter((item) => add(delivery, item, 'waiting', key)).length === 0) delivery.changed.add(key);
    wake(delivery);
  },
});

/** One record of the journal, as it is stored. */
const StoredRecord = object('journal', shape({ enrich: AnyBoolean, sdkProcessed: AnyBoolean, events: list(Anything) }));

/** The events of a stored record. A broken event is reported and costs itself. */
const itemsIn = (text: unknown, { json, report }: Pick<BacklogDeps, 'json' | 'report'>): readonly UploadItem[] => {
  const onFault = (cause: Error): void => report('Events journal has an invalid record', cause);
  const parsed = typeof text === 'string' ? json.parse(text) : NoJson;
  const record = readOr(StoredRecord, parsed === NoJson ? undefined : parsed, undefined, onFault);
  if (record === undefined) return [];
  const { enrich, sdkProcessed, events } = record;
  return events.flatMap((input) => {
    const event = readOr(QueuedEventCodec, input, undefined, onFault);
    return event ? [uploadItemOf({ ...event, requiresEnrichment: enrich, sdkProcessed }, json)] : [];
  });
};
