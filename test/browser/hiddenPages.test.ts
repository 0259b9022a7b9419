import type { BrowserContext } from 'playwright-core';

import { letPass, withClock } from './support/clock';
import { trackLast, untilNothingToSend } from './support/entered';
import { ownBrowser } from './support/ownBrowser';
import type { ProfiledBrowser } from './support/profiledBrowser';
import { show } from './support/show';
import { type Arrived, type Stage, stageForTests } from './support/stage';
import { until } from './support/until';
import { untilKept } from './support/untilKept';
import { type Tab, tabOf } from './support/visitor';

const opened = async ({ demo }: Stage, context: BrowserContext, path: string): Promise<Tab> => {
  const tab = tabOf(await context.newPage(), demo.site);
  await withClock(tab.page);
  await tab.open(path);
  await tab.ready();
  return tab;
};
/** Moves the pointer, while seconds pass, until the page has told of so many times five seconds. */
const engage = (tab: Tab, times: number): Promise<unknown> =>
  until(async () => {
    await tab.page.mouse.move(Math.random() * 500, Math.random() * 500);
    await letPass(tab.page, 1000);
    return (await tab.heard('PageviewEngagement')).length >= times ? true : undefined;
  }, 'engagement');
/** All completions that have arrived; reports count the last one of a view. */
const completions = async ({ demo }: Stage): Promise<readonly Arrived[]> => {
  const answer = await fetch(`${demo.api}/good?name=PageviewComplete&all=true`);
  return ((await answer.json()) as { readonly events: readonly Arrived[] }).events;
};

describe('A page that is hidden', () => {
  const stage = stageForTests();
  let browser: ProfiledBrowser;
  let context: BrowserContext;
  beforeEach(async () => {
    browser = ownBrowser();
    context = await browser.start();
  });
  afterEach(() => browser.remove());

  test('and then killed with the browser has told of its engagement', async () => {
    const tab = await opened(stage, context, '/blank');
    await engage(tab, 1);
    await show(tab.page, 'hidden');
    await stage.untilArrived('PageviewComplete');
    await browser.kill();
    context = await browser.start();
    const next = await opened(stage, context, '/blank');
    const [complete] = await stage.untilArrived('PageviewComplete');
    expect(complete?.properties).toMatchObject({ type: 'blank' });
    expect(complete?.properties['total_engaged_time']).toBeGreaterThan(0);
    await trackLast(stage, next);
    expect(await stage.arrived('PageviewComplete')).toHaveLength(1);
  });

  test('while there is no network, and then killed, tells it on the next page', async () => {
    const tab = await opened(stage, context, '/blank');
    await untilNothingToSend(stage, tab);
    await stage.fault({ path: '/batch/events' }, { hang: true });
    await show(tab.page, 'hidden');
    await untilKept(tab.page, 'PageviewComplete', 1);
    await browser.kill();
    await stage.clearFaults();
    context = await browser.start();
    await opened(stage, context, '/blank');
    const [complete] = await stage.untilArrived('PageviewComplete');
    expect(complete?.properties).toMatchObject({ type: 'blank' });
  });

  test('and comes back goes on with its view, whose last completion counts', async () => {
    const tab = await opened(stage, context, '/blank');
    await show(tab.page, 'hidden');
    await stage.untilArrived('PageviewComplete');
    await show(tab.page, 'visible');
    await engage(tab, 1);
    await tab.open('/empty');
    await until(
      async () =>
        (await stage.arrived('PageviewComplete'))[0]?.properties['total_engaged_time'] !== 0 ? true : undefined,
      'the second completion',
    );
    const [view] = await stage.arrived('Pageview');
    const counted = await stage.arrived('PageviewComplete');
    expect(counted.map(({ view_id }) => view_id)).toEqual([view?.view_id]);
    expect(await completions(stage)).toHaveLength(2);
  });

  test('and closed at once, or never hidden, sends one completion', async () => {
    const tab = await opened(stage, context, '/blank');
    // A cohort that is entered after the completion would be told by another one.
    await untilNothingToSend(stage, tab);
    await show(tab.page, 'hidden');
    await tab.open('/blank');
    await stage.untilArrived('PageviewComplete');
    await stage.untilArrived('Pageview', 2);
    await tab.ready();
    await untilNothingToSend(stage, tab);
    await tab.open('/empty');
    await stage.untilArrived('PageviewComplete', 2);
    await tab.open('/blank');
    await trackLast(stage, tab);
    expect(await completions(stage)).toHaveLength(2);
  });
});
