import { asyncScheduler } from 'rxjs';

import { fromGoogletag } from '../../../src/addons/googleAdManager/fromGoogletag';
import type { Googletag } from '../../../src/addons/googleAdManager/googletag';
import { linesOf, reportMock } from '../../../test/support/reports';
import { pageDoors } from '../../support/addonWorld';
import { marble } from '../../support/marbles';

/** Google's tag once it has loaded: runs commands at once. */
const loaded: Googletag = { cmd: { push: (command) => command() } };
const tags = { g: loaded };
const missing = 'Unable to find google tag script: Nothing within 2000 ms';

/** What is found on a page whose `googletag` is what it is at that moment. */
const playing = (googletag: () => unknown, report = reportMock()) =>
  fromGoogletag(
    pageDoors((name) => (name === 'googletag' ? googletag() : undefined)),
    { report },
  );
const after = (ms: number, tag: unknown) => () => (asyncScheduler.now() >= ms ? tag : undefined);

describe('fromGoogletag', () => {
  marble('gives the tag that is there already', ({ expectObservable }) => {
    expectObservable(playing(() => loaded)).toBe('(g|)', tags);
  });

  marble('says after 200 times 10 ms, and once, that there is no tag', ({ expectObservable, flush }) => {
    const report = reportMock();
    report.mockImplementation(() => expect(asyncScheduler.now()).toBe(2000));
    expectObservable(playing(() => undefined, report)).toBe('-');
    flush();
    expect(linesOf(report)).toEqual([missing]);
  });

  marble(
    'finds a tag that comes until then without a word, and one that comes later',
    ({ expectObservable, flush }) => {
      const [early, late] = [reportMock(), reportMock()];
      expectObservable(playing(after(2000, loaded), early)).toBe('2s (g|)', tags);
      expectObservable(playing(after(2001, loaded), late)).toBe('5s (g|)', tags);
      flush();
      expect([linesOf(early), linesOf(late)]).toEqual([[], [missing]]);
    },
  );

  marble('takes for a tag only what takes commands', ({ expectObservable }) => {
    for (const tag of [null, 7, 'googletag', {}, { cmd: null }, { cmd: {} }, { cmd: { push: 'push' } }])
      expectObservable(playing(() => tag)).toBe('-');
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
      expectObservable(playing(() => tag)).toBe('300ms (g|)', tags);
      flush();
      expect(waiting).toHaveLength(1);
    },
  );

  marble('reports a queue that throws', ({ expectObservable, flush }) => {
    const report = reportMock();
    const push = (): never => {
      throw new Error('broken');
    };
    expectObservable(playing(() => ({ cmd: { push } }), report)).toBe('|');
    flush();
    expect(linesOf(report)).toEqual(['Unable to find google tag script: broken']);
  });

  marble('gives nothing any more once it is unsubscribed', ({ cold, expectObservable }) => {
    const waiting: (() => void)[] = [];
    const unsub = '        ^ 99ms !';
    cold('300ms l').subscribe(() => waiting.forEach((command) => command()));
    expectObservable(
      playing(() => ({ cmd: waiting })),
      unsub,
    ).toBe('-');
  });

  marble('stops asking once it is unsubscribed', ({ expectObservable, flush }) => {
    const googletag = jest.fn();
    const unsub = '        ^ 124ms !';
    expectObservable(playing(googletag), unsub).toBe('-');
    flush();
    // At once, after 50 and after 100 ms.
    expect(googletag).toHaveBeenCalledTimes(3);
  });
});
