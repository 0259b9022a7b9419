import { countedInASecond } from './support/countedViews';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import type { Tab } from './support/visitor';

/** Follows a link, so that the browser may keep the page before in its back-forward cache. */
const follow = async ({ page }: Tab): Promise<void> => {
  const loaded = page.waitForEvent('load');
  await page.evaluate(() => {
    const link = document.body.appendChild(document.createElement('a'));
    // Each address is another one, because a link to the present address makes no entry of the history.
    link.href = `/blank?${performance.timeOrigin}`;
    link.click();
  });
  await loaded;
};

const untilViewed = async (tab: Tab, views: number): Promise<void> => {
  await tab.ready();
  await until(async () => ((await countedInASecond(tab, views)) === views ? true : undefined), `${views} views`);
};

describe('A page in the back-forward cache', () => {
  const stage = stageForTests();

  test('leaves the database to the pages after it', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    const withoutDatabase: number[] = [];
    for (let view = 1; view <= 5; view += 1) {
      await untilViewed(visitor, view);
      // The engine keeps its state there only where the database has not answered in time.
      if (Object.hasOwn(await visitor.storage(), 'permutive-data-queries')) withoutDatabase.push(view);
      await visitor.page.waitForTimeout(700);
      await follow(visitor);
    }
    expect(withoutDatabase).toEqual([]);
  });

  test('goes on with another engine once it is back', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    await visitor.ready();
    await follow(visitor);
    await untilViewed(visitor, 2);
    await visitor.page.goBack();
    await untilViewed(visitor, 3);
  });
});
