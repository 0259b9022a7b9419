import type { Request } from 'playwright-core';

import { letPass, withClock } from './support/clock';
import { needs } from './support/needs';
import { onStage } from './support/onStage';
import type { Stage } from './support/stage';
import { until } from './support/until';
import { untilSettled } from './support/untilSettled';
import type { Visitor } from './support/visitor';

const batches = { path: '/batch/events' };
const track = (visitor: Visitor, count: number, text = ''): Promise<void> =>
  visitor.ask(
    (permutive, [times, filler]) => {
      for (let i = 0; i < times; i += 1) void permutive.track('Many', { i, filler });
    },
    [count, text] as const,
  );

/** A visitor whose page has nothing left to send. */
const onQuietPage = (
  play: (stage: Stage, visitor: Visitor) => Promise<void>,
  prepare?: (visitor: Visitor) => Promise<void>,
): Promise<void> =>
  onStage(async (stage, visitor) => {
    await prepare?.(visitor);
    await visitor.open('/blank');
    await visitor.ready();
    await untilSettled(stage, visitor);
    await play(stage, visitor);
  });

const closed = async ({ page }: Visitor): Promise<void> => {
  const closing = page.waitForEvent('close');
  await page.close({ runBeforeUnload: true });
  await closing;
};

// Nobody hears the answers to what a page sends as it goes, so the next page sends that again (docs/decisions/098).
describe('A page that goes', () => {
  test('while the server takes four seconds to answer repeats each event once at most', () =>
    onQuietPage(async (stage, visitor) => {
      const tab = await visitor.newTab();
      const before = visitor.batches.length;
      await stage.fault(batches, { delayMs: 4000 });
      await track(visitor, 20);
      await until(() => (visitor.batches.length > before ? true : undefined), 'the request');
      await closed(visitor);
      await tab.open('/blank');
      await tab.ready();
      expect(await stage.untilArrived('Many', 20)).toHaveLength(20);
      await untilSettled(stage, tab);
      expect(await stage.duplicates()).toBeLessThanOrEqual((await stage.arrived()).length);
    }));

  test('at once with two hundred events of a kilobyte repeats each once at most', () =>
    onQuietPage(async (stage, visitor) => {
      const tab = await visitor.newTab();
      await track(visitor, 200, 'x'.repeat(1000));
      await closed(visitor);
      await tab.open('/blank');
      await tab.ready();
      expect(await stage.untilArrived('Many', 200)).toHaveLength(200);
      await untilSettled(stage, tab);
      expect(await stage.duplicates()).toBeLessThanOrEqual((await stage.arrived()).length);
    }));
});

describe('Events that no answer comes for', () => {
  /** The server closes the connection, answers what is no JSON, or answers nothing. */
  const faults = [{ ignoreAnswer: true }, { malformed: true }, { status: 200, body: '' }];

  needs('clock')('are repeated five times a minute at most, and not lost', () =>
    Promise.all(
      faults.map((action) =>
        onQuietPage(
          async (stage, visitor) => {
            const underWay = new Set<Request>();
            visitor.page.on('request', (request) => underWay.add(request));
            for (const end of ['requestfinished', 'requestfailed'] as const)
              visitor.page.on(end as 'requestfinished', (request) => underWay.delete(request));
            const before = visitor.batches.length;
            await stage.fault(batches, action);
            await track(visitor, 20);
            await until(() => (visitor.batches.length > before ? true : undefined), 'the first attempt');
            const now = (): Promise<number> => visitor.page.evaluate(() => Date.now());
            // The clock of the page runs by itself too.
            const end = (await now()) + 60_000;
            while ((await now()) + 1000 <= end) {
              // An attempt has ended before the next second begins.
              await until(() => (underWay.size === 0 ? true : undefined), 'the end of the requests');
              await letPass(visitor.page, 1000);
            }
            const attempts = visitor.batches.length - before;
            expect(attempts).toBeGreaterThan(1);
            expect(attempts).toBeLessThanOrEqual(1 + 5);
            await stage.clearFaults();
            await until(async () => {
              await letPass(visitor.page, 1000);
              return (await stage.arrived('Many')).length >= 20 ? true : undefined;
            }, 'the events');
          },
          ({ page }) => withClock(page),
        ),
      ),
    ),
  );
});
