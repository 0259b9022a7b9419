import { project } from '../../demo/project/project';
import { changeBundle, withPrelude } from './support/changedBundle';
import { hangingDatabase } from './support/hangingDatabase';
import { needs } from './support/needs';
import { show } from './support/show';
import { stageForTests } from './support/stage';
import { changeStored, type StoredRecord, storedRecords } from './support/storedRecords';
import { until } from './support/until';
import { refusedWorkers, type Tab, type Visitor } from './support/visitor';

const elsewhere = '/assets/icon.svg';
const marker = 'plain-marker-7f3a';
const unreadable = 'Error fetching data from store';

const eventsIn = (records: readonly StoredRecord[]): readonly string[] =>
  records
    .filter(({ store }) => store.startsWith('events_'))
    .flatMap(({ text }) => (text === null ? [] : (JSON.parse(text) as { name: string }[]).map(({ name }) => name)));

/** Waits until that many events of that name are in the store. */
const untilStored = (tab: Tab, name: string, count = 1): Promise<readonly StoredRecord[]> =>
  until(async () => {
    const records = await storedRecords(tab.page);
    return eventsIn(records).filter((each) => each === name).length >= count ? records : undefined;
  }, `${count} stored ${name}`);

const untilMember = (visitor: Visitor, cohort: number): Promise<true> =>
  until(
    async () => ((await visitor.ask((permutive, id) => permutive.segment(id), cohort)) ? true : undefined),
    `membership of ${cohort}`,
  );

const openReady = async (visitor: Visitor, path = '/blank?permutive_debug=true'): Promise<void> => {
  await visitor.open(path);
  await visitor.ready();
};

/** The page is hidden; resolves once the state up to the last event of that name is stored. */
const untilSettled = async (visitor: Visitor, name: string): Promise<void> => {
  await show(visitor.page, 'hidden');
  await until(async () => {
    const records = await storedRecords(visitor.page);
    const chunk = records.find(({ key }) => key === 'permutive-data-queries')?.text ?? '{}';
    const { counted } = JSON.parse(chunk) as { counted?: { pages: Readonly<Record<string, readonly number[]>> } };
    const last = records
      .filter(({ store }) => store.startsWith('events_'))
      .flatMap(({ text }) => JSON.parse(text || '[]') as { name: string; page: string; number: number }[])
      .filter((event) => event.name === name)
      .at(-1);
    return last !== undefined && (counted?.pages[last.page]?.[0] ?? 0) >= last.number ? true : undefined;
  }, 'the state');
};

describe('What the browser stores of a visitor', () => {
  const stage = stageForTests();

  test('is cipher text in the form of the contract, and is read back by the next page', async () => {
    const visitor = await stage.visitor();
    await openReady(visitor);
    await visitor.track('Ordinary', { text: marker });
    await untilStored(visitor, 'Ordinary');
    await openReady(visitor);
    await untilMember(visitor, 20403);
    await untilStored(visitor, 'Pageview', 2);
    const records = await storedRecords(visitor.page, { withBytes: true });
    const [events, data, keys] = ['events', 'data', 'keys'].map((name) => `${name}_${project.workspaceId}`);
    expect(new Set(records.map(({ store }) => store))).toEqual(new Set([events, data]));
    expect(records.filter(({ store }) => store === data).map(({ key }) => key)).toContain('permutive-data-queries');
    expect(eventsIn(records)).toEqual(expect.arrayContaining(['Pageview', 'Ordinary', 'PageviewComplete']));
    for (const { bytes, text, isBuffer } of records) {
      const [length, plain] = [new DataView(new Uint8Array(bytes).buffer).getUint32(12), Buffer.from(text ?? '')];
      expect({ isBuffer, length, size: bytes.length }).toEqual({
        isBuffer: true,
        length: plain.length,
        size: plain.length + 32,
      });
      expect(Buffer.from(bytes).toString('latin1')).not.toMatch(/plain-marker|Pageview|http/);
    }
    const stored = await visitor.page.evaluate(
      (name) =>
        new Promise<object>((resolve) => {
          const request = indexedDB.open('permutive-store');
          request.onsuccess = () => {
            const { version } = request.result;
            request.result.transaction(name!).objectStore(name!).getAll().onsuccess = ({ target }) => {
              const found = (target as IDBRequest<CryptoKey[]>).result;
              request.result.close();
              resolve({ version, keys: found.map(({ algorithm, extractable }) => ({ ...algorithm, extractable })) });
            };
          };
        }),
      keys,
    );
    expect(stored).toEqual({ version: 3, keys: [{ name: 'AES-GCM', length: 256, extractable: false }] });
    expect(
      Object.keys(await visitor.storage()).filter((key) => /^permutive-(events|data-(queries|models))/.test(key)),
    ).toEqual([]);
    expect(visitor.warnings).toEqual([]);
  });

  test('of two tabs is all kept', async () => {
    const visitor = await stage.visitor();
    await openReady(visitor);
    const other = await visitor.newTab();
    await other.open('/blank');
    await other.ready();
    await Promise.all(
      [visitor, other].map((tab) =>
        tab.ask(async (permutive) => {
          for (let i = 0; i < 20; i += 1) await permutive.track('Both', { i });
        }),
      ),
    );
    await untilStored(visitor, 'Both', 40);
    await openReady(visitor);
    // This tab has moved what both had stored.
    await until(async () => {
      const records = await storedRecords(visitor.page);
      return records
        .filter(({ key }) => key.startsWith('permutive-events-cache'))
        .some(({ text }) => text?.includes('Both'))
        ? true
        : undefined;
    }, 'the main cache');
    const records = await storedRecords(visitor.page);
    expect(eventsIn(records).filter((name) => name === 'Both')).toHaveLength(40);
    expect(visitor.warnings).toEqual([]);
  });
});

