import { asyncScheduler } from 'rxjs';
import type { Googletag } from '../../src/model/googletag';
import { PollError } from '../../src/operators/poll';
import { fromGoogletag } from '../../src/streams/fromGoogletag';
import { marbles } from '../support/marbles';

/** Google's tag once it has loaded: runs commands at once. */
const loaded: Googletag = { cmd: { push: (command) => command() } };
const tags = { g: loaded };

/** A page whose `googletag` is what it is at that moment. */
const pageWith = (googletag: () => unknown) => ({ global: jest.fn((name: string) => (name === 'googletag' ? googletag() : undefined)) });
const after = (ms: number, tag: unknown) => () => (asyncScheduler.now() >= ms ? tag : undefined);
const gaveUp = new PollError('Nothing after 200 attempts');

describe('fromGoogletag', () => {
  it('gives the tag that is there already', marbles(({ expectObservable }) => {
    expectObservable(fromGoogletag(pageWith(() => loaded))).toBe('(g|)', tags);
  }));

  it('waits for the tag 200 times 10 ms', marbles(({ expectObservable, flush }) => {
    const page = pageWith(() => undefined);
    expectObservable(fromGoogletag(page)).toBe('1990ms #', undefined, gaveUp);
    flush();
    expect(page.global).toHaveBeenCalledTimes(200);
  }));

  it('finds a tag that comes at the last attempt, and not one that comes later', marbles(({ expectObservable }) => {
    expectObservable(fromGoogletag(pageWith(after(1990, loaded)))).toBe('1990ms (g|)', tags);
    expectObservable(fromGoogletag(pageWith(after(1991, loaded)))).toBe('1990ms #', undefined, gaveUp);
  }));

  it('takes for a tag only what takes commands', marbles(({ expectObservable }) => {
    for (const tag of [null, 7, 'googletag', {}, { cmd: null }, { cmd: {} }, { cmd: { push: 'push' } }]) {
      expectObservable(fromGoogletag(pageWith(() => tag))).toBe('1990ms #', undefined, gaveUp);
    }
  }));

  it('waits in the queue of a tag that has not loaded, and gives what it has become by then', marbles(({ cold, expectObservable, flush }) => {
    const waiting: (() => void)[] = [];
    let tag: Googletag = { cmd: waiting };
    cold('300ms l').subscribe(() => {
      tag = loaded;
      for (const command of waiting) command();
    });
    expectObservable(fromGoogletag(pageWith(() => tag))).toBe('300ms (g|)', tags);
    flush();
    expect(waiting).toHaveLength(1);
  }));

  it('gives nothing any more once it is unsubscribed', marbles(({ cold, expectObservable }) => {
    const waiting: (() => void)[] = [];
    const unsub = '        ^ 99ms !';
    cold('300ms l').subscribe(() => waiting.forEach((command) => command()));
    expectObservable(fromGoogletag(pageWith(() => ({ cmd: waiting }))), unsub).toBe('-');
  }));

  it('stops asking once it is unsubscribed', marbles(({ expectObservable, flush }) => {
    const page = pageWith(() => undefined);
    const unsub = '        ^ 24ms !';
    expectObservable(fromGoogletag(page), unsub).toBe('-');
    flush();
    expect(page.global).toHaveBeenCalledTimes(3);
  }));
});
