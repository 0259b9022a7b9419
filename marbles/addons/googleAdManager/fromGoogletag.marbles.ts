import { asyncScheduler } from 'rxjs';

import { fromGoogletag } from '../../../src/addons/googleAdManager/fromGoogletag';
import type { Googletag } from '../../../src/addons/googleAdManager/googletag';
import { PollError } from '../../../src/operators/creators/poll';
import { pageDoors } from '../../support/addonWorld';
import { marble } from '../../support/marbles';

/** Google's tag once it has loaded: runs commands at once. */
const loaded: Googletag = { cmd: { push: (command) => command() } };
const tags = { g: loaded };

/** A page whose `googletag` is what it is at that moment. */
const pageWith = (googletag: () => unknown) => pageDoors((name) => (name === 'googletag' ? googletag() : undefined));
const after = (ms: number, tag: unknown) => () => (asyncScheduler.now() >= ms ? tag : undefined);
const gaveUp = new PollError('Nothing after 200 attempts');

describe('fromGoogletag', () => {
  marble('gives the tag that is there already', ({ expectObservable }) => {
    expectObservable(fromGoogletag(pageWith(() => loaded))).toBe('(g|)', tags);
  });

  marble('waits for the tag 200 times 10 ms', ({ expectObservable, flush }) => {
    const page = pageWith(() => undefined);
    expectObservable(fromGoogletag(page)).toBe('1990ms #', undefined, gaveUp);
    flush();
    expect(page.global).toHaveBeenCalledTimes(200);
  });

  marble('finds a tag that comes at the last attempt, and not one that comes later', ({ expectObservable }) => {
    expectObservable(fromGoogletag(pageWith(after(1990, loaded)))).toBe('1990ms (g|)', tags);
    expectObservable(fromGoogletag(pageWith(after(1991, loaded)))).toBe('1990ms #', undefined, gaveUp);
  });

  marble('takes for a tag only what takes commands', ({ expectObservable }) => {
    for (const tag of [null, 7, 'googletag', {}, { cmd: null }, { cmd: {} }, { cmd: { push: 'push' } }]) {
      expectObservable(fromGoogletag(pageWith(() => tag))).toBe('1990ms #', undefined, gaveUp);
    }
  });

  marble(
    'waits in the queue of a tag that has not loaded, and gives what it has become by then',
    ({ cold, expectObservable, flush }) => {
      const waiting: (() => void)[] = [];
      let tag: Googletag = { cmd: waiting };
      cold('300ms l').subscribe(() => {
        tag = loaded;
        for (const command of waiting) command();
      });
      expectObservable(fromGoogletag(pageWith(() => tag))).toBe('300ms (g|)', tags);
      flush();
      expect(waiting).toHaveLength(1);
    },
  );

  marble('gives nothing any more once it is unsubscribed', ({ cold, expectObservable }) => {
    const waiting: (() => void)[] = [];
    const unsub = '        ^ 99ms !';
    cold('300ms l').subscribe(() => waiting.forEach((command) => command()));
    expectObservable(fromGoogletag(pageWith(() => ({ cmd: waiting }))), unsub).toBe('-');
  });

  marble('stops asking once it is unsubscribed', ({ expectObservable, flush }) => {
    const page = pageWith(() => undefined);
    const unsub = '        ^ 24ms !';
    expectObservable(fromGoogletag(page), unsub).toBe('-');
    flush();
    expect(page.global).toHaveBeenCalledTimes(3);
  });
});
