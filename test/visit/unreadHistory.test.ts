import type { Definition } from '../../src/engine/language/language';
import { unreadText } from '../../src/model/explanation';
import { localKeys, partnerKeys, storeKeys } from '../../src/model/storageKeys';
import { type OneTab, playTab } from '../support/world/oneTab';

const all = Array.from({ length: 8 }, (_, i) => String(i + 1));
/** Cohort n: at least n page views. */
const queries: readonly Definition[] = [...all, '9', '10', '11', '12'].map((id) => ({
  id,
  q: { event: 'Pageview', is: { gte: Number(id) } },
  activations: { dfp: { trigger: 'OnEntry' } },
}));
const play = <A>(action: (played: OneTab) => A): A => playTab(queries, action);

/** A visitor who has seen eight pages, and is in eight cohorts. */
const known = ({ open, clock }: OneTab): void => {
  for (let i = 0; i < 8; i += 1) {
    open();
    clock.run(7000);
  }
};
const cohortsOf = ({ stored }: OneTab): unknown =>
  (stored(localKeys.appState) as { core: { cohorts: { all: unknown } } }).core.cohorts.all;
const eventNames = ({ browser }: OneTab): readonly string[] => [...browser.server.arrived].map(({ name }) => name);

describe('A store that does not answer in time', () => {
  it('leaves the last page’s cohorts in force, and tells nobody that they are this page’s', () =>
    play((played) => {
      known(played);
      const { clock, browser, open, told, written, stored, stagesOf } = played;
      browser.origins[0]!.busyUntil = Infinity;
      const entries = eventNames(played).length;
      const page = open();
      clock.run(30_000);
      expect(told(page)).toEqual(all);
      expect(written()).toEqual([]);
      expect(stored(partnerKeys.googleAdManager)).toEqual(all);
      expect(cohortsOf(played)).toEqual(all);
      expect(stagesOf()).toEqual(['initialised']);
      expect(eventNames(played).slice(entries)).not.toContain('SegmentExit');
      expect(eventNames(played).slice(entries)).not.toContain('SegmentEntry');
    }));

  it.each([1600, 4000, 20_000])('is heard when it answers after %i ms, on the same page', (ms) =>
    play((played) => {
      known(played);
      const { clock, browser, open, told, stored, stagesOf } = played;
      browser.origins[0]!.busyUntil = clock.now() + ms;
      const page = open();
      clock.run(ms + 1000);
      const nine = [...all, '9'];
      expect(told(page)).toEqual([...nine, 'rts']);
      expect(stored(partnerKeys.googleAdManager)).toEqual(nine);
      expect(stagesOf()).toEqual(['initialised', 'realtime']);
      clock.run(7000);
      expect(cohortsOf(played)).toEqual(nine);
      expect([...browser.origins[0]!.local.keys()]).not.toContain(storeKeys.queries);
      const next = open();
      clock.run(3000);
      expect(told(next)).toEqual([...nine, '10', 'rts']);
    }),
  );

  it('costs no event: the next page counts what the engine of this page could not', () =>
    play((played) => {
      known(played);
      const { clock, browser, open, told } = played;
      browser.origins[0]!.busyUntil = Infinity;
      open();
      clock.run(5000);
      open();
      clock.run(5000);
      browser.origins[0]!.busyUntil = 0;
      const page = open();
      clock.run(3000);
      expect(told(page)).toEqual([...all, '9', '10', '11', 'rts']);
      clock.run(7000);
      expect([...browser.origins[0]!.local.keys()]).not.toContain(storeKeys.queries);
    }));

  it('costs a new visitor nothing, who has no history', () =>
    play((played) => {
      const { clock, browser, open, told, stagesOf } = played;
      browser.origins[0]!.busyUntil = Infinity;
      const first = open();
      clock.run(9000);
      expect(told(first)).toEqual(['1', 'rts']);
      expect(stagesOf()).toEqual(['initialised', 'realtime']);
      const second = open();
      clock.run(9000);
      expect(told(second)).toEqual(['1', '2', 'rts']);
      browser.origins[0]!.busyUntil = 0;
      const third = open();
      clock.run(9000);
      expect(told(third)).toEqual(['1', '2', '3', 'rts']);
    }));

  it('is given up for lost after a day, and a history begins anew', () =>
    play((played) => {
      known(played);
      const { clock, browser, open, told } = played;
      browser.origins[0]!.busyUntil = Infinity;
      open();
      clock.run(3000);
      browser.stepClock(23 * 3_600_000);
      const early = open();
      clock.run(5000);
      expect(told(early)).toEqual(all);
      browser.stepClock(2 * 3_600_000);
      const late = open();
      clock.run(5000);
      expect(told(late)).toEqual(['1', '2', '3', 'rts']);
    }));

  it('is what an explanation says', () =>
    play((played) => {
      known(played);
      const { clock, browser, open } = played;
      browser.origins[0]!.busyUntil = Infinity;
      const page = open();
      clock.run(1000);
      const answers: unknown[] = [];
      page.call('explain', '3', (text: unknown) => answers.push(text));
      clock.run(5000);
      page.call('explain', '4', (text: unknown) => answers.push(text));
      clock.run(1000);
      // The end of the page before, and the Pageview of this one.
      const words = `${unreadText}\n2 events wait to be counted.`;
      expect(answers).toEqual([words, words]);
      browser.origins[0]!.busyUntil = 0;
    }));
});

describe('Events that no engine has counted', () => {
  const explained = ({ clock }: OneTab, page: ReturnType<OneTab['open']>): readonly unknown[] => {
    const answers: unknown[] = [];
    page.call('explain', '3', (text: unknown) => answers.push(text));
    clock.run(4000);
    return answers;
  };

  it('are named where the history is unread, those of the page before too', () =>
    play((played) => {
      known(played);
      const { clock, browser, open } = played;
      browser.origins[0]!.busyUntil = Infinity;
      open();
      clock.run(900);
      const second = open();
      clock.run(2500);
      // The end of the last page that had an engine, beginning and end of the next one, and the beginning of this one.
      expect(explained(played, second)).toEqual([`${unreadText}\n4 events wait to be counted.`]);
      browser.origins[0]!.busyUntil = 0;
    }));

  it('are not named where the engine has evaluated them, saved or not', () =>
    play((played) => {
      const { clock, open } = played;
      const page = open();
      // The engine saves 5 s after the last event.
      clock.run(2000);
      const [text] = explained(played, page);
      expect(text).toContain('has 1, needs at least 3');
      expect(text).not.toContain('counted');
      clock.run(60_000);
      expect(explained(played, page)[0]).not.toContain('counted');
    }));

  it('are not said to be none where the journal cannot be read', () =>
    play((played) => {
      const { clock, open } = played;
      const page = open();
      clock.run(2000);
      played.browser.origins[0]!.isJournalStuck = true;
      expect(explained(played, page)).toEqual([
        expect.stringMatching(/\nIt is unknown how many events wait to be counted\.$/),
      ]);
    }));
});
