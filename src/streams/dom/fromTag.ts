import { defer, mergeMap, Observable, share } from 'rxjs';

import { poll, type PollOptions } from '../../operators/creators/poll';
import type { Page } from '../../platform/platform';

/**
 * Emits an ad tag of the page once the tag runs the commands of its queue, and completes. Errors with `PollError` when
 * no queue appears within `wait`; there is no limit to how long a queue then takes to run. `names` gives the globals on
 * `window` that the tag may be; it is called anew at each attempt. `queueName` is the property of the tag that holds
 * its queue, such as `cmd`.
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
          // The tag runs the command at once, or when it has loaded. By then the global may be another object than the
          // one with the queue, so it is read again.
          queue.push(() => {
            subscriber.next(page.global(name) as Tag);
            subscriber.complete();
          });
        }),
    ),
  );

/** Finds an ad tag of the page, as `fromTag` does. */
export type TagFinder = <Tag>(names: () => readonly string[], queueName: string, wait: PollOptions) => Observable<Tag>;

/**
 * Makes a finder in which those who look for the same tag at the same time share one search, because each attempt of a
 * search is a task of the page's thread.
 */
export const tagFinder = (page: Pick<Page, 'global'>): TagFinder => {
  const searches = new Map<string, Observable<unknown>>();
  return <Tag>(names: () => readonly string[], queueName: string, wait: PollOptions) =>
    defer(() => {
      const key = [queueName, wait.everyMs, wait.times, ...names()].join();
      const search$ = searches.get(key) ?? fromTag(page, names, queueName, wait).pipe(share());
      searches.set(key, search$);
      return search$ as Observable<Tag>;
    });
};
