import { changeBundle, withPrelude } from './support/changedBundle';
import { openStage, type Stage } from './support/stage';
import { type Visitor, workerFile } from './support/visitor';

jest.retryTimes(0);

/** Runs of each row. A few are enough to see a row that always loses. */
const runs = Number(process.env['FAULT_RUNS'] ?? 1);
const batches = { path: '/batch/events' };
const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type Play = (stage: Stage, visitor: Visitor) => Promise<unknown>;

const track = (visitor: Visitor, count: number): Promise<void> =>
  visitor.ask((permutive, times) => {
    for (let i = 0; i < times; i += 1) void permutive.track('Many', { i });
  }, count);
const closed = async ({ page }: Visitor): Promise<void> => {
  const closing = page.waitForEvent('close');
  await page.close({ runBeforeUnload: true });
  await closing;
};
const nextPage = async (visitor: Visitor): Promise<void> => (await visitor.newTab()).open('/blank');

/** Plays a fault; all 20 events arrive, and the page has no error. */
const loseNothing = async (play: Play, isReady: boolean): Promise<void> => {
  const stage = await openStage();
  try {
    const visitor = await stage.visitor({ expected: /^Failed to load resource|ERR_/ });
    if (isReady) {
      await visitor.open('/blank');
      await visitor.ready();
      await stage.untilArrived('SegmentEntry');
      await stage.untilQuiet(300);
    }
    await play(stage, visitor);
    expect(await stage.untilArrived('Many', 20)).toHaveLength(20);
    expect(visitor.errors).toEqual([]);
  } finally {
    await stage.close();
  }
};
const rows = (table: Readonly<Record<string, Play>>, isReady = true): void =>
  test.each(Object.entries(table))('%s', async (_, play) => {
    for (let i = 0; i < runs; i += 1) await loseNothing(play, isReady);
  });

/** The server answers so to all events for some seconds, and then as ever. */
const forAWhile =
  (action: object, ms: number): Play =>
  async (stage, visitor) => {
    await stage.fault(batches, action);
    await track(visitor, 20);
    await after(ms);
    await stage.clearFaults();
  };

describe('Nothing is lost where the server answers', () => {
  rows({
    'an empty list for eight seconds': forAWhile({ status: 200, body: [] }, 8000),
    '400 for three seconds': forAWhile({ status: 400 }, 3000),
    '413 for three seconds': forAWhile({ status: 413 }, 3000),
    '500 whenever one event is among them': async (_, visitor) => {
      await visitor.page.route('**/batch/events*', (route) =>
        route.request().postData()?.includes('"Poison"') === true
          ? route.fulfill({ status: 500, headers: { 'access-control-allow-origin': '*' } })
          : route.continue(),
      );
      await visitor.ask((permutive) => void permutive.track('Poison'));
      await track(visitor, 20);
    },
  });
});

/** The first transaction that writes is served late. */
const slowOnce = `{
  const { transaction } = IDBDatabase.prototype;
  let isSlow = false;
  Object.assign(window, { slowDown: () => { isSlow = true; } });
  IDBDatabase.prototype.transaction = function (names, mode, ...more) {
    const real = transaction.call(this, names, mode, ...more);
    if (!isSlow || mode !== 'readwrite' || this.name !== 'permutive-journal') return real;
    isSlow = false;
    const late = { objectStore: (name) => real.objectStore(name), commit: () => undefined, error: null };
    real.oncomplete = () => setTimeout(() => late.oncomplete(), 2000);
    real.onerror = real.onabort = (event) => late.onerror(event);
    queueMicrotask(() => real.commit());
    return late;
  };
}`;
/** Writes to the journal fail for want of room, until there is some again. */
const fullDisk = `{
  const { put } = IDBObjectStore.prototype;
  let isFull = false;
  Object.assign(window, { fill: (full) => { isFull = full; } });
  IDBObjectStore.prototype.put = function (...args) {
    if (isFull && this.transaction.db.name === 'permutive-journal') {
      this.transaction.abort();
      throw new DOMException('no room', 'QuotaExceededError');
    }
    return put.apply(this, args);
  };
}`;
const patched =
  (script: string, play: Play): Play =>
  async (stage, visitor) => {
    await visitor.page.addInitScript(script);
    await visitor.open('/blank');
    await visitor.ready();
    await stage.untilQuiet(300);
    await stage.fault(batches, { status: 500 });
    await play(stage, visitor);
    await visitor.crash();
    await stage.clearFaults();
    await nextPage(visitor);
  };
const call = (visitor: Visitor, name: string, argument?: unknown): Promise<void> =>
  visitor.page.evaluate(
    ([method, given]) => (window as unknown as Record<string, (given: unknown) => void>)[method]?.(given),
    [name, argument] as const,
  );

describe('Nothing is lost where the tab crashes after the journal', () => {
  rows({
    'was raised to a higher version by another tab, which keeps it open': patched('', async (_, visitor) => {
      await visitor.page.evaluate(
        () =>
          new Promise<void>((resolve) => {
            const request = indexedDB.open('permutive-journal', 9);
            request.onsuccess = () => resolve();
          }),
      );
      await track(visitor, 20);
      await after(500);
    }),
    'was found at a higher version, after a rollback': async (stage, visitor) => {
      await visitor.open('/empty');
      await visitor.page.evaluate(
        () =>
          new Promise<void>((resolve) => {
            const request = indexedDB.open('permutive-journal', 9);
            request.onsuccess = () => {
              request.result.close();
              resolve();
            };
          }),
      );
      await patched('', async (_, { page }) => {
        await track(visitor, 20);
        await after(500);
        // It is the journal on disk that is used, and not only local storage.
        expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes('journal')))).toEqual(
          [],
        );
      })(stage, visitor);
    },
    'was slow once': patched(slowOnce, async (_, visitor) => {
      await call(visitor, 'slowDown');
      await track(visitor, 10);
      await after(200);
      await track(visitor, 10);
      await after(200);
    }),
    'was full for some events': patched(fullDisk, async (_, visitor) => {
      await call(visitor, 'fill', true);
      await track(visitor, 10);
      await after(200);
      await call(visitor, 'fill', false);
      await track(visitor, 10);
      await after(200);
    }),
    'had no room from the middle on': patched(fullDisk, async (_, visitor) => {
      await track(visitor, 10);
      await after(200);
      await call(visitor, 'fill', true);
      await track(visitor, 10);
      await after(200);
    }),
  });
});

describe('Nothing is lost where the tab is closed', () => {
  rows(
    {
      'while the worker script never answers': async (_, visitor) => {
        await visitor.hold(workerFile);
        const calls = 'for (let i = 0; i < 20; i += 1) permutive.track("Many", { i }); window.called = true';
        await changeBundle(visitor.page, withPrelude(calls, ''));
        await visitor.open('/blank', 'domcontentloaded');
        // Without the calls there is nothing that could be lost.
        await visitor.page.waitForFunction('window.called');
        await after(200);
        await closed(visitor);
        await nextPage(visitor);
      },
    },
    false,
  );
});
