import { asyncScheduler } from 'rxjs';

import { fromPrebid } from '../../../src/addons/prebid/fromPrebid';
import { PollError } from '../../../src/operators/creators/poll';
import { pageDoors } from '../../support/addonWorld';
import { marble } from '../../support/marbles';

const loaded = { version: 'v11.36.0', que: { push: (command: () => void) => command() } };
const page = (globals: () => Readonly<Record<string, unknown>>) => pageDoors((name) => globals()[name]);
const found = (doors: ReturnType<typeof page>) => fromPrebid(doors, doors);
const gaveUp = new PollError('Nothing after 100 attempts');

describe('fromPrebid', () => {
  marble('finds Prebid under its usual name', ({ expectObservable }) => {
    expectObservable(found(page(() => ({ pbjs: loaded })))).toBe('(p|)', { p: loaded });
  });

  marble('finds a build that has announced another name', ({ expectObservable }) => {
    expectObservable(found(page(() => ({ _pbjsGlobals: [7, 'ledgerBids'], ledgerBids: loaded })))).toBe('(p|)', {
      p: loaded,
    });
  });

  marble('waits for it 100 times 50 ms', ({ expectObservable, flush }) => {
    const empty = page(() => ({}));
    expectObservable(found(empty)).toBe('4950ms #', undefined, gaveUp);
    flush();
    expect(empty.global.mock.calls.filter(([name]) => name === 'pbjs')).toHaveLength(100);
  });

  marble('finds one that comes at the last attempt, and not one that comes later', ({ expectObservable }) => {
    const from = (ms: number) => page(() => (asyncScheduler.now() >= ms ? { pbjs: loaded } : {}));
    expectObservable(found(from(4950))).toBe('4950ms (p|)', { p: loaded });
    expectObservable(found(from(4951))).toBe('4950ms #', undefined, gaveUp);
  });

  marble('takes for Prebid only what has its queue', ({ expectObservable }) => {
    for (const pbjs of [null, 7, {}, { que: null }, { que: {} }])
      expectObservable(found(page(() => ({ pbjs })))).toBe('4950ms #', undefined, gaveUp);
  });
});
