import { mergeMap, Observable } from 'rxjs';

import { poll, type PollOptions } from '../../operators/creators/poll';
import type { Page } from '../../platform/platform';

/**
 * Emits an ad tag of the page once it runs the commands of its queue, and completes; errors with `PollError` when there
 * is no queue to the end of the wait. `names`: where it may be on `window`, looked up at each attempt.
 */
export const fromTag = <Tag>(
  page: Pick<Page, 'global'>,
  names: () => readonly string[],
  queueName: string,
  wait: PollOptions,
): Observable<Tag> =>
  poll(() => {
    for (const name of names()) {
      const queue = (
        page.global(name) as Readonly<Record<string, { readonly push?: unknown } | undefined>> | null | undefined
      )?.[queueName];
      if (typeof queue?.push === 'function')
        return { name, queue: queue as { readonly push: (command: () => void) => unknown } };
    }
    return undefined;
  }, wait).pipe(
    mergeMap(
      ({ name, queue }) =>
        new Observable<Tag>((subscriber) => {
          // The tag runs the command at once, or when it has loaded. The global may be another object by then, so it is
          // read again.
          queue.push(() => {
            subscriber.next(page.global(name) as Tag);
            subscriber.complete();
          });
        }),
    ),
  );
