import { catchError, forkJoin, map, mergeMap, noop, type Observable, of, share, take } from 'rxjs';

import { type Answered, known, unknown } from '../../model/answered';
import { numberedEvent, pageOfRecord } from '../../model/delivery';
import type { NumberedEvent } from '../../model/event';
import type { QueuedEvent } from '../../model/queuedEvent';
import { aliveLock } from '../../model/storageKeys';
import { firstWithin } from '../../operators/firstWithin';
import { type BacklogDeps, itemsIn } from './backlog';

/** Time that the journal gets, in ms. */
const maxWaitMs = 1000;
/** No record has this key. The journal lists what it can; a read tells whether the disk answers. */
const noRecord = '';

type Deps = Omit<BacklogDeps, 'report'>;

/** The reading for a visitor that may be under way: two at a time would find each other's locks taken. */
const readings = new WeakMap<Deps['userId'], Observable<Answered<readonly NumberedEvent[]>>>();

/**
 * Emits once: the events in the journal of this page, and of pages that have ended, of which nobody has said yet that
 * the saved state of an engine of this user has them. Events of a page that lives are left out, because that page has
 * an engine of its own. So is a provisional event whose page lives or has told a later event. Unknown where the journal
 * cannot be read in time.
 */
export const journalledEvents = (page: string, deps: Deps): Observable<Answered<readonly NumberedEvent[]>> => {
  const reading$ = readings.get(deps.userId) ?? readJournal(page, deps).pipe(share());
  readings.set(deps.userId, reading$);
  return reading$;
};

const readJournal = (page: string, deps: Deps): Observable<Answered<readonly NumberedEvent[]>> => {
  const { journal, hold } = deps;
  const isOver = (owner: string): Observable<boolean> =>
    owner === page ? of(true) : hold(aliveLock(owner)).pipe(take(1));
  /** The events of a page, or none while it lives. */
  const eventsOf = (owner: string, keys: readonly string[]): Observable<readonly NumberedEvent[]> =>
    forkJoin([
      isOver(owner),
      ...keys.map((key) => journal.read(key).pipe(map((text) => eventsIn(key, text, deps)))),
    ]).pipe(
      map(([isEnded, ...records]) =>
        isEnded
          ? records
              .flat()
              .filter((event) => (owner === page ? event.provisional !== true : isLastWord(event, records.flat())))
          : [],
      ),
    );
  return journal.keys().pipe(
    mergeMap((keys) => {
      const owners = [...new Set(keys.map(pageOfRecord))];
      return forkJoin([
        journal.read(noRecord),
        ...owners.map((owner) =>
          eventsOf(
            owner,
            keys.filter((key) => pageOfRecord(key) === owner),
          ),
        ),
      ]);
    }),
    map(([, ...pages]) => known(pages.flat())),
    firstWithin(maxWaitMs),
    catchError(() => of(unknown)),
  );
};

/** The events of a record that an engine of this user has to count. */
const eventsIn = (key: string, text: unknown, { json, userId }: Deps): readonly NumberedEvent[] =>
  // The page that takes the record over reports what cannot be read.
  itemsIn(key, text ?? undefined, { json, userId, report: noop }).flatMap(({ text: event, place }) =>
    place ? [numberedEvent(json.parse(event) as QueuedEvent, place)] : [],
  );

/** Whether no later event of its page has taken the place of a provisional one. */
const isLastWord = (event: NumberedEvent, all: readonly NumberedEvent[]): boolean =>
  event.provisional !== true || !all.some(({ page, number }) => page === event.page && number > event.number);
