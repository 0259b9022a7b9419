import {
  asyncScheduler,
  concat,
  concatMap,
  defer,
  EMPTY,
  filter,
  from,
  map,
  mergeMap,
  type Observable,
  of,
  startWith,
  take,
  tap,
  throttleTime,
} from 'rxjs';

import { AnyBoolean, AnyNumber, Anything, list, object, readOr, shape } from '../../codecs/codecs';
import { NoJson } from '../../hardening/json';
import { ownFields } from '../../hardening/ownFields';
import { numberOf, pageOfRecord, placeInRecord, uploadedMark } from '../../model/delivery';
import { QueuedEventCodec, type QueueEntry, QueueEntryCodec } from '../../model/queuedEvent';
import { localKeys, pageLock } from '../../model/storageKeys';
import { scoped } from '../../operators/creators/scoped';
import { shareState } from '../../operators/shareState';
import type { Platform } from '../../platform/platform';
import { fold, times } from '../../primitives/lists';
import type { BacklogOwner, DeliverDeps, LeftBehind } from './deliver';
import type { DeliveryInput, MutableDelivery } from './deliveryState';
import { add, journal, markCounted, wake } from './deliveryStep';
import { maxBatchEvents, onlySent, type UploadItem, uploadItemOf } from './uploadItem';

/** Locks and storage of the backlog. */
export interface BacklogDeps extends Pick<DeliverDeps, 'hold' | 'journal' | 'json' | 'report'> {
  /** The user whose events the engine of the page counts. */
  readonly userId: () => string | undefined;
}

/** The same, and how a task ends. */
export type TakeOverDeps = BacklogDeps & Pick<Platform, 'yieldThread'>;

/**
 * A page that has something to do looks for other pages again after so many ms: a tab may have crashed, or not quite
 * gone yet when this page began.
 */
const searchMs = 30_000;

/**
 * Emits the events of other pages whose lock is free, record by record. The backlog looks for such pages at its start,
 * and every 30 s while this page has something to do. Other versions of the SDK keep waiting events in the stored
 * state; those come last. No operation errors.
 *
 * The engine of this page is given the events of those pages that no engine has counted. An engine counts the events of
 * a page in their order, so it is given none of a page of which not all records could be read.
 *
 * Each look begins with `arrive$`, which completes once what was left elsewhere is in the journal.
 */
export const backlog = (
  owner: BacklogOwner,
  stored: LeftBehind['stored'],
  deps: TakeOverDeps,
  arrive$: Observable<never> = EMPTY,
): Observable<DeliveryInput> => {
  const { attempt, has } = owner;
  const keys$ = attempt(() => deps.journal.keys());
  const queued = queuedByPage(stored);
  /** The records of a page, then the word that all of them are here. */
  const recordsOf = (page: string): Observable<DeliveryInput> =>
    keys$.pipe(
      mergeMap((keys) => {
        const unread = new Set(keys.filter((key) => pageOfRecord(key) === page && !has(key)));
        return concat(
          from([...unread]).pipe(
            concatMap((key) =>
              attempt(() => deps.journal.read(key)).pipe(
                tap(() => unread.delete(key)),
                map((text) => tookRecord(key, itemsIn(key, text, deps))),
              ),
            ),
          ),
          defer(() => (unread.size === 0 ? of(hasAllOf(page)) : EMPTY)),
        );
      }),
    );
  /** Events that a page has left: first the records of its journal, then those of the stored state. */
  const leftBy = (page: string): Observable<DeliveryInput> =>
    concat(
      recordsOf(page),
      // Decoded and written in parts, because there may be thousands.
      defer(() => from(inParts(queued().get(page) ?? []))).pipe(
        concatMap((part) => deps.yieldThread().pipe(map(() => tookQueued(itemsOf(part, deps))))),
      ),
      of(tookQueueOf(page)),
    );
  const pages$ = concat(
    keys$.pipe(map((keys) => keys.map(pageOfRecord))),
    defer(() => of([...queued().keys()])),
  ).pipe(
    mergeMap((pages) => new Set(pages)),
    filter((page) => page !== owner.page),
  );
  // The lock of each page is held until the end, so that no third page takes the same events.
  return scoped((end$) => {
    const takeOver = (page: string): Observable<DeliveryInput> =>
      deps.hold(pageLock(page)).pipe(
        shareState(end$),
        take(1),
        mergeMap((isFree) => (isFree ? leftBy(page) : [])),
      );
    return owner.work$.pipe(
      startWith(undefined),
      throttleTime(searchMs, asyncScheduler, { leading: true, trailing: true }),
      // One page after the other, because there may be thousands.
      mergeMap(() => concat(arrive$, pages$.pipe(concatMap(takeOver)))),
    );
  });
};