describe('Broken storage costs no more than itself', () => {
  const stage = stageForTests();

  test('where a byte of one record has changed; it is told once', async () => {
    const visitor = await stage.visitor();
    await openReady(visitor);
    for (const name of ['First', 'Second', 'Third']) {
      await visitor.track(name);
      await untilStored(visitor, name);
    }
    await untilSettled(visitor, 'Third');
    await visitor.open(elsewhere);
    const records = (await storedRecords(visitor.page)).filter(({ store }) => store.startsWith('events_'));
    const broken = records.findIndex(({ text }) => text?.includes('Second'));
    await changeStored(visitor.page, { store: 'events_', index: broken, byte: 40 });
    await openReady(visitor);
    const after = await untilStored(visitor, 'Pageview', 2);
    expect(eventsIn(after)).toEqual(expect.arrayContaining(['First', 'Third']));
    expect(eventsIn(after)).not.toContain('Second');
    expect(visitor.warnings.filter((warning) => warning.includes(unreadable))).toHaveLength(1);
    await openReady(visitor);
    expect(visitor.warnings.filter((warning) => warning.includes(unreadable))).toHaveLength(1);
  });

  test('where the key is lost: events and state begin anew, each is told once', async () => {
    const visitor = await stage.visitor();
    await openReady(visitor);
    await untilSettled(visitor, 'Pageview');
    await visitor.open(elsewhere);
    await changeStored(visitor.page, { store: 'keys_' });
    await openReady(visitor);
    await untilMember(visitor, 20401);
    await untilStored(visitor, 'Pageview');
    const causes = visitor.warnings
      .filter((warning) => warning.includes(unreadable))
      .map((warning) => /permutive-(data|events)[a-z-]*/.exec(warning)?.[0]);
    expect(causes.sort()).toEqual(['permutive-data-models', 'permutive-data-queries', 'permutive-events-for-page']);
    await until(async () => {
      const stored = (await storedRecords(visitor.page)).find(({ key }) => key === 'permutive-data-models');
      return stored?.text ? true : undefined;
    }, 'the models in the store');
    await openReady(visitor);
    await untilMember(visitor, 20403);
    expect(visitor.warnings.filter((warning) => warning.includes(unreadable))).toHaveLength(3);
  });

  needs('cdp')('where the browser gives no more room: the oldest events go, the newest are stored', async () => {
    const visitor = await stage.visitor();
    await visitor.open(elsewhere);
    const session = await visitor.context.newCDPSession(visitor.page);
    await session.send('Storage.overrideQuotaForOrigin', { origin: stage.demo.site, quotaSize: 400_000 });
    await openReady(visitor);
    await untilStored(visitor, 'Pageview');
    for (let i = 0; i < 20; i += 1) await visitor.track('Large', { i, text: 'x'.repeat(40_000) });
    await visitor.track('Small');
    const records = await untilStored(visitor, 'Small');
    const left = records.flatMap(({ text }) => [...(text ?? '').matchAll(/"i":(\d+),/g)].map(([, i]) => Number(i)));
    expect(left.length).toBeGreaterThan(0);
    expect(left.length).toBeLessThan(11);
    expect(left.sort((a, b) => a - b)).toEqual(left.map((_, i) => 20 - left.length + i));
    expect(await visitor.ask((permutive) => permutive.segment(20401))).toBe(true);
    // So large batches may take their time; and the journal has no room either.
    expect(visitor.warnings.filter((warning) => !/NetworkError|QuotaExceededError/.test(warning))).toEqual([]);
  });
});

