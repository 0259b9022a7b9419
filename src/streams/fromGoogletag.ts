import { mergeMap, Observable } from 'rxjs';
import type { Googletag } from '../model/googletag';
import { poll } from '../operators/poll';
import type { Page } from '../platform/platform';

/** Google's tag may come later than we do (spec S§9). */
const wait = { everyMs: 10, times: 200 };

/** Emits Google's tag once it is ready for commands; errors when the page has none after 200 tries of 10 ms. */
export const fromGoogletag = (page: Pick<Page, 'global'>): Observable<Googletag> =>
  poll(() => commandQueue(page.global('googletag')), wait).pipe(
    mergeMap(
      ({ cmd }) =>
        new Observable<Googletag>((subscriber) => {
          // Google's own queue: runs at once when the tag has loaded, else when it does. By then it is another object.
          cmd.push(() => {
            subscriber.next(page.global('googletag') as Googletag);
            subscriber.complete();
          });
        }),
    ),
  );

const commandQueue = (tag: unknown): { readonly cmd: NonNullable<Googletag['cmd']> } | undefined => {
  const cmd = (tag as Googletag | undefined)?.cmd;
  return typeof cmd?.push === 'function' ? { cmd } : undefined;
};
