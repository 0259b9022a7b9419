import { BehaviorSubject } from 'rxjs';
import { dfpContextual } from '../../../src/addons/adServers/dfpContextual';
import { addonDeps, addonStreams } from '../../support/addonWorld';
import { marbles } from '../../support/marbles';

describe('dfp_contextual', () => {
  it('sets what the page is about, as far as it concerns Google', marbles(({ cold, expectObservable, flush }) => {
    const setTargeting = jest.fn();
    const googletag$ = cold('--g', { g: { pubads: () => ({ setTargeting }) } });
    const contextual$ = cold('-a-b', { a: { dfp_contextual: ['bfin', 'tsec-aw'], dfp: ['x'] }, b: {} });
    expectObservable(dfpContextual.run(addonStreams({ contextual$, googletag$ }), new BehaviorSubject({}), addonDeps())).toBe('-');
    flush();
    expect(setTargeting.mock.calls).toEqual([['prmtvctx', ['bfin', 'tsec', 'rts']], ['prmtvctx', ['rts']]]);
  }));

  it('asks for nothing where nobody starts it', marbles(({ cold, hot, expectObservable, expectSubscriptions }) => {
    const contextual$ = cold<Record<string, string[]>>('-a');
    expectObservable(dfpContextual.run(addonStreams({ contextual$ }), hot('-'), addonDeps())).toBe('-');
    expectSubscriptions(contextual$.subscriptions).toBe([]);
  }));
});