/** Answers the events that wait in the stored state, by page. A state is sorted once, however often it is asked for. */
const queuedByPage = (stored: LeftBehind['stored']): (() => ReadonlyMap<string, readonly QueueEntry[]>) => {
  let last = { queue: [] as readonly QueueEntry[], byPage: new Map<string, QueueEntry[]>() };
  return () => {
    const { queue } = stored();
    if (queue === last.queue) return last.byPage;
    last = { queue, byPage: new Map() };
    for (const entry of queue) {
      const others = last.byPage.get(entry.page);
      if (others) others.push(entry);
      else last.byPage.set(entry.page, [entry]);
    }
    return last.byPage;
  };
};

/** The items in parts of a request's worth. */
const inParts = <Item>(items: readonly Item[]): readonly (readonly Item[])[] =>
  times(Math.ceil(items.length / maxBatchEvents), (i) => items.slice(i * maxBatchEvents, (i + 1) * maxBatchEvents));

/** The events of the stored state. A broken one is reported and costs itself. */
const itemsOf = (
  entries: readonly QueueEntry[],
  { json, report }: Pick<BacklogDeps, 'json' | 'report'>,
): readonly UploadItem[] =>
  entries.flatMap(({ stored }) => {
    const entry = readOr(QueueEntryCodec, stored, undefined, ({ message }) =>
      report('Permutive app raised an invalid state', new Error(`${localKeys.appState}/eventUpload: ${message}`)),
    );
    return entry ? [uploadItemOf(entry[1].event, json, onlySent)] : [];
  });

/** The journal has all events that a page has left in the stored state, so they leave that one. */
const tookQueueOf = (page: string): DeliveryInput => ({
  type: 'tookOver',
  takeOver: (delivery) => {
    delivery.pages = [...delivery.pages, page];
  },
});

/** Takes over events that another page has left in the stored state: they are written to the journal. */
export const tookQueued = (items: readonly UploadItem[]): DeliveryInput => ({
  type: 'tookOver',
  takeOver: (delivery) => {
    journal(delivery, items, 'waiting');
    wake(delivery);
  },
});

/**
 * Takes over a record of the journal of another page, whose events are settled here from then on. A record without new
 * events is removed.
 */
export const tookRecord = (key: string, items: readonly UploadItem[]): DeliveryInput => ({
  type: 'tookOver',
  takeOver: (delivery) => {
    if (items.filter((item) => isLeft(item) && addLeft(delivery, item, key)).length === 0) delivery.changed.add(key);
    wake(delivery);
  },
});

/** Whether something is still to be done with an event. */
const isLeft = ({ isUploaded, place }: UploadItem): boolean => !isUploaded || place !== null;
const addLeft = (delivery: MutableDelivery, item: UploadItem, key: string): boolean =>
  add(delivery, item, item.isUploaded ? 'uncounted' : 'waiting', key);

/**
 * All records of another page are here, so its events go to the engine. The page has ended: its last provisional event
 * counts, and those before a later event do not.
 */
const hasAllOf = (page: string): DeliveryInput => ({
  type: 'tookOver',
  takeOver: (delivery) => {
    const left = [...delivery.events.values()].filter((event) => event.place && pageOfRecord(event.record) === page);
    const last = fold(left, 0, (number, { place }) => Math.max(number, numberOf(place)));
    for (const event of left)
      if (event.place?.isProvisional !== true) continue;
      else if (event.place.number < last) markCounted(delivery, event);
      else delivery.events.change(event.id, { place: { ...event.place, isProvisional: false } });
    delivery.commands.push({ type: 'count', page });
  },
});

/** One record of the journal, as it is stored. */
const StoredRecord = object(
  'journal',
  shape({ enrich: AnyBoolean, sdkProcessed: AnyBoolean, events: list(Anything) }, { places: list(list(AnyNumber)) }),
);

/** The events of a stored record. A broken event is reported and costs itself. */
export const itemsIn = (
  key: string,
  text: unknown,
  { json, report, userId }: Pick<BacklogDeps, 'json' | 'report' | 'userId'>,
): readonly UploadItem[] => {
  const onFault = (cause: Error): void => report('Events journal has an invalid record', cause);
  const parsed = typeof text === 'string' ? json.parse(text) : NoJson;
  const record = readOr(StoredRecord, parsed === NoJson ? undefined : parsed, undefined, onFault);
  if (record === undefined) return [];
  const { enrich, sdkProcessed, events, places = [] } = ownFields(record);
  return events.flatMap((input, i) => {
    const event = readOr(QueuedEventCodec, input, undefined, onFault);
    if (event === undefined) return [];
    const [number = 0, marks = 0] = places[i] ?? [];
    // The engine must not know another user's history.
    const place = event.user_id === userId() ? placeInRecord(key, number, marks) : null;
    const isUploaded = (marks & uploadedMark) > 0;
    return [
      uploadItemOf({ ...event, requiresEnrichment: enrich, sdkProcessed }, json, { waits: false, place, isUploaded }),
    ];
  });
};
