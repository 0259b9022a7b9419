import { countedViews } from './support/countedViews';
import { untilNothingToSend } from './support/entered';
import { followLink } from './support/followLink';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import type { Tab } from './support/visitor';

const untilViewed = async (tab: Tab, views: number): Promise<void> => {
  await tab.ready();
  await until(async () => ((await countedViews(tab)) === views ? true : undefined), `${views} views`);
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
      // Its cohorts are told, so the engine is at rest and the browser may keep the page.
      await untilNothingToSend(stage, visitor);
      await followLink(visitor.page);
    }
    expect(withoutDatabase).toEqual([]);
  });

  test('goes on with another engine once it is back', async () => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    await visitor.ready();
    await followLink(visitor.page);
    await untilViewed(visitor, 2);
    await visitor.page.goBack();
    await untilViewed(visitor, 3);
  });
});
