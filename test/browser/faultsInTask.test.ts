import { ownChromium } from './support/ownChromium';
import type { Permutive } from './support/permutive';
import { openStage, type Stage } from './support/stage';
import { failedRequests, type Visitor } from './support/visitor';

type Window = typeof globalThis & { permutive: Permutive };

const batches = { path: '/batch/events' };
const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Tracks events in one task, which is over when this answers. */
const trackInOneTask = (visitor: Visitor, count: number): Promise<void> =>
  visitor.page.evaluate((times) => {
    const { permutive } = window as unknown as Window;
    for (let i = 0; i < times; i += 1) void permutive.track('Many', { i });
  }, count);

const onStage = async (play: (stage: Stage, visitor: Visitor) => Promise<void>): Promise<void> => {
  const stage = await openStage();
  try {
    const visitor = await stage.visitor({ expected: failedRequests });
    await visitor.open('/blank');
    await visitor.ready();
    await stage.untilArrived('SegmentEntry');
    await stage.untilQuiet(300);
    await play(stage, visitor);
    expect(visitor.errors).toEqual([]);
  } finally {
    await stage.close();
  }
};

describe('Events are safe once the task that tracks them is over:', () => {
  test('a tab that crashes then loses none of them', () =>
    onStage(async (stage, visitor) => {
      await stage.fault(batches, { reset: true });
      await trackInOneTask(visitor, 20);
      await visitor.crash();
      await stage.clearFaults();
      await (await visitor.newTab()).open('/blank');
      expect(await stage.untilArrived('Many', 20)).toHaveLength(20);
    }));

  test('a tab that is closed then with ten thousand of them loses none', () =>
    onStage(async (stage, visitor) => {
      await trackInOneTask(visitor, 10_000);
      const closed = visitor.page.waitForEvent('close');
      await visitor.page.close({ runBeforeUnload: true });
      await closed;
      await (await visitor.newTab()).open('/blank');
      expect(await stage.untilArrived('Many', 10_000)).toHaveLength(10_000);
    }));

  test('a browser that is killed 25 ms later loses none', async () => {
    const stage = await openStage();
    const browser = ownChromium();
    try {
      const open = async () => {
        const page = await (await browser.start()).newPage();
        await page.goto(`${stage.demo.site}/blank`);
        return page;
      };
      const page = await open();
      await stage.untilArrived('SegmentEntry');
      await stage.untilQuiet(300);
      await stage.fault(batches, { reset: true });
      await page.evaluate(() => {
        const { permutive } = window as unknown as Window;
        for (let i = 0; i < 20; i += 1) void permutive.track('Many', { i });
      });
      await after(25);
      await browser.kill();
      await stage.clearFaults();
      await open();
      expect(await stage.untilArrived('Many', 20)).toHaveLength(20);
    } finally {
      await browser.remove();
      await stage.close();
    }
  });
});
