import { project } from '../../demo/project/project';
import { changeBundle, withPrelude } from './support/changedBundle';
import { hangingDatabase } from './support/hangingDatabase';
import { frameOf, inspect, openTab, untilText } from './support/inspector';
import { untilMember } from './support/membership';
import { needs } from './support/needs';
import { show } from './support/show';
import { stageForTests } from './support/stage';
import { changeStored, eventsIn, type StoredRecord, storedRecords } from './support/storedRecords';
import { until } from './support/until';
import { refusedWorkers, type Tab, type Visitor } from './support/visitor';

const elsewhere = '/assets/icon.svg';
const marker = 'plain-marker-7f3a';
const unreadable = 'Error fetching data from store';

/** Waits until the store has something readable under that key. */
const untilKeyed = ({ page }: Tab, wanted: string): Promise<true> =>
  until(
    async () => Boolean((await storedRecords(page)).find(({ key }) => key === wanted)?.text) || undefined,
    `${wanted} in the store`,
  );

/** Waits until that many events of that name are in the store. */
const untilStored = (tab: Tab, name: string, count = 1): Promise<readonly StoredRecord[]> =>
  until(async () => {
    const records = await storedRecords(tab.page);
    return eventsIn(records).filter((each) => each === name).length >= count ? records : undefined;
  }, `${count} stored ${name}`);

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
    await untilStored(visitor, 'PageviewComplete');
    await untilKeyed(visitor, 'permutive-data-queries');
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
    expect(await visitor.warnings()).toEqual([]);
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
    expect(await visitor.warnings()).toEqual([]);
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
    expect((await visitor.warnings()).filter((warning) => warning.includes(unreadable))).toHaveLength(1);
    await openReady(visitor);
    expect((await visitor.warnings()).filter((warning) => warning.includes(unreadable))).toHaveLength(1);
  });

  test('where the key is lost: events and state begin anew, each is told once', async () => {
    const visitor = await stage.visitor();
    await openReady(visitor);
    await untilSettled(visitor, 'Pageview');
    await untilKeyed(visitor, 'permutive-data-models');
    await visitor.open(elsewhere);
    await changeStored(visitor.page, { store: 'keys_' });
    await openReady(visitor);
    await untilMember(visitor, 20401);
    await untilStored(visitor, 'Pageview');
    const causes = await until(async () => {
      const told = (await visitor.warnings())
        .filter((warning) => warning.includes(unreadable))
        .map((warning) => /permutive-(data|events)[a-z-]*/.exec(warning)?.[0]);
      return told.length >= 3 ? told : undefined;
    }, 'what is told of the events, the queries and the models, which are read at moments of their own');
    expect(causes.sort()).toEqual(['permutive-data-models', 'permutive-data-queries', 'permutive-events-for-page']);
    await untilKeyed(visitor, 'permutive-data-models');
    await openReady(visitor);
    await untilMember(visitor, 20403);
    expect((await visitor.warnings()).filter((warning) => warning.includes(unreadable))).toHaveLength(3);
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
    expect((await visitor.warnings()).filter((warning) => !/NetworkError|QuotaExceededError/.test(warning))).toEqual(
      [],
    );
  });
});

