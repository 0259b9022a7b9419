import { browserName } from './support/browserName';
import { countedViews } from './support/countedViews';
import { followLink } from './support/followLink';
import { pause } from './support/pause';
import { stageForTests } from './support/stage';
import { until } from './support/until';
import { untilCounted } from './support/untilCounted';
import { loadedWithoutWorker, type Tab, type Visitor, workerFile } from './support/visitor';

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
  await followLink(tab.page);
  return tab;
};
const newTab: Next = async (visitor) => {
  const tab = await visitor.newTab();
  await tab.open('/blank');
  return tab;
};
const closed: Next = async (visitor, tab) => {
  await tab.page.close();
  return newTab(visitor, tab);
};

/** How a visitor goes from page to page: in which way, and how long each page is looked at. */
interface Pace {
  readonly how: string;
  readonly next: Next;
  readonly pauseMs: number;
  readonly views: number;
}
/** The longest come first, because they are played side by side. */
const paces: readonly Pace[] = [
  { how: 'in new tabs, 7 s apart, while the others stay open', next: newTab, pauseMs: 7000, views: 3 },
  { how: 'by address, 4 s apart', next: typed, pauseMs: 4000, views: 4 },
  { how: 'in new tabs, 2 s apart, while the others stay open', next: newTab, pauseMs: 2000, views: 5 },
  { how: 'in tabs that are closed, 2 s apart', next: closed, pauseMs: 2000, views: 5 },
  { how: 'reloaded, 2 s apart', next: reloaded, pauseMs: 2000, views: 5 },
  { how: 'by address, 1.5 s apart', next: typed, pauseMs: 1500, views: 5 },
  { how: 'by link, 0.7 s apart', next: linked, pauseMs: 700, views: 7 },
  { how: 'in tabs that are closed, 0.2 s apart', next: closed, pauseMs: 200, views: 7 },
  { how: 'reloaded, 0.2 s apart', next: reloaded, pauseMs: 200, views: 7 },
];

const numbersTo = (last: number): readonly number[] => Array.from({ length: last }, (_, i) => i + 1);

/** Runs the action for each item, some at a time. Answers the results in the order of the items. */
const eachOf = async <A, B>(
  items: readonly A[],
  atATime: number,
  action: (item: A) => Promise<B>,
): Promise<readonly B[]> => {
  const results: B[] = [];
  const waiting = items.entries();
  const work = async (): Promise<void> => {
    for (const [i, item] of waiting) results[i] = await action(item);
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return results;
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

/** Chromium alone opens new visitors quickly. */
const visitors = browserName === 'chromium' ? 12 : 6;

describe('The page views of one visitor', () => {
  const stage = stageForTests();

  /** What the newest page has counted after each view. */
  const countsOf = async (next: Next, pauseMs: number, views: number): Promise<readonly number[]> => {
    const visitor = await stage.visitor();
    await visitor.open('/blank');
    let tab: Tab = visitor;
    const counts: number[] = [];
    for (let view = 1; view <= views; view += 1) {
      if (view > 1) {
        await pause(pauseMs, 'a person who looks at the page');
        tab = await next(visitor, tab);
      }
      await tab.ready();
      await untilViewed(tab);
      counts.push(await untilCounted(tab, view));
    }
    return counts;
  };

  test('are each counted once, which the newest page knows', async () => {
    const played = await eachOf(paces, paces.length, ({ next, pauseMs, views }) => countsOf(next, pauseMs, views));
    expect(Object.fromEntries(paces.map(({ how }, i) => [how, played[i]]))).toEqual(
      Object.fromEntries(paces.map(({ how, views }) => [how, numbersTo(views)])),
    );
    const views = paces.reduce((sum, pace) => sum + pace.views, 0);
    expect(await stage.untilArrived('Pageview', views)).toHaveLength(views);
  });

  it('are each counted once, whichever way visitors go from page to page', async () => {
    /** What the newest page of the visitor has counted in the end. */
    const countedAfter = async ({ steps }: Seeded): Promise<number> => {
      const visitor = await stage.visitor();
      await visitor.open('/blank');
      const tabs: Tab[] = [visitor];
      await untilViewed(visitor);
      const canGoBack = new Set<Tab>();
      let last: Tab = visitor;
      for (const [step, pauseMs] of steps) {
        await pause(pauseMs, 'a person who looks at the page');
        last = await taken(step, visitor, tabs, canGoBack);
        await untilViewed(last);
      }
      await last.ready();
      await untilCounted(last, steps.length + 1).catch(() => undefined);
      await pause(100, 'a count that is wrong comes a moment later');
      const count = await countedViews(last);
      await visitor.context.close();
      return count;
    };
    const sequences = numbersTo(visitors).map(sequenceOf);
    const counts = await eachOf(sequences, 6, countedAfter);
    const wrong = sequences.flatMap((sequence, i) =>
      counts[i] === sequence.steps.length + 1 ? [] : [{ ...sequence, count: counts[i] }],
    );
    expect(wrong).toEqual([]);
    // Longer than the others: a loaded machine opens these pages slowly.
  }, 400_000);

  test('are counted behind a thousand events that wait for the engine', async () => {
    const visitor = await stage.visitor();
    const release = await visitor.hold(workerFile);
    await visitor.open('/blank', loadedWithoutWorker);
    await untilViewed(visitor);
    await visitor.ask((permutive) => {
      for (let i = 0; i < 1000; i += 1) void permutive.track('Early', { i });
    });
    await stage.untilArrived('Early', 1000);
    release();
    await visitor.ready('realtime');
    await reloaded(visitor, visitor);
    await visitor.ready('realtime');
    expect(await untilCounted(visitor, 2)).toBe(2);
  });
});
