import { asyncScheduler } from 'rxjs';

import { fromPrebid } from '../../../src/addons/adServer/fromPrebid';
import { linesOf, reportMock } from '../../../test/support/reports';
import { pageDoors } from '../../support/addonWorld';
import { marble } from '../../support/marbles';

const loaded = { version: 'v11.36.0', que: { push: (command: () => void) => command() } };
const page = (globals: () => Readonly<Record<string, unknown>>) => pageDoors((name) => globals()[name]);
const found = (doors: ReturnType<typeof page>, report = reportMock()) =>
  fromPrebid(doors, doors, (cause) => report('Failed to resolve key', cause));
const missing = ['Failed to resolve key: Nothing within 5000 ms'];

describe('fromPrebid', () => {
  marble('finds Prebid under its usual name', ({ expectObservable }) => {
    expectObservable(found(page(() => ({ pbjs: loaded })))).toBe('(p|)', { p: loaded });
  });

  marble('finds a build that has announced another name', ({ expectObservable }) => {
    expectObservable(found(page(() => ({ _pbjsGlobals: [7, 'ledgerBids'], ledgerBids: loaded })))).toBe('(p|)', {
      p: loaded,
    });
  });

  marble('says after 100 times 50 ms, and once, that it is missing', ({ expectObservable, flush }) => {
    const report = reportMock();
    report.mockImplementation(() => expect(asyncScheduler.now()).toBe(5000));
    expectObservable(
      found(
        page(() => ({})),
        report,
      ),
    ).toBe('-');
    flush();
    expect(linesOf(report)).toEqual(missing);
  });

  marble('finds one that comes until then without a word, and one that comes later', ({ expectObservable, flush }) => {
    const from = (ms: number) => page(() => (asyncScheduler.now() >= ms ? { pbjs: loaded } : {}));
    const [early, late] = [reportMock(), reportMock()];
    expectObservable(found(from(5000), early)).toBe('5s (p|)', { p: loaded });
    expectObservable(found(from(5001), late)).toBe('10s (p|)', { p: loaded });
    flush();
    expect([linesOf(early), linesOf(late)]).toEqual([[], missing]);
  });

  marble('takes for Prebid only what has its queue', ({ expectObservable }) => {
    for (const pbjs of [null, 7, {}, { que: null }, { que: {} }])
      expectObservable(found(page(() => ({ pbjs })))).toBe('-');
  });
});