describe('A database that does not answer', () => {
  const stage = stageForTests();
  const fallback = 'Local storage is used, IndexedDB failed';

  const local = async (visitor: Visitor): Promise<readonly string[]> =>
    Object.keys(await visitor.storage())
      .filter((key) => /^permutive-(events|data-queries)/.test(key))
      .sort();
  /** Waits until local storage has that event. The next page finds an event that is not there yet in the journal. */
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
    expect((await visitor.warnings()).every((warning) => warning.includes(fallback))).toBe(true);
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

describe('A database that another tab keeps busy', () => {
  const stage = stageForTests();
  const article = '/personal-finance/savings/where-to-keep-money-you-may-need-by-spring';

  /** Keeps the state of the visitor locked. Answers a function that lets it go. */
  const keepBusy = async ({ page }: Tab): Promise<() => Promise<void>> => {
    const held = await page.evaluateHandle(
      (name) =>
        new Promise<{ isHeld: boolean }>((resolve) => {
          const request = indexedDB.open('permutive-store');
          request.onsuccess = () => {
            const busy = { isHeld: true };
            const store = request.result.transaction(name, 'readwrite').objectStore(name);
            const askAgain = (): void => {
              resolve(busy);
              if (busy.isHeld) store.get('nothing').onsuccess = askAgain;
              else request.result.close();
            };
            store.get('nothing').onsuccess = askAgain;
          };
        }),
      `data_${project.workspaceId}`,
    );
    return () => held.evaluate((busy) => void (busy.isHeld = false));
  };
  /** What ad servers, Prebid and the next page find of the visitor. */
  const codesOf = async (visitor: Visitor): Promise<readonly unknown[]> => {
    const stored = await visitor.storage();
    return [stored['_pdfps'], stored['_psegs'], (await visitor.cookies())['_pdfps']];
  };
  const untilRealtime = (visitor: Visitor): Promise<readonly string[]> =>
    until(async () => {
      const { permutive = [] } = await visitor.targeting();
      return permutive.includes('rts') ? permutive : undefined;
    }, 'cohorts of this page');

  needs('busyDatabases')('costs the visitor no cohort, and is heard on the same page', async () => {
    const visitor = await stage.visitor();
    await openReady(visitor, article);
    await untilRealtime(visitor);
    await openReady(visitor, article);
    const known = await untilRealtime(visitor);
    await untilMember(visitor, 20403);
    await untilSettled(visitor, 'Pageview');
    const other = await visitor.newTab();
    await other.open(elsewhere);
    const letGo = await keepBusy(other);
    // As the page unloads, the codes of its view are removed.
    await visitor.open(elsewhere);
    const before = await codesOf(visitor);
    await visitor.open(article);
    // Stage `realtime` waits for the database.
    await visitor.ready('initialised');
    const explained = async (pattern: RegExp, what: string): Promise<string> =>
      until(async () => pattern.exec((await visitor.ask((permutive) => permutive.explain(20403))) ?? '')?.[0], what);
    const waiting = /(?<=^The visitor's history could not be read yet\.\n)\d+ events wait to be counted(?=\.$)/;
    const count = await explained(waiting, 'the explanation that the history is unread');
    // The Pageview of this page, the events of its reader since, and the end of the last page that had an engine.
    expect(parseInt(count)).toBeGreaterThan(1);
    const { permutive: codes = [] } = await visitor.targeting();
    expect(codes).not.toContain('rts');
    expect(await codesOf(visitor)).toEqual(before);
    expect(await visitor.ask((permutive) => permutive.segment(20403))).toBe(true);
    const findings = (): Promise<readonly string[]> =>
      visitor.page.evaluate(async () => {
        const { permutive } = window as unknown as { permutive: { doctor: () => Promise<{ finding: string }[]> } };
        return (await permutive.doctor()).map(({ finding }) => finding);
      });
    const found = await findings();
    expect(found).toContain(
      "The visitor's history could not be read yet, so that the cohorts are those of the last page",
    );
    expect(found).toContainEqual(expect.stringMatching(/^\d+ events wait to be counted$/));
    await inspect(visitor);
    const frame = await frameOf(visitor);
    await openTab(frame, 'Cohorts');
    await frame.click('tr:has-text("20403") td button');
    await untilText(frame, "The visitor's history could not be read yet.");
    expect(await frame.textContent('[data-cohort="20403"]')).toMatch(/\d+ events wait to be counted\./);
    await openTab(frame, 'Health');
    await untilText(frame, 'events wait to be counted');

    await letGo();
    const own = await untilRealtime(visitor);
    expect(own).toEqual(expect.arrayContaining(known.filter((code) => before.join().includes(`"${code}"`))));
    expect(await visitor.ask((permutive) => permutive.segment(20403))).toBe(true);
    await explained(/^Cohort 20403: (?![^]*wait)/, 'the count of all events');
    expect((await findings()).filter((finding) => finding.includes('counted'))).toEqual([]);
    expect(await visitor.warnings()).toEqual([]);
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
    await until(async () => (await left.evaluate((count) => count())) > 2 || undefined, 'a key, events and a state');
    await refuse(visitor);
    await until(async () => ((await left.evaluate((count) => count())) === 0 ? true : undefined), 'an empty database');
    expect(await visitor.track('Refused')).toBeNull();
    await other.page.close();
    await until(async () => ((await visitor.databases()).length === 0 ? true : undefined), 'no database');
  });

  test('is not followed by a write that was under way, where the engine runs on the page', async () => {
    const visitor = await stage.visitor({ expected: refusedWorkers });
    await visitor.page.addInitScript(() => {
      // oxlint-disable-next-line typescript/unbound-method -- called with its own `this`
      const { encrypt } = SubtleCrypto.prototype;
      const encrypting = { begun: 0, ended: 0 };
      Object.assign(window, { encrypting });
      SubtleCrypto.prototype.encrypt = async function (...args) {
        encrypting.begun += 1;
        await new Promise<void>((resolve) => setTimeout(() => resolve(), 300));
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
    // A write after the end of the encryption would come in its task, which is before the answer of another database.
    await visitor.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const request = indexedDB.open('own-of-the-page');
          request.onsuccess = () => {
            request.result.close();
            indexedDB.deleteDatabase('own-of-the-page').onsuccess = () => resolve();
          };
        }),
    );
    await until(async () => (await visitor.databases()).length === 0 || undefined, 'the end of all databases');
    expect(Object.keys(await visitor.storage())).toEqual(['permutive-consent']);
  });
});
