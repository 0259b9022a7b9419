import { stageForTests } from './support/stage';
import { until } from './support/until';
import type { Tab, Visitor } from './support/visitor';

/** «Heavy readers»: seven page views in 28 days. More than seven are not counted. */
const heavyReaders = 20404;

/** How many page views the engine of this page has counted. */
const counted = async (tab: Tab): Promise<number> => {
  const text = await tab.ask((permutive, code) => permutive.explain(code), heavyReaders);
  return Number(/: has (\d+),/.exec(text ?? '')?.[1]);
};
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
/** Waits until the page has its own Pageview, which may come before its engine is ready or after it. */
const untilViewed = (tab: Tab): Promise<unknown> =>
  // Before the script has loaded, the page has no listeners.
  until(async () => ((await tab.heard('Pageview').catch(() => [])).length > 0 ? true : undefined), 'the Pageview');

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
    // Each address is another one, because a link to the present address makes no entry of the history.
    link.href = `/blank?${performance.timeOrigin}`;
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

/** The views of a visitor whose tabs come and go. */
type Step = 'reload' | 'link' | 'new tab' | 'close' | 'back';
interface Seeded {
  readonly seed: number;
  /** Each step with the pause in ms before it. */
  readonly steps: readonly (readonly [step: Step, pauseMs: number])[];
}

/** A sequence of three to six steps that depends on the seed alone. */
const sequenceOf = (seed: number): Seeded => {
  let state = seed * 7919 + 17;
  const below = (limit: number): number => (state = (state * 48271) % 2147483647) % limit;
  const kinds: readonly Step[] = ['reload', 'link', 'new tab', 'close', 'back'];
  return {
    seed,
    steps: Array.from({ length: 3 + below(4) }, () => [kinds[below(kinds.length)] ?? 'reload', below(501)] as const),
  };
};

/** Each step is one view. Answers the tab of that view. `canGoBack`: the tabs whose present page a link has led to. */
const taken = async (step: Step, visitor: Visitor, tabs: Tab[], canGoBack: Set<Tab>): Promise<Tab> => {
  const newest = tabs.at(-1) as Tab;
  if (step === 'new tab') tabs.push(await newTab(visitor, newest));
  else if (step === 'close') {
    // The tab before it is looked at again. The last tab makes room for a new one.
    if (tabs.length === 1) tabs.unshift(await visitor.newTab());
    tabs.pop();
    await newest.page.close();
    await typed(visitor, tabs.at(-1) as Tab);
  } else if (step === 'back' && canGoBack.delete(newest)) await newest.page.goBack();
  else if (step === 'reload') await reloaded(visitor, newest);
  else {
    await linked(visitor, newest);
    canGoBack.add(newest);
  }
  return tabs.at(-1) as Tab;
};

describe('The page views of one visitor', () => {
  const stage = stageForTests();

  test.each<[string, Next, number, number]>([
    ['reloaded, 2 s apart', reloaded, 2000, 5],
    ['reloaded, 0.2 s apart', reloaded, 200, 7],
    ['by address, 4 s apart', typed, 4000, 4],
    ['by address, 1.5 s apart', typed, 1500, 5],
    ['by link, 0.7 s apart', linked, 700, 7],
    ['in new tabs, 2 s apart, while the others stay open', newTab, 2000, 4],
    ['in new tabs, 7 s apart, while the others stay open', newTab, 7000, 3],
  ])('%s, are each counted once', async (_, next, pauseMs, views) => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    let tab: Tab = visitor;
    const counts: number[] = [];
    for (let view = 1; view <= views; view += 1) {
      if (view > 1) {
        await pause(pauseMs);
        tab = await next(visitor, tab);
      }
      await tab.ready();
      await untilViewed(tab);
      counts.push(await counted(tab));
    }
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 7].slice(0, views));
    expect(await stage.untilArrived('Pageview', views)).toHaveLength(views);
  });

  it('are each counted once, whichever way 30 visitors go from page to page', async () => {
    /** What the newest page of the visitor has counted in the end. */
    const countedAfter = async ({ steps }: Seeded): Promise<number> => {
      const visitor = await stage.visitor();
      await visitor.open('/blank');
      const tabs: Tab[] = [visitor];
      await untilViewed(visitor);
      const canGoBack = new Set<Tab>();
      let last: Tab = visitor;
      for (const [step, pauseMs] of steps) {
        await pause(pauseMs);
        last = await taken(step, visitor, tabs, canGoBack);
        await untilViewed(last);
      }
      await last.ready();
      let count = await counted(last);
      for (let waited = 0; waited < 1000 && count !== steps.length + 1; waited += 100) {
        await pause(100);
        count = await counted(last);
      }
      // A page that counts too many may do so a moment later.
      await pause(100);
      count = await counted(last);
      await visitor.context.close();
      return count;
    };
    const waiting = Array.from({ length: 30 }, (_, i) => sequenceOf(i + 1));
    const wrong: unknown[] = [];
    const work = async (): Promise<void> => {
      for (let sequence = waiting.pop(); sequence !== undefined; sequence = waiting.pop()) {
        const count = await countedAfter(sequence);
        if (count !== sequence.steps.length + 1) wrong.push({ ...sequence, count });
      }
    };
    await Promise.all(Array.from({ length: 6 }, work));
    expect(wrong).toEqual([]);
  });
});
