import { catchError, concatMap, forkJoin, map, mergeMap, type Observable, of } from 'rxjs';

import { isRecord } from '../codecs/codecs';
import type { Json } from '../hardening/json';
import { type Answered, known, unknown } from '../model/answered';
import { numberedEvent, pageOfRecord, placeInRecord, withoutPlaceholders } from '../model/delivery';
import type { Start } from '../model/engineCommands';
import type { NumberedEvent } from '../model/event';
import { firstWithin } from '../operators/firstWithin';
import type { Journal } from '../platform/platform';
import type { ClaimDeps } from './claiming';
import { endedPages } from './endedPages';
import { isStoredEvent } from './unprocessed';

/** Time that the journal gets, in ms. What is read later, the page gives to the engine. */
const maxWaitMs = 1000;

/** The journal of accepted events, and the locks of its pages. */
export interface LeftEventsDeps extends Pick<ClaimDeps, 'hold'> {
  readonly journal: Pick<Journal, 'keys' | 'read'>;
  readonly json: Json;
}

type KeyedRecord = readonly [key: string, text: unknown];

/**
 * Emits once: the events that pages which have ended have left in the journal for an engine of this user, so that the
 * engine starts with them. The page takes the same records over somewhat later, and gives the engine the same events
 * again. So nothing is lost where the journal does not answer here, and no event counts twice, because the engine knows
 * what it has counted.
 *
 * All records are read, or none: a page's events are counted up to a number. A page that lives has its own engine.
 * Unknown where the journal has not answered, and where the browser has no locks, because nobody knows then which pages
 * have ended.
 */
export const leftEvents = (
  { userId, page, localRecords }: Pick<Start, 'userId' | 'page' | 'localRecords'>,
  { journal, hold, json }: LeftEventsDeps,
): Observable<Answered<readonly NumberedEvent[]>> => {
  if (hold === null) return of(unknown);
  const ended = (records: readonly KeyedRecord[]): Observable<readonly KeyedRecord[]> => {
    const others = records.filter(([key]) => pageOfRecord(key) !== page);
    return endedPages(
      others.map(([key]) => pageOfRecord(key)),
      hold,
    ).pipe(map((owners) => others.filter(([key]) => owners.has(pageOfRecord(key)))));
  };
  return journal.keys().pipe(
    mergeMap((keys) => allOf(keys.map((key) => journal.read(key).pipe(map((text) => [key, text] as const))))),
    // What the disk has not confirmed is in local storage, in its last form.
    map((records) => [...new Map<string, unknown>([...records, ...localRecords])]),
    concatMap(ended),
    map((records) => known(records.flatMap(([key, text]) => eventsOf(key, text, userId, json)))),
    firstWithin(maxWaitMs),
    catchError(() => of(unknown)),
  );
};

/** As `forkJoin`, which completes without a value where there is nothing to wait for. */
const allOf = <A>(each: readonly Observable<A>[]): Observable<readonly A[]> =>
  each.length === 0 ? of([]) : forkJoin(each);

/** The events of a record that an engine of this user has to count. */
const eventsOf = (key: string, text: unknown, userId: string, json: Json): readonly NumberedEvent[] => {
  const record = typeof text === 'string' ? json.parse(withoutPlaceholders(text)) : undefined;
  if (!isRecord(record) || !Array.isArray(record['events']) || !Array.isArray(record['places'])) return [];
  const places = record['places'] as readonly unknown[];
  return (record['events'] as readonly unknown[]).flatMap((event, i) => {
    const [number, marks] = [places[i]].flat().map(Number);
    // The page of an event that waits here may have told more of it. Who takes the record over has its last form.
    if (Number(number) < 0) return [];
    const place = placeInRecord(key, Number(number), Number(marks));
    return place && isStoredEvent(event) && event['user_id'] === userId ? [numberedEvent(event, place)] : [];
  });
};
