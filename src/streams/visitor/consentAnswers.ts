import { concat, concatMap, EMPTY, Observable, of } from 'rxjs';

import type { Fields } from '../../codecs/codecs';
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
 * What a consent platform says. `found$` is the wait for it (`Appears`): where it is missing at first, that counts as
 * `missing`, and from the moment a late one is found until it has answered, it counts as `until`.
 */
export const platformAnswers = <A>(
  found$: Observable<Observable<A> | undefined>,
  missing: A,
  until: A,
): Observable<A> =>
  found$.pipe(
    concatMap((answer$, i) => (answer$ === undefined ? of(missing) : concat(i === 0 ? EMPTY : of(until), answer$))),
  );
