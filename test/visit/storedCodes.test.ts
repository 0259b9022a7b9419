import type { Definition } from '../../src/engine/language/language';
import { partnerKeys } from '../../src/model/storageKeys';
import { type OneTab, playTab } from '../support/world/oneTab';

const minuteMs = 60_000;
const cohort = (id: string, q: Definition['q']): Definition => ({
  id,
  q,
  activations: { dfp: { trigger: 'OnEntry' } },
});
const queries: readonly Definition[] = [
  cohort('1', { event: 'Pageview' }),
  cohort('2', { event: 'Pageview', within: 'view' }),
  cohort('3', { event: 'Pageview', within: 'session' }),
  cohort('4', { event: 'Pageview', within: { minutes: 10 } }),
  cohort('5', { cohort: '2' }),
  // In the view, or by what came before.
  cohort('6', {
    or: [
      { event: 'Pageview', within: 'view' },
      { event: 'Pageview', is: { gte: 2 } },
    ],
  }),
];
const play = <A>(action: (played: OneTab) => A): A => playTab(queries, action);

/** The codes that the first ad request of the next page carries, this long after the page before was left. */
const firstCodes = ({ browser, clock, open, told }: OneTab, ms: number): readonly string[] => {
  browser.close(browser.tabs[0]!);
  browser.stepClock(ms);
  const page = open();
  // The page script has run; the engine has not answered.
  clock.run(24);
  return told(page);
};

describe('Stored codes', () => {
  it.each([
    [0, '1,3,4'],
    [9 * minuteMs, '1,3,4'],
    [11 * minuteMs, '1,3'],
    [29 * minuteMs, '1,3'],
    [31 * minuteMs, '1'],
  ])('are told on the next page as long as they are true: after %i ms', (ms, expected) =>
    play((played) => {
      const { clock, open, told } = played;
      const page = open();
      clock.run(5000);
      expect(told(page).join()).toBe('1,2,3,4,5,6,rts');
      expect(firstCodes(played, ms).join()).toBe(expected);
    }),
  );

  it('last with the session, which goes on with its events', () =>
    play((played) => {
      const { clock, browser, open } = played;
      const page = open();
      clock.run(5000);
      browser.stepClock(20 * minuteMs);
      page.call('track', 'Reads');
      clock.run(100);
      expect(firstCodes(played, 20 * minuteMs).join()).toBe('1,3');
    }));

  it('move with what the visitor does', () =>
    play((played) => {
      const { clock, browser, open } = played;
      open();
      clock.run(5000);
      browser.stepClock(8 * minuteMs);
      open();
      clock.run(5000);
      // Cohort 6 holds by two views now, in whatever view.
      expect(firstCodes(played, 9 * minuteMs).join()).toBe('1,3,4,6');
    }));

  it('of the view are for this page alone, also for those who read keys and cookies themselves', () =>
    play((played) => {
      const { clock, browser, open, stored } = played;
      const codes = (): unknown => [
        stored(partnerKeys.googleAdManager),
        stored(partnerKeys.all),
        JSON.parse(decodeURIComponent(browser.cookiesOf(browser.origins[0]!)[partnerKeys.googleAdManager] ?? '')),
        stored(partnerKeys.cohortStore),
      ];
      const store = (...codes: readonly string[]) => ({
        categories: { standard: [], dcr: [], curated: [], clm: [], custom: codes },
        activations: { ortb2: { appnexus: [], gam: codes } },
      });
      open();
      clock.run(5000);
      expect(codes()).toEqual([
        ['1', '2', '3', '4', '5', '6'],
        [1, 2, 3, 4, 5, 6],
        ['1', '2', '3', '4', '5', '6'],
        store('1', '2', '3', '4', '5', '6'),
      ]);
      browser.close(browser.tabs[0]!);
      clock.run(10);
      expect(codes()).toEqual([['1', '3', '4'], [1, 3, 4], ['1', '3', '4'], store('1', '3', '4')]);
    }));

  it('of a page that has ended without a word are taken away at the start of the next', () =>
    play((played) => {
      const { clock, browser, open, stored, told } = played;
      open();
      clock.run(5000);
      browser.crash(browser.tabs[0]!);
      browser.origins[0]!.busyUntil = Infinity;
      browser.stepClock(11 * minuteMs);
      const page = open();
      clock.run(100);
      expect(told(page).join()).toBe('1,3');
      expect(stored(partnerKeys.all)).toEqual([1, 3]);
      expect(stored(partnerKeys.cohortStore)).toMatchObject({ activations: { ortb2: { gam: ['1', '3'] } } });
    }));
});
