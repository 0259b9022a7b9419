import { browserName } from './support/browserName';
import { changeBundle, withPrelude } from './support/changedBundle';
import { countedInSession, countedViews } from './support/countedViews';
import { crash } from './support/crash';
import { followLink } from './support/followLink';
import { hangingDatabase } from './support/hangingDatabase';
import { pause } from './support/pause';
import { stageForTests } from './support/stage';
import { until, untilSteady } from './support/until';
import type { Tab, Visitor } from './support/visitor';

/** How many stories are played. Each depends on its number alone. */
const count = Number(process.env['LEDGER_STORIES'] ?? 4);

/** What ends the page that is looked at; «both»: that of another tab too, in the same moment. */
type End = 'crash' | 'close' | 'link' | 'reload' | 'both';
interface Story {
  readonly number: number;
  /** How each page ends, and how many ms after its start. */
  readonly ends: readonly (readonly [end: End, ms: number])[];
}

/** So many page views at most: more than seven are not counted, and the last page has one. */
const maxEnds = 4;
const ends: readonly End[] = ['crash', 'crash', 'close', 'link', 'reload', 'both'];
/** Times before the page script has run, before the engine has started, and before it has saved. */
const times = [0, 50, 100, 150, 200, 300, 500, 800, 1500, 2500, 6000];

const storyOf = (number: number): Story => {
  let state = number * 7919 + 17;
  const below = (limit: number): number => (state = (state * 48271) % 2147483647) % limit;
  return {
    number,
    ends: Array.from(
      { length: 2 + below(maxEnds - 1) },
      () => [ends[below(ends.length)]!, times[below(times.length)]!] as const,
    ),
  };
};

describe('What is uploaded is what is counted', () => {
  const stage = stageForTests();

  /** Ends the page of a tab. Answers the tab that is looked at from then on, with its next page. */
  const next = async (visitor: Visitor, tab: Tab, end: End): Promise<Tab> => {
    const fresh = async (): Promise<Tab> => {
      const opened = await visitor.newTab();
      await opened.open('/blank', 'domcontentloaded');
      return opened;
    };
    if (end === 'link') await followLink(tab.page);
    else if (end === 'reload') await tab.page.reload({ waitUntil: 'domcontentloaded' });
    else if (end === 'crash') {
      await crash(tab.page);
      return fresh();
    } else {
      const others = end === 'both' ? [await fresh()] : [];
      await Promise.all([tab, ...others].map(({ page }) => page.close()));
      return fresh();
    }
    return tab;
  };

  /** Plays a story. Answers how many page views the engine has counted in the end, and how many have arrived. */
  const play = async ({ ends: all }: Story): Promise<readonly [counted: number, uploaded: number]> => {
    const visitor = await stage.visitor();
    await visitor.open('/blank', 'domcontentloaded');
    let tab: Tab = visitor;
    for (const [end, ms] of all) {
      await pause(ms, 'a visitor stays on a page for that long');
      tab = await next(visitor, tab, end);
    }
    // A link may still lead away from the page that is asked.
    await until(
      () =>
        tab.ready('realtime').then(
          () => true as const,
          () => undefined,
        ),
      'the last page',
    );
    const id = (await tab.storage())['permutive-id'];
    const state = async (): Promise<readonly [number, number]> => {
      const arrived = await stage.arrived('Pageview');
      return [await countedViews(tab), arrived.filter(({ user_id }) => user_id === id).length];
    };
    // What was left behind is sent and counted at once, or 30 s later where the page before had not quite gone. Too
    // much is not counted later.
    const isEven = async (): Promise<true | undefined> => {
      const [counted, uploaded] = await state();
      return counted === uploaded && uploaded > 0 ? true : undefined;
    };
    await until(isEven, 'all uploaded page views to be counted', 45_000).catch(() => undefined);
    await untilSteady(state, 1000);
    // Events of another page may be taken over in this very moment.
    await until(isEven, 'as many as have arrived', 10_000).catch(() => undefined);
    const last = await state();
    await visitor.context.close();
    return last;
  };

  test('whatever ends a page', async () => {
    const wrong: unknown[] = [];
    for (let number = 1; number <= count; number += 1) {
      const story = storyOf(number);
      const [counted, uploaded] = await play(story);
      if (counted !== uploaded) wrong.push({ ...story, counted, uploaded, browserName });
    }
    expect(wrong).toEqual([]);
  }, 3_600_000);

  test('where the browser’s store answers one of two tabs', async () => {
    const visitor = await stage.visitor();
    const other = await visitor.newTab();
    const end = await changeBundle(visitor.page, withPrelude(hangingDatabase.afterwards, 'worker'));
    await visitor.open('/blank');
    await visitor.ready('realtime');
    await other.open('/blank');
    await other.ready('realtime');
    for (const tab of [visitor, other])
      await tab.ask((permutive) => permutive.addon('web', { page: { title: 'The next article' } }));
    await pause(11_000, 'all engines save within 10 s');
    // The second tab has moved what the first one had begun there, and the first one begins no other.
    expect(Object.keys(await other.storage())).not.toContain('permutive-data-queries');
    await end();
    await visitor.open('/blank');
    await visitor.ready('realtime');
    const state = async () => {
      const arrived = await stage.arrived('Pageview');
      return { counted: await countedViews(visitor), uploaded: arrived.length };
    };
    const all = { counted: 5, uploaded: 5 };
    await until(async () => {
      const { counted, uploaded } = await state();
      return (counted === all.counted && uploaded === all.uploaded) || undefined;
    }, 'all page views to be counted').catch(() => undefined);
    expect(await state()).toEqual(all);
  });

  test.each<[string, number, number, (first: Tab, second: Tab, third: Tab) => Promise<Tab>]>([
    [
      'a logout that clears local storage',
      3000,
      9000,
      async (_, second, third) => {
        await second.page.evaluate(() => localStorage.clear());
        await pause(150, 'the site goes on after a logout');
        await third.open('/blank');
        return third;
      },
    ],
    [
      'a reset',
      20_000,
      500,
      async (first) => {
        await first.ask((permutive) => permutive.reset());
        return first;
      },
    ],
  ])(
    'in the session that two tabs begin after %s',
    async (_, firstMs, secondMs, end) => {
      const wrong: unknown[] = [];
      for (let i = 0; i < count; i += 1) {
        const visitor = await stage.visitor();
        const [second, third] = [await visitor.newTab(), await visitor.newTab()];
        await visitor.open('/blank');
        await pause(firstMs, 'a visitor stays on a page for that long');
        await second.open('/blank');
        await pause(secondMs, 'a visitor stays on a page for that long');
        const tab = await end(visitor, second, third);
        await pause(11_000, 'all engines save within 10 s');
        await tab.open('/blank');
        await tab.ready('realtime');
        const state = async () => {
          const { session_id } = JSON.parse((await tab.storage())['permutive-session'] ?? '{}') as {
            session_id?: string;
          };
          const arrived = await stage.arrived('Pageview');
          const uploaded = arrived.filter((event) => event.session_id === session_id).length;
          return { counted: await countedInSession(tab), uploaded };
        };
        await until(async () => {
          const { counted, uploaded } = await state();
          return (counted === uploaded && uploaded > 1) || undefined;
        }, 'all uploaded page views of the session to be counted').catch(() => undefined);
        const { counted, uploaded } = await state();
        if (counted !== uploaded || uploaded < 2) wrong.push({ counted, uploaded, browserName });
        await visitor.context.close();
      }
      expect(wrong).toEqual([]);
    },
    3_600_000,
  );
});