describe('A database that does not answer', () => {
  const stage = stageForTests();
  const fallback = 'Local storage is used, IndexedDB failed';

  const local = async (visitor: Visitor): Promise<readonly string[]> =>
    Object.keys(await visitor.storage())
      .filter((key) => /^permutive-(events|data-queries)/.test(key))
      .sort();
  /**
   * Waits until local storage has that event. The next page finds an event that is not there yet among the unsaved
   * ones.
   */
  const untilLocal = (visitor: Visitor, text: string): Promise<true> =>
    until(
      async () => ((await visitor.storage())['permutive-events-for-page']?.includes(`"${text}"`) ? true : undefined),
      `${text} in local storage`,
    );

  test('is given up after a while; what local storage has kept instead comes home when it answers again', async () => {
    const visitor = await stage.visitor();
    const end = await changeBundle(visitor.page, withPrelude(hangingDatabase.atOpen, 'worker'));
    await openReady(visitor);
    await visitor.untilWarned(fallback);
    await visitor.track('Meanwhile');
    await untilLocal(visitor, 'Meanwhile');
    await openReady(visitor);
    await untilMember(visitor, 20403);
    await untilLocal(visitor, 'Pageview');
    const found = await until(async () => {
      const keys = await local(visitor);
      return keys.includes('permutive-data-queries') ? keys : undefined;
    }, 'the state in local storage');
    expect(found).toEqual(['permutive-data-queries', 'permutive-events-cache', 'permutive-events-for-page']);
    await end();
    await openReady(visitor);
    const records = await untilStored(visitor, 'Pageview', 3);
    expect(eventsIn(records)).toContain('Meanwhile');
    await untilMember(visitor, 20403);
    expect(await local(visitor)).toEqual([]);
    expect(visitor.warnings.every((warning) => warning.includes(fallback))).toBe(true);
  });

  test('because another tab holds it in an older form leaves the page to local storage', async () => {
    const visitor = await stage.visitor();
    await visitor.open(elsewhere);
    const other = await visitor.newTab();
    await other.open(elsewhere);
    await other.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const request = indexedDB.open('permutive-store', 3);
          request.onsuccess = () => {
            Object.assign(window, { held: request.result });
            resolve();
          };
        }),
    );
    await openReady(visitor);
    await visitor.untilWarned(fallback);
    await untilLocal(visitor, 'Pageview');
    await openReady(visitor);
    await untilMember(visitor, 20403);
    expect(await local(visitor)).toContain('permutive-events-cache');
  });
});

describe('Erasing', () => {
  const stage = stageForTests();
  const refuse = (visitor: Visitor): Promise<void> => visitor.ask((permutive) => permutive.consent({ opt_in: false }));

  test('leaves nothing in a database that another page does not let go', async () => {
    const visitor = await stage.visitor();
    await openReady(visitor);
    await untilStored(visitor, 'Pageview');
    const other = await visitor.newTab();
    await other.open(elsewhere);
    const left = await other.page.evaluateHandle(
      () =>
        new Promise<() => Promise<number>>((resolve) => {
          const request = indexedDB.open('permutive-store');
          request.onsuccess = () => {
            const database = request.result;
            const count = (name: string): Promise<number> =>
              new Promise((done) => {
                database.transaction(name).objectStore(name).count().onsuccess = ({ target }) =>
                  done((target as IDBRequest<number>).result);
              });
            resolve(async () =>
              (await Promise.all(Array.from(database.objectStoreNames, count))).reduce((sum, each) => sum + each, 0),
            );
          };
        }),
    );
    expect(await left.evaluate((count) => count())).toBeGreaterThan(2);
    await refuse(visitor);
    await until(async () => ((await left.evaluate((count) => count())) === 0 ? true : undefined), 'an empty database');
    expect(await visitor.track('Refused')).toBeNull();
    await other.page.close();
    await until(async () => ((await visitor.databases()).length === 0 ? true : undefined), 'no database');
  });

  test('is not followed by a write that was under way, where the engine runs on the page', async () => {
    const visitor = await stage.visitor({ expected: refusedWorkers });
    await visitor.page.addInitScript(() => {
      // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own `this`
      const { encrypt } = SubtleCrypto.prototype;
      const encrypting = { begun: 0, ended: 0 };
      Object.assign(window, { encrypting });
      SubtleCrypto.prototype.encrypt = async function (...args) {
        encrypting.begun += 1;
        await new Promise((resolve) => setTimeout(resolve, 300));
        const cipher = await encrypt.apply(this, args);
        encrypting.ended += 1;
        return cipher;
      };
    });
    await visitor.open('/blank?csp=noworker');
    await visitor.ready();
    const atWork = (): Promise<{ readonly begun: number; readonly ended: number }> =>
      visitor.page.evaluate(() => (window as unknown as { encrypting: { begun: number; ended: number } }).encrypting);
    await untilStored(visitor, 'Pageview');
    await visitor.ask((permutive) => void permutive.track('Late'));
    await until(async () => {
      const { begun, ended } = await atWork();
      return begun > ended ? true : undefined;
    }, 'encryption');
    await refuse(visitor);
    await until(async () => {
      const { begun, ended } = await atWork();
      return begun === ended ? true : undefined;
    }, 'the end of the encryption');
    await visitor.page.waitForTimeout(100);
    expect(await visitor.databases()).toEqual([]);
    expect(Object.keys(await visitor.storage())).toEqual(['permutive-consent']);
  });
});
