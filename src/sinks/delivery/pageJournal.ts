import { isRight } from 'fp-ts/Either';
import * as t from 'io-ts';
import {
  catchError,
  concatMap,
  defer,
  EMPTY,
  from,
  ignoreElements,
  map,
  mergeMap,
  type Observable,
  of,
  timeout,
} from 'rxjs';

import { decode } from '../../model/decode';
import { type Json, NoJson } from '../../model/json';
import type { Report } from '../../model/report';
import type { Journal } from '../../platform/platform';
import { QueuedEvent } from './appState';
import { uploadItemOf } from './uploadItem';
import { listText, sameFlags, type UploadItem } from './uploadQueue';

/**
 * A browser that answers no sooner than this will not: some never do (a first open, a write after a back navigation).
 */
const journalTimeoutMs = 1500;

/**
 * One record of the journal: events that were accepted within one gathering, at most a batch's worth, under the key
 * `{page}/{number}`. It is put as a whole, strictly (on disk before the write is done); put again with what remains
 * when the server has answered for a part; and removed with its last event. Whose events they are can be told from the
 * key alone.
 */
const JournalRecord = t.type({ enrich: t.boolean, sdkProcessed: t.boolean, events: t.UnknownArray }, 'journal');
const maxRecordEvents = 100;

type Items = ReadonlyMap<string, UploadItem>;

export interface JournalDeps {
  readonly journal: Journal;
  readonly json: Json;
  readonly bytesOf: (text: string) => number;
  readonly report: Report;
}

/**
 * The journal of one page. Where the browser fails or hangs once, it is left alone: local storage has the events too.
 */
export interface PageJournal {
  readonly put: (items: readonly UploadItem[]) => Observable<never>;
  /** The server has answered for these. */
  readonly settle: (ids: readonly string[]) => Observable<never>;
  /** Pages that have left events. Emits once. */
  readonly pages: () => Observable<readonly string[]>;
  /** Their events, record by record, to be settled here from now on. */
  readonly takeOver: (page: string) => Observable<readonly UploadItem[]>;
}

export const pageJournal = (page: string, { journal, json, bytesOf, report }: JournalDeps): PageJournal => {
  const records = new Map<string, Items>();
  const keyOf = new Map<string, string>();
  let [count, isBroken] = [0, false];

  const attempt = <A>(operation: () => Observable<A>): Observable<A> =>
    defer(() => (isBroken ? EMPTY : operation().pipe(timeout({ first: journalTimeoutMs })))).pipe(
      catchError((cause: unknown) => {
        if (!isBroken) report('Events journal is not available', cause);
        isBroken = true;
        return EMPTY;
      }),
    );

  const keep = (key: string, items: readonly UploadItem[]): void => {
    records.set(key, new Map(items.map((item) => [item.id, item])));
    for (const { id } of items) keyOf.set(id, key);
  };
  const write = (keys: Iterable<string>): Observable<never> => {
    const changes = new Map([...keys].map((key) => [key, textOf(records.get(key))]));
    return changes.size === 0 ? EMPTY : attempt(() => journal.write(changes)).pipe(ignoreElements());
  };

  return {
    put: (items) => {
      const keys = recordsOf(items).map((some) => {
        const key = `${page}/${(count += 1)}`;
        keep(key, some);
        return key;
      });
      return write(keys);
    },
    settle: (ids) => {
      const changed = new Set<string>();
      for (const id of ids) {
        const key = keyOf.get(id);
        if (key === undefined) continue;
        keyOf.delete(id);
        changed.add(key);
      }
      for (const key of changed) {
        const left = [...(records.get(key)?.values() ?? [])].filter(({ id }) => keyOf.get(id) === key);
        if (left.length > 0) keep(key, left);
        else records.delete(key);
      }
      return write(changed);
    },
    pages: () => attempt(() => journal.keys()).pipe(map((keys) => [...new Set(keys.map(pageOf))])),
    takeOver: (owner) =>
      attempt(() => journal.keys()).pipe(
        mergeMap((keys) => from(keys.filter((key) => pageOf(key) === owner && !records.has(key)))),
        concatMap((key) =>
          attempt(() => journal.read(key)).pipe(
            mergeMap((text) => {
              const items = itemsIn(text, owner, { json, bytesOf, report });
              if (items.length > 0) keep(key, items);
              // Nothing in it makes sense: it goes.
              return items.length > 0 ? of(items) : write([key]);
            }),
          ),
        ),
      ),
  };
};

const pageOf = (key: string): string => key.slice(0, key.lastIndexOf('/'));

/** Events that are treated alike, a batch's worth at most, in their order. */
const recordsOf = (items: readonly UploadItem[]): readonly (readonly UploadItem[])[] => {
  const records: UploadItem[][] = [];
  for (const item of items) {
    const last = records.at(-1);
    if (last?.[0] && last.length < maxRecordEvents && sameFlags(last[0].flags, item.flags)) last.push(item);
    else records.push([item]);
  }
  return records;
};

const textOf = (items: Items | undefined): string | null => {
  const [first] = items?.values() ?? [];
  return items && first
    ? `{"enrich":${first.flags.enrich},"sdkProcessed":${first.flags.sdkProcessed},"events":${listText([...items.values()])}}`
    : null;
};

/** What a stored record holds; a broken event costs itself. */
const itemsIn = (text: unknown, page: string, deps: Omit<JournalDeps, 'journal'>): readonly UploadItem[] => {
  const onFault = (cause: Error): readonly UploadItem[] => {
    deps.report('Events journal has an invalid record', cause);
    return [];
  };
  const parsed = typeof text === 'string' ? deps.json.parse(text) : NoJson;
  const record = decode(JournalRecord)(parsed === NoJson ? undefined : parsed);
  if (!isRight(record)) return onFault(record.left);
  const { enrich, sdkProcessed, events } = record.right;
  return events.flatMap((input) => {
    const event = decode(QueuedEvent)(input);
    return isRight(event)
      ? [uploadItemOf({ ...event.right, requiresEnrichment: enrich, sdkProcessed }, page, deps)]
      : onFault(event.left);
  });
};
