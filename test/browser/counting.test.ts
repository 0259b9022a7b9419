import { stageForTests } from './support/stage';
import { until } from './support/until';
import type { Tab, Visitor } from './support/visitor';

/** «Heavy readers»: seven page views in 28 days. */
const heavyReaders = 20404;
const views = 7;

/** How many page views the engine of this page has counted. */
const counted = async (tab: Tab): Promise<number> => {
  const text = await tab.ask((permutive, code) => permutive.explain(code), heavyReaders);
  return Number(/: has (\d+),/.exec(text ?? '')?.[1]);
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Goes to the next page, in the same tab or in another. */
type Next = (visitor: Visitor, tab: Tab) => Promise<Tab>;

const reloaded: Next = async (_, tab) => {
  await tab.page.reload();
  return tab;
};
const typed: Next = async (_, tab) => {
  await tab.open('/blank');
  return tab;
};
const linked: Next = async (_, tab) => {
  const gone = tab.page.waitForEvent('load');
  await tab.page.evaluate(() => {
    const link = document.body.appendChild(document.createElement('a'));
    link.href = location.href;
    link.click();
  });
  await gone;
  return tab;
};
const newTab: Next = async (visitor) => {
  const tab = await visitor.newTab();
  await tab.open('/blank');
  return tab;
};

describe('Seven page views of one visitor', () => {
  const stage = stageForTests();

  test.each<[string, Next, number]>([
    ['reloaded, 2 s apart', reloaded, 2000],
    ['reloaded, 0.2 s apart', reloaded, 200],
    ['by address, 4 s apart', typed, 4000],
    ['by address, 1.5 s apart', typed, 1500],
    ['by link, 0.7 s apart', linked, 700],
    ['in new tabs, 2 s apart, while the others stay open', newTab, 2000],
    ['in new tabs, 7 s apart, while the others stay open', newTab, 7000],
  ])('%s, are each counted once', async (_, next, pauseMs) => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    let tab: Tab = visitor;
    const counts: number[] = [];
    for (let view = 1; view <= views; view += 1) {
      if (view > 1) tab = await next(visitor, tab);
      await tab.ready();
      // The page's own Pageview may come after it is ready.
      await until(async () => ((await tab.heard('Pageview')).length > 0 ? true : undefined), 'the Pageview');
      counts.push(await counted(tab));
      await pause(pauseMs);
    }
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7]);
    expect(await stage.untilArrived('Pageview', views)).toHaveLength(views);
  });
});
