import type { Page } from 'playwright-core';

import { crash } from './support/crash';
import { onStage } from './support/onStage';
import { ownBrowser } from './support/ownBrowser';
import { pause } from './support/pause';
import type { Permutive } from './support/permutive';
import { openStage, type Stage } from './support/stage';
import { untilAnswered } from './support/untilAnswered';
import { untilKept } from './support/untilKept';

type Window = typeof globalThis & { permutive: Permutive };

const batches = { path: '/batch/events' };

/** Runs of each row; more of them find what is rare. */
const runs = Array.from({ length: Number(process.env['FAULT_RUNS'] ?? 1) }, (_, i) => `Many${i}`);
const timeoutMs = 60_000 + runs.length * 30_000;
const servers = [
  ['down', true],
  ['up', false],
] as const;

/** Tracks events in one task, which is over when this answers. */
const trackInOneTask = (page: Page, name: string, count: number): Promise<void> =>
  page.evaluate(
    ([event, times]) => {
      const { permutive } = window as unknown as Window;
      for (let i = 0; i < times; i += 1) void permutive.track(event, { i });
    },
    [name, count] as const,
  );
const ready = async (stage: Stage, page: Page): Promise<void> => {
  await page.evaluate(() => new Promise<void>((done) => void (window as unknown as Window).permutive.ready(done)));
  await stage.untilArrived('SegmentEntry');
  await untilAnswered(page);
};
/** How many events of each run have arrived. */
const counts = (stage: Stage): Promise<readonly number[]> =>
  Promise.all(runs.map(async (name) => (await stage.arrived(name)).length));

describe('Events are safe once the task that tracks them is over:', () => {
  test.each(servers)(
    'a tab that crashes then loses none of them, server %s',
    (_, isDown) =>
      onStage(async (stage, visitor) => {
        for (const name of runs) {
          const tab = await visitor.newTab();
          await tab.open('/blank');
          await ready(stage, tab.page);
          if (isDown) await stage.fault(batches, { reset: true });
          await trackInOneTask(tab.page, name, 20);
          await crash(tab.page);
          await stage.clearFaults();
          await (await visitor.newTab()).open('/blank');
          await stage.untilArrived(name, 20).catch(() => undefined);
          for (const page of visitor.context.pages()) if (page !== visitor.page) await page.close();
        }
        expect(await counts(stage)).toEqual(runs.map(() => 20));
      }),
    timeoutMs,
  );

  test('a tab that is closed then with ten thousand of them loses none', () =>
    onStage(async (stage, visitor) => {
      await visitor.open('/blank');
      await ready(stage, visitor.page);
      await trackInOneTask(visitor.page, 'Many', 10_000);
      const closed = visitor.page.waitForEvent('close');
      await visitor.page.close({ runBeforeUnload: true });
      await closed;
      const next = await visitor.newTab();
      await next.open('/blank');
      await next.ready();
      // So many events are much to ask for again and again: the page is asked first.
      await untilAnswered(next.page);
      expect(await stage.untilArrived('Many', 10_000)).toHaveLength(10_000);
    }));

  test.each(servers)(
    'a browser that is killed 25 ms later loses none, server %s',
    async (_, isDown) => {
      const stage = await openStage();
      const browser = ownBrowser();
      try {
        const open = async (): Promise<Page> => {
          const page = await (await browser.start()).newPage();
          await page.goto(`${stage.demo.site}/blank`);
          return page;
        };
        for (const name of runs) {
          const page = await open();
          await ready(stage, page);
          if (isDown) await stage.fault(batches, { reset: true });
          await trackInOneTask(page, name, 20);
          await pause(25, 'the time between the task and the end of the browser');
          // The disk of a busy machine may need longer.
          await Promise.any([untilKept(page, name, 20), stage.untilArrived(name, 20)]);
          await browser.kill();
          await stage.clearFaults();
          await open();
          await stage.untilArrived(name, 20).catch(() => undefined);
          await browser.kill();
        }
        expect(await counts(stage)).toEqual(runs.map(() => 20));
      } finally {
        await browser.remove();
        await stage.close();
      }
    },
    timeoutMs,
  );
});
