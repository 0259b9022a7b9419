import { changeBundle, withPrelude } from './support/changedBundle';
import { onStage } from './support/onStage';
import { pause } from './support/pause';
import { openStage, type Stage } from './support/stage';
import { until } from './support/until';
import { untilAnswered } from './support/untilAnswered';
import { untilKept } from './support/untilKept';
import { untilSettled } from './support/untilSettled';
import { failedRequests, type Tab, type Visitor } from './support/visitor';

const batches = { path: '/batch/events' };
const trackMany = (tab: Tab, count: number, name = 'Many'): Promise<readonly string[]> =>
  tab.ask(
    async (permutive, [event, times]) => {
      const taken = await Promise.all(Array.from({ length: times }, (_, i) => permutive.track(event, { i })));
      return taken.map((each) => each?.id ?? '');
    },
    [name, count] as const,
  );

interface Row {
  readonly stage: Stage;
  readonly visitor: Visitor;
  readonly ready: () => Promise<void>;
  /** Requests with events since the row was ready. */
  readonly sent: () => Promise<number>;
}
/** What a row is about, what went wrong, and what has become of the events it accepted. */
interface Count {
  readonly row: string;
  readonly accepted: number;
  readonly arrived: number;
  readonly doubled: number;
  readonly lost: number;
  readonly pageErrors: readonly string[];
}
type Play = (row: Row) => Promise<readonly string[]>;

const inRow = async (row: string, play: Play): Promise<Count> => {
  const stage = await openStage();
  try {
    const visitor = await stage.visitor({ expected: new RegExp(`${failedRequests.source}|ERR_`) });
    let before = 0;
    const requests = async (): Promise<number> => (await stage.requests('/batch/events')).length;
    const ready = async (): Promise<void> => {
      await visitor.open('/blank');
      await visitor.ready();
      await untilSettled(stage, visitor);
      before = await requests();
    };
    const accepted = await play({ stage, visitor, ready, sent: async () => (await requests()) - before });
    await until(
      async () => ((await stage.arrived('Many')).length >= accepted.length ? true : undefined),
      `the events of “${row}”`,
    ).catch(() => undefined);
    // Who has heard all answers sends nothing again.
    for (const page of visitor.context.pages().slice(-1)) await untilAnswered(page);
    const arrived = new Set((await stage.arrived()).map(({ id }) => id));
    const lost = accepted.filter((id) => !arrived.has(id)).length;
    expect(await stage.rejected()).toEqual([]);
    return {
      row,
      accepted: accepted.length,
      arrived: accepted.length - lost,
      doubled: await stage.duplicates(),
      lost,
      pageErrors: visitor.errors,
    };
  } finally {
    await stage.close();
  }
};
const faultless = (row: string, accepted: number): Count => ({
  row,
  accepted,
  arrived: accepted,
  doubled: 0,
  lost: 0,
  pageErrors: [],
});
/** Plays side by side, for what they do most is wait. */
const together = async (rows: Readonly<Record<string, Play>>): Promise<void> => {
  const counts = await Promise.all(Object.entries(rows).map(([name, play]) => inRow(name, play)));
  expect(counts).toEqual(counts.map(({ row, accepted }) => faultless(row, accepted)));
  expect(counts.filter(({ accepted }) => accepted === 0)).toEqual([]);
};

