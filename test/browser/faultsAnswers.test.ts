import type { Page } from 'playwright-core';

import { changeBundle, withPrelude } from './support/changedBundle';
import { letPass, withClock } from './support/clock';
import { openStage, type Stage } from './support/stage';
import { until } from './support/until';
import { untilKept } from './support/untilKept';
import { untilSettled } from './support/untilSettled';
import { type Visitor, workerFile } from './support/visitor';

/** Runs of each row. A few are enough to see a row that always loses. */
const runs = Number(process.env['FAULT_RUNS'] ?? 1);
const batches = { path: '/batch/events' };

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
      await untilSettled(stage, visitor);
    }
    await play(stage, visitor);
    expect(await stage.untilArrived('Many', 20)).toHaveLength(20);
    expect(visitor.errors).toEqual([]);
  } finally {
    await stage.close();
  }
};
/** Plays side by side, for what they do most is wait. */
const rows = (title: string, table: Readonly<Record<string, Play>>, isReady = true): void =>
  test(title, async () => {
    for (let i = 0; i < runs; i += 1) {
      const ends = await Promise.all(
        Object.entries(table).map(async ([row, play]) => [
          row,
          await loseNothing(play, isReady).then(() => 'fine', String),
        ]),
      );
      expect(Object.fromEntries(ends)).toEqual(Object.fromEntries(Object.keys(table).map((row) => [row, 'fine'])));
    }
  });

/** The server answers so to the first requests with these events, and then as ever. */
const atFirst =
  (action: object, times: number): Play =>
  async (stage, visitor) => {
    await stage.fault(batches, action, times);
    await track(visitor, 20);
  };

rows('Nothing is lost where the server answers', {
  'an empty list to two requests': atFirst({ status: 200, body: [] }, 2),
  '400 to three requests': atFirst({ status: 400 }, 3),
  '413 to three requests': atFirst({ status: 413 }, 3),
  '500 whenever one event is among them': async (stage, visitor) => {
    // Which event it is shows after many requests, with a pause before each.
    await withClock(visitor.page);
    await visitor.open('/blank');
    await visitor.ready();
    await visitor.page.route('**/batch/events*', (route) =>
      route.request().postData()?.includes('"Poison"') === true
        ? route.fulfill({ status: 500, headers: { 'access-control-allow-origin': '*' } })
        : route.continue(),
    );
    await visitor.ask((permutive) => void permutive.track('Poison'));
    await track(visitor, 20);
    await until(async () => {
      await letPass(visitor.page, 1000);
      return (await stage.arrived('Many')).length >= 20 || undefined;
    }, 'the events beside it');
  },
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
    await untilSettled(stage, visitor);
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

/** Waits until the disk has the records of the journal, and local storage has none. */
const untilOnDisk = (page: Page): Promise<true> =>
  until(
    () => page.evaluate(() => !Object.keys(localStorage).some((key) => key.includes('journal')) || undefined),
    'the journal on disk to have them, without local storage',
  );

rows('Nothing is lost where the tab crashes after the journal', {
  'was raised to a higher version by another tab, which keeps it open': patched('', async (_, visitor) => {
    await visitor.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const request = indexedDB.open('permutive-journal', 9);
          request.onsuccess = () => resolve();
        }),
    );
    await track(visitor, 20);
    await untilKept(visitor.page, 'Many', 20);
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
      await untilKept(page, 'Many', 20);
      await untilOnDisk(page);
      await untilKept(page, 'Many', 20);
    })(stage, visitor);
  },
  'was erased, while another tab held its database, and consent was given again': patched('', async (_, visitor) => {
    const other = await visitor.newTab();
    await other.open('/empty');
    await other.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const request = indexedDB.open('permutive-journal');
          // A connection that nothing refers to may be closed.
          Object.assign(window, { request });
          request.onsuccess = () => resolve();
        }),
    );
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    await visitor.ask((permutive) => permutive.consent({ opt_in: true, token: 'again' }));
    await track(visitor, 20);
    // Nobody can open the database before the other tab lets go of it.
    await untilKept(visitor.page, 'Many', 20);
  }),
  'was slow once': patched(slowOnce, async (_, visitor) => {
    await call(visitor, 'slowDown');
    await track(visitor, 10);
    await untilKept(visitor.page, 'Many', 10);
    await track(visitor, 10);
    await untilKept(visitor.page, 'Many', 20);
  }),
  'was full for some events': patched(fullDisk, async (_, visitor) => {
    await call(visitor, 'fill', true);
    await track(visitor, 10);
    await untilKept(visitor.page, 'Many', 10);
    await call(visitor, 'fill', false);
    await track(visitor, 10);
    await untilKept(visitor.page, 'Many', 20);
  }),
  'had no room from the middle on': patched(fullDisk, async (_, visitor) => {
    await track(visitor, 10);
    await untilKept(visitor.page, 'Many', 10);
    await call(visitor, 'fill', true);
    await track(visitor, 10);
    await untilKept(visitor.page, 'Many', 20);
  }),
});

rows(
  'Nothing is lost where the tab is closed',
  {
    'while the worker script never answers': async (_, visitor) => {
      await visitor.hold(workerFile);
      const calls = 'for (let i = 0; i < 20; i += 1) permutive.track("Many", { i })';
      await changeBundle(visitor.page, withPrelude(calls, ''));
      await visitor.open('/blank', 'domcontentloaded');
      // Without them there is nothing that could be lost.
      await untilKept(visitor.page, 'Many', 20);
      await closed(visitor);
      await nextPage(visitor);
    },
  },
  false,
);
