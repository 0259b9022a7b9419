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

  marble('says nothing of a page for which there is no answer yet', ({ cold, expectObservable, flush }) => {
    const keys = new Map<string, unknown>([['section', 'markets']]);
    const seen: unknown[] = [];
    const setTargeting = (key: string, value: unknown) => keys.set(key, value);
    const clearTargeting = (key: string) => keys.delete(key);
    const googletag$ = cold('g', { g: { pubads: () => ({ setTargeting, clearTargeting }) } });
    const contextual$ = cold('a---u---n', { a: { dfp_contextual: ['bfin'] }, u: undefined, n: {} });
    cold('--s---s---s').subscribe(() => seen.push(Object.fromEntries(keys)));
    expectObservable(
      dfpContextual.run(addonStreams({ contextual$, ...tagDoor(googletag$) }), new BehaviorSubject({}), addonDeps()),
    ).toBe('-');
    flush();
    expect(seen).toEqual([
      { section: 'markets', prmtvctx: ['bfin', 'rts'] },
      { section: 'markets' },
      { section: 'markets', prmtvctx: ['rts'] },
    ]);
  });

  marble('asks for nothing where nobody starts it', ({ cold, hot, expectObservable, expectSubscriptions }) => {
    const contextual$ = cold<Record<string, string[]>>('-a');
    expectObservable(dfpContextual.run(addonStreams({ contextual$ }), hot('-'), addonDeps())).toBe('-');
    expectSubscriptions(contextual$.subscriptions).toBe([]);
  });
});
