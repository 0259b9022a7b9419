import { onStage } from './support/onStage';
import type { Stage } from './support/stage';
import type { Visitor } from './support/visitor';

jest.retryTimes(0);

const batches = { path: '/batch/events' };
const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
const track = (visitor: Visitor, count: number, text = ''): Promise<void> =>
  visitor.ask(
    (permutive, [times, filler]) => {
      for (let i = 0; i < times; i += 1) void permutive.track('Many', { i, filler });
    },
    [count, text] as const,
  );

/** A visitor whose page has nothing left to send. */
const onQuietPage = (play: (stage: Stage, visitor: Visitor) => Promise<void>): Promise<void> =>
  onStage(async (stage, visitor) => {
    await visitor.open('/blank');
    await visitor.ready();
    await stage.untilArrived('SegmentEntry');
    await stage.untilQuiet();
    await play(stage, visitor);
  });

const closed = async ({ page }: Visitor): Promise<void> => {
  const closing = page.waitForEvent('close');
  await page.close({ runBeforeUnload: true });
  await closing;
};

/** Attempts of the page. The browser itself repeats a request at once whose connection was reset. */
const attempts = async (stage: Stage, from: number): Promise<number> => {
  const times = (await stage.requests('/batch/events')).slice(from).map(({ time }) => Date.parse(time));
  return times.filter((time, i) => i === 0 || time - times[i - 1]! > 300).length;
};

// Nobody hears the answers to what a page sends as it goes, so the next page sends that again (docs/decisions/098).
describe('A page that goes', () => {
  test('while the server takes four seconds to answer repeats each event once at most', () =>
    onQuietPage(async (stage, visitor) => {
      const tab = await visitor.newTab();
      await stage.fault(batches, { delayMs: 4000 });
      await track(visitor, 20);
      await after(100);
      await closed(visitor);
      await tab.open('/blank');
      await tab.ready();
      expect(await stage.untilArrived('Many', 20)).toHaveLength(20);
      await stage.untilQuiet(6000);
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
      await stage.untilQuiet(2000);
      expect(await stage.duplicates()).toBeLessThanOrEqual((await stage.arrived()).length);
    }));
});

describe('Events that no answer comes for', () => {
  /** The server closes the connection, answers what is no JSON, or answers nothing. */
  const faults = [{ ignoreAnswer: true }, { malformed: true }, { status: 200, body: '' }];

  test('are repeated five times a minute at most, and not lost', () =>
    Promise.all(
      faults.map((action) =>
        onQuietPage(async (stage, visitor) => {
          const before = (await stage.requests('/batch/events')).length;
          await stage.fault(batches, action);
          await track(visitor, 20);
          await after(60_000);
          expect(await attempts(stage, before)).toBeLessThanOrEqual(1 + 5);
          await stage.clearFaults();
          expect(await stage.untilArrived('Many', 20)).toHaveLength(20);
        }),
      ),
    ));
});
