import { asyncScheduler } from 'rxjs';
import { PollError } from '../../src/operators/poll';
import { fromPrebid } from '../../src/streams/fromPrebid';
import { marbles } from '../support/marbles';

const loaded = { version: 'v11.36.0', que: { push: (command: () => void) => command() } };
const page = (globals: () => Readonly<Record<string, unknown>>) => ({ global: jest.fn((name: string) => globals()[name]) });
const gaveUp = new PollError('Nothing after 100 attempts');

describe('fromPrebid', () => {
  it('finds Prebid under its usual name', marbles(({ expectObservable }) => {
    expectObservable(fromPrebid(page(() => ({ pbjs: loaded })))).toBe('(p|)', { p: loaded });
  }));

  it('finds a build that has announced another name', marbles(({ expectObservable }) => {
    expectObservable(fromPrebid(page(() => ({ _pbjsGlobals: [7, 'ledgerBids'], ledgerBids: loaded })))).toBe('(p|)', { p: loaded });
  }));

  it('waits for it 100 times 50 ms', marbles(({ expectObservable, flush }) => {
    const empty = page(() => ({}));
    expectObservable(fromPrebid(empty)).toBe('4950ms #', undefined, gaveUp);
    flush();
    expect(empty.global.mock.calls.filter(([name]) => name === 'pbjs')).toHaveLength(100);
  }));

  it('finds one that comes at the last attempt, and not one that comes later', marbles(({ expectObservable }) => {
    const from = (ms: number) => page(() => (asyncScheduler.now() >= ms ? { pbjs: loaded } : {}));
    expectObservable(fromPrebid(from(4950))).toBe('4950ms (p|)', { p: loaded });
    expectObservable(fromPrebid(from(4951))).toBe('4950ms #', undefined, gaveUp);
  }));

  it('takes for Prebid only what has its queue', marbles(({ expectObservable }) => {
    for (const pbjs of [null, 7, {}, { que: null }, { que: {} }]) expectObservable(fromPrebid(page(() => ({ pbjs })))).toBe('4950ms #', undefined, gaveUp);
  }));
});
