import { countedInASecond } from './support/countedViews';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import type { Tab, Visitor } from './support/visitor';

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
  /** A visitor who has followed links through pages, each of which they left as soon as it was ready. */
  const afterLinks = async (links: number): Promise<Visitor> => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    for (let view = 2; view <= links + 1; view += 1) {
      await visitor.ready();
      await follow(visitor);
    }
    return visitor;
  };

  test('leaves the database to the next pages', async () => {
    const visitor = await afterLinks(4);
    await untilViewed(visitor, 5);
    // The engine keeps its state there only where the database has not answered in time.
    expect(Object.keys(await visitor.storage())).not.toContain('permutive-data-queries');
  });

  test('goes on with another engine once it is back', async () => {
    const visitor = await afterLinks(1);
    await untilViewed(visitor, 2);
    await visitor.page.goBack();
    await untilViewed(visitor, 3);
  });
});