test('An outage of ten seconds costs no event, few requests, and is over soon after', () =>
  together({
    'answers 500': async ({ stage, visitor, ready, sent }) => {
      await ready();
      await stage.fault(batches, { status: 500 });
      const ids = await trackMany(visitor, 20);
      await pause(10_000, 'an outage that lasts');
      expect(await sent()).toBeLessThanOrEqual(6);
      await stage.clearFaults();
      await stage.untilArrived('Many', 20);
      expect(await sent()).toBeLessThanOrEqual(7);
      return ids;
    },
    offline: async ({ stage, visitor, ready, sent }) => {
      await ready();
      await visitor.context.setOffline(true);
      const ids = await trackMany(visitor, 20);
      await pause(10_000, 'an outage that lasts');
      expect(await sent()).toBe(0);
      await visitor.context.setOffline(false);
      await stage.untilArrived('Many', 20);
      return ids;
    },
    hangs: async ({ stage, visitor, ready, sent }) => {
      await ready();
      await stage.fault(batches, { hang: true });
      const ids = await trackMany(visitor, 20);
      await pause(10_000, 'an outage that lasts');
      await stage.clearFaults();
      await stage.untilArrived('Many', 20);
      expect(await sent()).toBeLessThanOrEqual(4);
      return ids;
    },
    'over pages and tabs': async ({ stage, visitor, ready, sent }) => {
      await ready();
      await stage.fault(batches, { status: 503, headers: { 'Retry-After': '25' } });
      const ids = await trackMany(visitor, 5);
      await until(async () => ((await sent()) === 1 ? true : undefined), 'the first attempt');
      // The page has heard the answer, and stores after a second what it was told.
      await until(
        async () => ((await visitor.storage())['permutive-app'] ?? '').includes('"asked":true') || undefined,
        'the pause in storage',
      );
      // The next pages, and leaving them, respect what the first was told; none sends what another one has.
      await visitor.open('/blank');
      await visitor.ready();
      const tab = await visitor.newTab();
      await tab.open('/blank');
      await tab.ready();
      const more = [...(await trackMany(visitor, 5)), ...(await trackMany(tab, 5))];
      expect(await sent()).toBe(1);
      await stage.clearFaults();
      await stage.untilArrived('Many', 15);
      return [...ids, ...more];
    },
  }));

test('A browser that stores nothing, or hangs, costs no event', () => {
  const prelude =
    (script: string): Play =>
    async ({ stage, visitor, ready }) => {
      await changeBundle(visitor.page, withPrelude(script, ''));
      await ready();
      await stage.fault(batches, { status: 500 }, 2);
      return trackMany(visitor, 20);
    };
  return together({
    'IndexedDB that never opens': prelude('IDBFactory.prototype.open = () => new EventTarget()'),
    'IndexedDB that never writes': prelude(
      'IDBDatabase.prototype.transaction = () => ({ objectStore: () => ({ put() {}, delete() {}, getAllKeys() {}, get() {} }), commit() {} })',
    ),
    'no storage at all': prelude(
      'Object.defineProperty(window, "localStorage", { get() { throw new Error("denied"); } }); Object.defineProperty(window, "indexedDB", { get() { throw new Error("denied"); } }); Object.defineProperty(navigator, "locks", { value: undefined })',
    ),
    'full storage': async ({ stage, visitor, ready }) => {
      await ready();
      await visitor.page.evaluate(() => {
        for (let size = 4_000_000; size >= 1; size = Math.floor(size / 2)) {
          try {
            for (let i = 0; i < 2; i += 1) localStorage.setItem(`filling ${size} ${i}`, 'x'.repeat(size));
          } catch {
            // Full at this size.
          }
        }
      });
      await stage.fault(batches, { reset: true });
      const ids = await trackMany(visitor, 20);
      await untilKept(visitor.page, 'Many', 20);
      const closed = visitor.page.waitForEvent('close');
      await visitor.page.close({ runBeforeUnload: true });
      await closed;
      // What it sent at the end is over too: else it would arrive now, and again from the next page.
      await stage.untilQuiet(1000);
      await stage.clearFaults();
      await (await visitor.newTab()).open('/blank');
      await stage.untilArrived('Many', 20);
      return ids;
    },
  });
});

/**
 * Two tabs wait with their events, for the server is down; a third one comes, and leaves them alone, for their pages
 * live.
 */
const tabs =
  (script: string): Play =>
  async ({ stage, visitor, ready, sent }) => {
    await visitor.context.addInitScript(script);
    await ready();
    const tab = await visitor.newTab();
    await tab.open('/blank');
    await tab.ready();
    await stage.fault(batches, { status: 500 });
    const ids = [...(await trackMany(visitor, 10)), ...(await trackMany(tab, 10))];
    await until(async () => ((await sent()) >= 2 ? true : undefined), 'the first attempts');
    const third = await visitor.newTab();
    await third.open('/blank');
    await third.ready();
    await third.track('Third');
    await untilKept(third.page, 'Third', 1);
    await stage.clearFaults();
    await stage.untilArrived('Many', 20);
    return ids;
  };

