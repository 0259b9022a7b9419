import { catchError, concat, EMPTY, mergeMap, Observable, of } from 'rxjs';

import type { Fields } from '../../codecs/codecs';
import { poll } from '../../operators/creators/poll';
import type { ConsentCommand } from './consentApi';

/**
 * Listens to a platform: emits what `read` finds in each event, and `failed` where the platform or `read` throws. The
 * listener is removed with the subscription.
 */
export const heardFrom = <A>(
  ask: ConsentCommand,
  failed: A,
  read: (event: unknown, success: unknown) => readonly A[],
): Observable<A> =>
  new Observable((subscriber) => {
    let listenerId: unknown;
    const guarded = (action: () => void): void => {
      try {
        action();
      } catch {
        subscriber.next(failed);
      }
    };
    const leave = (): void => {
      // The first listener's id is 0.
      if (typeof listenerId === 'number') guarded(() => ask('removeEventListener', () => undefined, listenerId));
    };
    guarded(() =>
      ask('addEventListener', (event, success) =>
        guarded(() => {
          listenerId = (event as Fields | null | undefined)?.['listenerId'] ?? listenerId;
          // A platform that loads late calls us back through its stub's queue, even after we have unsubscribed.
          if (subscriber.closed) leave();
          else for (const said of read(event, success)) subscriber.next(said);
        }),
      ),
    );
    return leave;
  });

/**
 * What a platform says that comes after the page was taken to have none: `find` looks for it with growing waits for
 * 102 s. From the moment it is found until it has answered, it says `until`.
 */
export const lateAnswers = <A>(find: () => Observable<A> | undefined, until: A): Observable<A> =>
  poll(find, { everyMs: 100, factor: 2, times: 11 }).pipe(
    mergeMap((answer$) => concat(of(until), answer$)),
    catchError(() => EMPTY),
  );
