import { BehaviorSubject } from 'rxjs';

import { dfpContextual } from '../../../src/addons/googleAdManager/dfpContextual';
import { addonDeps, addonStreams, tagDoor } from '../../support/addonWorld';
import { marble } from '../../support/marbles';

describe('dfp_contextual', () => {
  marble('sets what the page is about, as far as it concerns Google', ({ cold, expectObservable, flush }) => {
    const setTargeting = jest.fn();
    const googletag$ = cold('--g', { g: { pubads: () => ({ setTargeting }) } });
    const contextual$ = cold('-a-b', { a: { dfp_contextual: ['bfin', 'tsec-aw'], dfp: ['x'] }, b: {} });
    expectObservable(
      dfpContextual.run(addonStreams({ contextual$, ...tagDoor(googletag$) }), new BehaviorSubject({}), addonDeps()),
    ).toBe('-');
    flush();
    expect(setTargeting.mock.calls).toEqual([
      ['prmtvctx', ['bfin', 'tsec', 'rts']],
      ['prmtvctx', ['rts']],
    ]);
  });

  marble('asks for nothing where nobody starts it', ({ cold, hot, expectObservable, expectSubscriptions }) => {
    const contextual$ = cold<Record<string, string[]>>('-a');
    expectObservable(dfpContextual.run(addonStreams({ contextual$ }), hot('-'), addonDeps())).toBe('-');
    expectSubscriptions(contextual$.subscriptions).toBe([]);
  });
});