test('Bursts, broken journals, clocks and tabs cost no event', () =>
  together({
    'ten thousand at once': async ({ stage, visitor, ready, sent }) => {
      await ready();
      const ids = await trackMany(visitor, 10_000);
      // So many events are much to ask for again and again: the page is asked first.
      await untilAnswered(visitor.page);
      await stage.untilArrived('Many', 10_000);
      expect(await sent()).toBeLessThanOrEqual(105);
      return ids;
    },
    'a clock that jumps by days': async ({ stage, visitor, ready }) => {
      await ready();
      const jump = (days: number): Promise<void> =>
        visitor.page.evaluate((ms) => {
          const real = Date.now.bind(Date);
          Date.now = () => real() + ms;
        }, days * 86_400_000);
      const ids: string[] = [];
      for (const days of [-2, 3]) {
        await jump(days);
        await stage.fault(batches, { status: 500 }, 2);
        ids.push(...(await trackMany(visitor, 5)));
        await stage.untilArrived('Many', ids.length);
      }
      return ids;
    },
    'tabs side by side': tabs(''),
    'tabs side by side without locks': tabs('Object.defineProperty(navigator, "locks", { value: undefined })'),
  }));

test('Random bytes in the journal cost no event beside them', () =>
  together({
    'a journal of random bytes beside good records': async ({ stage, visitor, ready }) => {
      await ready();
      await stage.fault(batches, { reset: true });
      const ids = await trackMany(visitor, 20);
      await untilKept(visitor.page, 'Many', 20);
      await visitor.page.evaluate(async () => {
        localStorage.removeItem('permutive-app');
        const db = await new Promise<IDBDatabase>((resolve) => {
          const request = indexedDB.open('permutive-journal');
          request.onsuccess = () => resolve(request.result);
        });
        const store = db.transaction('events', 'readwrite').objectStore('events');
        const values: readonly unknown[] = [
          null,
          7,
          '',
          '{',
          '[]',
          '{"enrich":true,"sdkProcessed":true,"events":[null,{"id":7}]}',
          new Uint8Array(99),
          { events: [] },
        ];
        values.forEach((value, i) => store.put(value, `broken/${i}`));
        store.put('x', 'no page');
        await new Promise((resolve) => (store.transaction.oncomplete = resolve));
        db.close();
      });
      await visitor.crash();
      await stage.clearFaults();
      const tab = await visitor.newTab();
      await tab.open('/blank');
      await stage.untilArrived('Many', 20);
      return ids;
    },
  }));

test('Consent that goes takes what waits along, and another one does not bring it back', () =>
  onStage(async (stage, visitor) => {
    await visitor.open('/blank');
    await visitor.ready();
    await stage.untilArrived('SegmentEntry');
    await stage.fault(batches, { status: 500 });
    await trackMany(visitor, 20, 'Forgotten');
    await until(
      async () => ((await visitor.databases()).includes('permutive-journal') ? true : undefined),
      'the journal',
    );
    await visitor.ask((permutive) => permutive.consent({ opt_in: false }));
    await until(async () => ((await visitor.databases()).length === 0 ? true : undefined), 'the databases to go');
    expect(Object.keys(await visitor.storage())).toEqual(['permutive-consent']);
    await stage.clearFaults();
    await visitor.ask((permutive) => permutive.consent({ opt_in: true, token: 'again' }));
    await visitor.track('Remembered');
    await stage.untilArrived('Remembered');
    await visitor.open('/blank');
    await stage.untilArrived('Pageview', 2);
    await untilAnswered(visitor.page);
    expect(await stage.arrived('Forgotten')).toEqual([]);
  }));

test('An event whose visitor was reset arrives, and its callbacks are called', () =>
  onStage(async (stage, visitor) => {
    await visitor.open('/blank');
    await visitor.ready();
    await stage.fault(batches, { status: 500 }, 2);
    const told = await visitor.ask(
      (permutive) =>
        new Promise<string>((resolve) => {
          void permutive.track('Before', {}, { success: ({ id }) => resolve(id), error: () => resolve('error') });
          void permutive.reset();
        }),
    );
    const [event] = await stage.untilArrived('Before');
    expect(event?.id).toBe(told);
    expect(event?.user_id).not.toBe(await visitor.ask((permutive) => permutive.user()));
  }));
