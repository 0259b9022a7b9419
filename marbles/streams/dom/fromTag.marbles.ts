import { merge, type Observable, timer } from 'rxjs';

import { tagFinder } from '../../../src/streams/dom/fromTag';
import { marble } from '../../support/marbles';

const wait = { everyMs: 10, times: 3 };
/** A page that gets a tag, which runs commands at once, when `appears$` emits. */
const pageWith = (appears$: Observable<unknown>) => {
  const tag = { cmd: { push: (command: () => void) => command() } };
  let isThere = false;
  let reads = 0;
  appears$.subscribe(() => (isThere = true));
  const global = (): unknown => {
    reads += 1;
    return isThere ? tag : undefined;
  };
  return { tag, page: { global }, reads: () => reads };
};

describe('tagFinder', () => {
  marble('lets those who look for the same tag share one search', ({ expectObservable, flush }) => {
    const { tag, page, reads } = pageWith(timer(15));
    const find = tagFinder(page);
    const found = (): Observable<unknown> => find(() => ['tag'], 'cmd', wait);
    expectObservable(merge(found(), found())).toBe('20ms (tt|)', { t: tag });
    flush();
    // Three attempts, and the tag itself once it runs the command.
    expect(reads()).toBe(4);
  });

  marble('searches anew after a search has failed', ({ expectObservable }) => {
    const { tag, page } = pageWith(timer(25));
    const find = tagFinder(page);
    const found = (): Observable<unknown> => find(() => ['tag'], 'cmd', wait);
    expectObservable(found()).toBe('20ms #', {}, expect.objectContaining({ name: 'PollError' }));
    expectObservable(found(), '25ms ^').toBe('25ms (t|)', { t: tag });
  });

  marble('keeps searches for different tags apart', ({ expectObservable }) => {
    const { tag, page } = pageWith(timer(5));
    const find = tagFinder({ global: (name) => (name === 'tag' ? page.global() : undefined) });
    const both$ = merge(
      find(() => ['tag'], 'cmd', wait),
      find(() => ['other'], 'cmd', wait),
    );
    expectObservable(both$, '^ 15ms !').toBe('10ms t', { t: tag });
  });
});
