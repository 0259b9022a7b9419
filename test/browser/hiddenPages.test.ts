import type { BrowserContext, Page } from 'playwright-core';

import { ownBrowser } from './support/ownBrowser';
import type { Permutive } from './support/permutive';
import type { ProfiledBrowser } from './support/profiledBrowser';
import { show } from './support/show';
import { type Arrived, type Stage, stageForTests } from './support/stage';
import { until } from './support/until';

type Window = typeof globalThis & { permutive: Permutive };

const opened = async (stage: Stage, context: BrowserContext, path: string): Promise<Page> => {
  const page = await context.newPage();
  await page.goto(stage.demo.site + path);
  await page.evaluate(
    () => new Promise<void>((resolve) => void (window as unknown as Window).permutive.ready(resolve, 'realtime')),
  );
  await stage.untilArrived('Pageview');
  return page;
};
/** Moves the pointer until the page has told of so many times five seconds. */
const engage = (page: Page, times: number): Promise<unknown> =>
  until(async () => {
    await page.mouse.move(Math.random() * 500, Math.random() * 500);
    const told = await page.evaluate(() => {
      let count = 0;
      (window as unknown as Window).permutive
        .on('PageviewEngagement', () => (count += 1))
        .replay()
        .remove();
      return count;
    });
    return told >= times ? true : undefined;
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
    const page = await opened(stage, context, '/blank');
    await engage(page, 1);
    await show(page, 'hidden');
    // No system kills a page in the task that hides it.
    await new Promise((resolve) => setTimeout(resolve, 250));
    await browser.kill();
    context = await browser.start();
    await opened(stage, context, '/blank');
    const [complete] = await stage.untilArrived('PageviewComplete');
    expect(complete?.properties).toMatchObject({ type: 'blank' });
    expect(complete?.properties['total_engaged_time']).toBeGreaterThan(0);
    await stage.untilQuiet();
    expect(await stage.arrived('PageviewComplete')).toHaveLength(1);
  });

  test('while there is no network, and then killed, tells it on the next page', async () => {
    const page = await opened(stage, context, '/blank');
    await stage.untilQuiet();
    await stage.fault({ path: '/batch/events' }, { hang: true });
    await show(page, 'hidden');
    await new Promise((resolve) => setTimeout(resolve, 250));
    await browser.kill();
    await stage.clearFaults();
    context = await browser.start();
    await opened(stage, context, '/blank');
    const [complete] = await stage.untilArrived('PageviewComplete');
    expect(complete?.properties).toMatchObject({ type: 'blank' });
  });

  test('and comes back goes on with its view, whose last completion counts', async () => {
    const page = await opened(stage, context, '/blank');
    await show(page, 'hidden');
    await stage.untilArrived('PageviewComplete');
    await show(page, 'visible');
    await engage(page, 1);
    await page.goto(`${stage.demo.site}/empty`);
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
    const page = await opened(stage, context, '/blank');
    // A cohort that is entered after the completion would be told by another one.
    await stage.untilQuiet();
    await show(page, 'hidden');
    await page.goto(`${stage.demo.site}/blank`);
    await stage.untilArrived('PageviewComplete');
    await stage.untilArrived('Pageview', 2);
    await page.goto(`${stage.demo.site}/empty`);
    await stage.untilArrived('PageviewComplete', 2);
    await stage.untilQuiet();
    expect(await completions(stage)).toHaveLength(2);
  });
});
