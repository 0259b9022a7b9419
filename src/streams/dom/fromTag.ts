import { mergeMap, Observable } from 'rxjs';

import type { Tools } from '../../platform/platform';

/** Where a tag holds the commands that it runs once it has loaded. */
interface Queue {
  readonly push: (command: () => void) => unknown;
}

interface TagFinderDeps extends Pick<Tools, 'appears'> {
  readonly page: Pick<Tools['page'], 'global'>;
}

/** Finds an ad tag of the page. */
export type TagFinder = <Tag>(
  names: () => readonly string[],
  queueName: string,
  waitMs: number,
  missing: (cause: Error) => void,
) => Observable<Tag>;

/**
 * Emits an ad tag of the page once the tag runs the commands of its queue, and completes. Where no queue has appeared
 * within `waitMs`, `missing` is called once, and a queue that appears later is used all the same. There is no limit to
 * how long a queue then takes to run. `names` gives the globals on `window` that the tag may be; it is called anew at
 * each look. `queueName` is the property of the tag that holds its queue, such as `cmd`.
 */
export const tagFinder = ({ appears, page }: TagFinderDeps): TagFinder => {
  /** Of each tag that is missing, one error, because several addons may look for it, and an error is reported once. */
  const causes = new Map<string, Error>();
  const causeOf = (name: string, waitMs: number): Error => {
    const cause = causes.get(name) ?? new Error(`Nothing within ${waitMs} ms`);
    causes.set(name, cause);
    return cause;
  };
  return <Tag>(names: () => readonly string[], queueName: string, waitMs: number, missing: (cause: Error) => void) =>
    appears(() => {
      for (const name of names()) {
        const queue = (page.global(name) as Readonly<Record<string, Partial<Queue> | undefined>> | null | undefined)?.[
          queueName
        ];
        if (typeof queue?.push === 'function') return { name, queue: queue as Queue };
      }
      return undefined;
    }, waitMs).pipe(
      mergeMap(
        (found) =>
          new Observable<Tag>((subscriber) => {
            if (found === undefined) {
              missing(causeOf(names().join(), waitMs));
              return subscriber.complete();
            }
            // The tag runs the command at once, or when it has loaded. By then the global may be another object than
            // the one with the queue, so it is read again.
            found.queue.push(() => {
              subscriber.next(page.global(found.name) as Tag);
              subscriber.complete();
            });
          }),
      ),
    );
};
