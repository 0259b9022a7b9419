import { IDBFactory, IDBObjectStore } from 'fake-indexeddb';
import { openDB } from 'idb';

import { QuotaError } from '../../src/model/errors';
import { databaseName } from '../../src/platform/eraseDatabase';
import { contents, done, newDatabase, storeOf, tamper, writeOtherKeys } from '../support/database';
import { settled, until } from '../support/waiting';

/* oxlint-disable typescript/unbound-method -- called with their own `this` */
const errorNamed = (name: string): DOMException => new DOMException('no', name);
const [before, thisPage, state] = ['permutive-events-cache', 'permutive-events-for-page', 'permutive-data-queries'];

afterEach(() => jest.restoreAllMocks());
beforeEach(newDatabase);

/** Keys of new records in chunks of these names. Their texts are [1], [2] and so on. */
const added = async (store: ReturnType<typeof storeOf>, ...names: readonly string[]): Promise<readonly string[]> =>
  (await done(
    store.replace(
      [],
      names.map((name, i) => [name, `[${i + 1}]`] as const),
    ),
  ))!;

describe('idbStore', () => {
  it('has nothing at first', async () => {
    await expect(done(storeOf().read(state))).resolves.toBeNull();
    await expect(done(storeOf().records())).resolves.toEqual([]);
  });

  it('gives back what was written, events and state each in a store of their own, beside the key', async () => {
    const store = storeOf();
    await done(store.write(state, '{"a":1}'));
    const [key] = (await done(store.replace([], [[thisPage, '[1]']])))!;
    await expect(done(store.read(state))).resolves.toBe('{"a":1}');
    await expect(done(store.records())).resolves.toEqual([{ key, text: '[1]' }]);
    await expect(done(store.read(key!))).resolves.toBe('[1]');
    await expect(contents()).resolves.toEqual({
      database: { version: 3 },
      events_w: { [key!]: expect.anything() as unknown },
      data_w: { [state]: expect.anything() as unknown },
      keys_w: { key: expect.objectContaining({ extractable: false }) as unknown },
    });
  });

  it('stores blobs of a header and cipher text, and no plain text', async () => {
    await done(storeOf().write(state, '{"title":"secret"}'));
    const { data_w } = await contents();
    const blob = new Uint8Array(data_w![state] as ArrayBuffer);
    expect(blob).toHaveLength(16 + 18 + 16);
    expect([...blob.subarray(12, 16)]).toEqual([0, 0, 0, 18]);
    expect(Buffer.from(blob).toString('latin1')).not.toContain('secret');
  });

  it('makes its key once, though two tabs begin together', async () => {
    const [one, other] = [storeOf(), storeOf()];
    await Promise.all([done(one.write('permutive-data-misc', 'a')), done(other.write('permutive-data-models', 'b'))]);
    await expect(done(other.read('permutive-data-misc'))).resolves.toBe('a');
    await expect(done(storeOf().read('permutive-data-models'))).resolves.toBe('b');
  });

  it('keeps the last of two values', async () => {
    const store = storeOf();
    await done(store.write(state, 'a'));
    await done(store.write(state, 'b'));
    await expect(done(store.read(state))).resolves.toBe('b');
  });

  it('opens nothing before it is asked', async () => {
    void storeOf().read(state);
    await expect(indexedDB.databases()).resolves.toEqual([]);
  });

  it('serves two workspaces of one origin, and says nothing of it', async () => {
    const report = jest.fn();
    await done(storeOf('w', { report }).write(state, 'a'));
    const other = storeOf('x', { report });
    await done(other.write(state, 'b'));
    await expect(done(other.read(state))).resolves.toBe('b');
    await expect(done(storeOf('w', { report }).read(state))).resolves.toBe('a');
    expect(Object.keys(await contents())).toEqual([
      'database',
      'data_w',
      'data_x',
      'events_w',
      'events_x',
      'keys_w',
      'keys_x',
    ]);
    expect(report).not.toHaveBeenCalled();
  });
});

describe('records', () => {
  it('are read in the order they were added, also of one moment and after the clock was set back', async () => {
    const store = storeOf();
    const clock = jest.spyOn(Date, 'now');
    for (const [i, now] of [5, 5, 5, 3, 9].entries()) {
      clock.mockReturnValue(now);
      await done(store.replace([], [[thisPage, `[${i}]`]]));
    }
    await expect(done(store.records())).resolves.toMatchObject([0, 1, 2, 3, 4].map((i) => ({ text: `[${i}]` })));
  });

  it('are read beside records of another key or another form, each of which costs itself', async () => {
    const store = storeOf();
    const [key] = await added(store, thisPage);
    await writeOtherKeys(databaseName, 'events_w', 'no blob');
    const db = await openDB(databaseName);
    await db.put('events_w', 'no blob', 'a text');
    db.close();
    await expect(done(storeOf().records())).resolves.toEqual([
      { key: 'a text', text: '' },
      { key, text: '[1]' },
    ]);
  });

  it('are replaced in one step', async () => {
    const store = storeOf();
    const keys = await added(store, thisPage, thisPage, thisPage);
    const [moved] = (await done(store.replace(keys.slice(0, 2), [[before, '[1,2]']])))!;
    expect(moved!.startsWith(`${before}/`)).toBe(true);
    await expect(done(store.records())).resolves.toEqual([
      { key: moved, text: '[1,2]' },
      { key: keys[2], text: '[3]' },
    ]);
  });

  it('are replaced by one of two tabs', async () => {
    const [one, other] = [storeOf(), storeOf()];
    const [key] = (await done(one.replace([], [[thisPage, '[1]']])))!;
    const answers = await Promise.all([
      done(one.replace([key!], [[before, '[1]']])),
      done(other.replace([key!], [[before, '[1]']])),
    ]);
    expect(answers.map((keys) => keys!.length).sort()).toEqual([0, 1]);
    await expect(done(other.records())).resolves.toHaveLength(1);
  });

  it('of several tabs are all kept', async () => {
    const tabs = [storeOf(), storeOf(), storeOf()];
    await Promise.all(
      tabs.flatMap((tab, t) =>
        Array.from({ length: 20 }, (_, i) => done(tab.replace([], [[thisPage, `["${t} ${i}"]`]]))),
      ),
    );
    const texts = (await done(storeOf().records()))!.map(({ text }) => text);
    expect(new Set(texts).size).toBe(60);
  });

  it('are cleared, and no state', async () => {
    const store = storeOf();
    await added(store, thisPage, before, thisPage);
    await done(store.write(state, 'kept'));
    await done(store.clear());
    await expect(done(store.records())).resolves.toEqual([]);
    await expect(done(store.read(state))).resolves.toBe('kept');
  });
});

describe('a text that is swapped', () => {
  const versionOf = async (store: ReturnType<typeof storeOf>): Promise<unknown> =>
    (await done(store.readVersion(state)))!.version;

  it('is written on the version that was read, again and again', async () => {
    const store = storeOf();
    await expect(done(store.readVersion(state))).resolves.toEqual({ text: null, version: null });
    await expect(done(store.swap(state, null, 'a'))).resolves.toBe(true);
    await expect(done(store.swap(state, await versionOf(store), 'b'))).resolves.toBe(true);
    await expect(done(store.readVersion(state))).resolves.toMatchObject({ text: 'b' });
  });

  it.each([
    ['wrote another text', 'b'],
    ['wrote the same text', 'a'],
  ])('stays as it is where another connection %s meanwhile', async (_, text) => {
    const [one, other] = [storeOf(), storeOf()];
    await done(one.write(state, 'a'));
    const version = await versionOf(one);
    await done(other.write(state, text));
    await expect(done(one.swap(state, version, 'c'))).resolves.toBe(false);
    await expect(done(other.read(state))).resolves.toBe(text);
    // Whoever reads again may write.
    await expect(done(one.swap(state, await versionOf(one), 'c'))).resolves.toBe(true);
    await expect(done(other.read(state))).resolves.toBe('c');
  });

  it('stays as it is where another connection was the first to write', async () => {
    const [one, other] = [storeOf(), storeOf()];
    const version = await versionOf(one);
    await done(other.write(state, 'b'));
    await expect(done(one.swap(state, version, 'c'))).resolves.toBe(false);
    await expect(done(other.read(state))).resolves.toBe('b');
  });

  it('does not come back where another connection has deleted it', async () => {
    const store = storeOf();
    await done(store.write(state, 'a'));
    const version = await versionOf(store);
    await tamper('data_w', () => undefined);
    await expect(done(store.swap(state, version, 'c'))).resolves.toBe(false);
    await expect(done(store.read(state))).resolves.toBeNull();
  });

  it('is written by one of several tabs that have read the same version', async () => {
    const tabs = [storeOf(), storeOf(), storeOf()];
    await done(tabs[0]!.write(state, 'before'));
    const versions = await Promise.all(tabs.map(versionOf));
    const written = await Promise.all(tabs.map((tab, i) => done(tab.swap(state, versions[i], `${i}`))));
    expect(written.filter((isWritten) => isWritten)).toHaveLength(1);
    await expect(done(storeOf().read(state))).resolves.toBe(`${written.indexOf(true)}`);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a text', 'junk'],
    ['an object', { junk: true }],
    ['a blob that is too short', new ArrayBuffer(4)],
    ['an empty blob', new ArrayBuffer(0)],
  ])('takes the place of what is no blob: %s', async (_, junk) => {
    const store = storeOf();
    await done(store.write(state, 'a'));
    const before = await versionOf(store);
    await tamper('data_w', () => junk);
    // It is not absent, and not what was there before.
    await expect(done(store.swap(state, null, 'b'))).resolves.toBe(false);
    await expect(done(store.swap(state, before, 'b'))).resolves.toBe(false);
    await expect(done(store.readVersion(state))).resolves.toMatchObject({ text: '' });
    await expect(done(store.swap(state, await versionOf(store), 'b'))).resolves.toBe(true);
    await expect(done(store.read(state))).resolves.toBe('b');
  });
});

describe('what has been tampered with', () => {
  it('reads as empty, beside records that do not', async () => {
    const store = storeOf();
    const keys = await added(store, thisPage, thisPage, thisPage);
    await tamper('events_w', (key, value) => {
      const blob = new Uint8Array(value as ArrayBuffer);
      if (key === keys[1]) blob[20]! ^= 1;
      return blob.buffer;
    });
    await expect(done(store.records())).resolves.toEqual([
      { key: keys[0], text: '[1]' },
      { key: keys[1], text: '' },
      { key: keys[2], text: '[3]' },
    ]);
  });

  it.each([
    ['is lost', () => undefined],
    ['is something else', () => ({ not: 'a key' })],
  ])('cannot be read when the key %s, and what comes after can', async (_, change) => {
    await done(storeOf().write(state, 'a'));
    await tamper('keys_w', change);
    const store = storeOf();
    await expect(done(store.read(state))).resolves.toBe('');
    await done(store.write(state, 'b'));
    await expect(done(storeOf().read(state))).resolves.toBe('b');
  });

  it.each([
    ['all', [], []],
    ['one', ['events_w', 'data_w'], ['Object store(s) missing.']],
    ['one, and has others', ['keys_w', 'data_w', 'other'], ['Object store(s) missing.']],
  ])('is a database that lacks its stores: %s', async (_, names, told) => {
    const made = await openDB(databaseName, 3, {
      upgrade: (db) => names.forEach((name) => db.createObjectStore(name)),
    });
    made.close();
    const report = jest.fn();
    const store = storeOf('w', { report });
    await done(store.write(state, 'a'));
    await expect(done(store.read(state))).resolves.toBe('a');
    expect(report.mock.calls.flat()).toEqual(told);
    const { database, ...stores } = await contents();
    expect(database).toEqual({ version: 4 });
    expect(Object.keys(stores)).toEqual(expect.arrayContaining(['data_w', 'events_w', 'keys_w', ...names]));
  });
});

describe('a connection', () => {
  const opens = (): jest.SpyInstance => jest.spyOn(IDBFactory.prototype, 'open');

  it('is kept', async () => {
    const opened = opens();
    const store = storeOf();
    for (let i = 0; i < 40; i += 1) await done(store.write(state, `${i}`));
    expect(opened).toHaveBeenCalledTimes(1);
  });

  it.each([
    [
      'Safari',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
      3,
    ],
    [
      'a browser of iOS',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0.0.0 Mobile/15E148 Safari/604.1',
      3,
    ],
    [
      'Chrome',
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
      1,
    ],
    ['Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 1],
  ])('is made anew after 30 writes, in Safari: %s', async (_, userAgent, expected) => {
    const opened = opens();
    const store = storeOf('w', { userAgent });
    const counts: number[] = [];
    for (let i = 1; i <= 61; i += 1) {
      await (i % 2 === 0 ? done(store.write(state, `${i}`)) : done(store.replace([], [[thisPage, `[${i}]`]])));
      counts.push(opened.mock.calls.length);
    }
    expect([counts[29], counts.at(-1)]).toEqual([1, expected]);
    await expect(done(store.records())).resolves.toHaveLength(31);
  });

  it('that another tab closes for its own version is opened again', async () => {
    const store = storeOf();
    await done(store.write(state, 'a'));
    (await openDB(databaseName, 9, { upgrade: (db) => db.createObjectStore('events_x') })).close();
    await expect(done(store.read(state))).resolves.toBe('a');
  });

  it('that closes under an operation is opened again, once', async () => {
    const store = storeOf();
    await done(store.write(state, 'a'));
    const opened = opens();
    jest.spyOn(IDBObjectStore.prototype, 'get').mockImplementationOnce(() => {
      throw errorNamed('InvalidStateError');
    });
    await expect(done(store.read(state))).resolves.toBe('a');
    expect(opened).toHaveBeenCalledTimes(1);
  });

  it.each([
    ['InvalidStateError', 'get', (): Promise<unknown> => done(storeOf().read(state))],
    ['NotFoundError', 'getAll', (): Promise<unknown> => done(storeOf().records())],
    ['InvalidStateError', 'put', (): Promise<unknown> => done(storeOf().write(state, 'a'))],
  ])('that stays closed says so: %s at %s', async (name, method, action) => {
    await done(storeOf().write(state, 'a'));
    const get = IDBObjectStore.prototype.get;
    jest.spyOn(IDBObjectStore.prototype, method as 'get').mockImplementation(function (this: IDBObjectStore, ...args) {
      if (this.name === 'keys_w') return get.apply(this, args);
      throw errorNamed(name);
    });
    await expect(action()).rejects.toMatchObject({
      name: 'StoreClosingError',
      message: `Attempted ${method} when the current store is closing.`,
    });
  });

  it('that cannot be opened says why', async () => {
    jest.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw errorNamed('SecurityError');
    });
    await expect(done(storeOf().read(state))).rejects.toMatchObject({ name: 'SecurityError' });
  });

  it('is not even tried without WebCrypto', async () => {
    const subtle = jest.spyOn(crypto, 'subtle', 'get').mockReturnValue(undefined as unknown as SubtleCrypto);
    await expect(done(storeOf().read(state))).rejects.toThrow('no WebCrypto');
    subtle.mockRestore();
    await expect(indexedDB.databases()).resolves.toEqual([]);
  });
});

describe('a store that is full', () => {
  const full = (times = Infinity): jest.SpyInstance => {
    const { put } = IDBObjectStore.prototype;
    let left = times;
    return jest.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore, ...args) {
      if ((left -= 1) >= 0) throw errorNamed('QuotaExceededError');
      return put.apply(this, args);
    });
  };

  it('gets a new connection, once, so that the browser may compact it', async () => {
    const store = storeOf();
    await done(store.write(state, 'a'));
    const opened = jest.spyOn(IDBFactory.prototype, 'open');
    const puts = full(1);
    await done(store.write(state, 'b'));
    expect([opened.mock.calls.length, puts.mock.calls.length]).toEqual([1, 2]);
    await expect(done(store.read(state))).resolves.toBe('b');
  });

  it('says so, and does not compact again', async () => {
    const store = storeOf();
    await done(store.write(state, 'a'));
    const puts = full();
    await expect(done(store.write(state, 'b'))).rejects.toBeInstanceOf(QuotaError);
    await expect(done(store.write(state, 'c'))).rejects.toBeInstanceOf(QuotaError);
    expect(puts).toHaveBeenCalledTimes(3);
  });

  it('from the beginning is one that cannot be opened', async () => {
    full();
    await expect(done(storeOf().read(state))).rejects.toMatchObject({ name: 'QuotaExceededError' });
  });

  it('is known by the name of the error, whatever realm it is of', async () => {
    const store = storeOf();
    await done(store.write(state, 'a'));
    jest.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      // oxlint-disable-next-line typescript/only-throw-error -- an error of another realm
      throw { name: 'QuotaExceededError' };
    });
    await expect(done(store.write(state, 'b'))).rejects.toBeInstanceOf(QuotaError);
  });
});

describe('a write that nobody waits for any more', () => {
  const after = async (action: () => Promise<void>): Promise<unknown> => {
    await action();
    await settled();
    return contents();
  };

  it('does not land, though its text was being encrypted', async () => {
    const store = storeOf();
    await done(store.write(state, 'a'));
    const { data_w } = await contents();
    const encrypt = jest.spyOn(crypto.subtle, 'encrypt');
    await expect(
      after(async () => {
        const writing = store.write(state, 'b').subscribe();
        const appending = store.replace([], [[thisPage, '[1]']]).subscribe();
        while (encrypt.mock.calls.length < 2) await Promise.resolve();
        writing.unsubscribe();
        appending.unsubscribe();
      }),
    ).resolves.toMatchObject({ data_w, events_w: {} });
  });

  it('does not make the database whose opening it has asked for', async () => {
    const writing = storeOf().write(state, 'a').subscribe();
    writing.unsubscribe();
    await settled();
    await expect(indexedDB.databases()).resolves.toEqual([]);
  });

  it('leaves what another workspace has in a database to which it would have added stores', async () => {
    await done(storeOf('other').write(state, 'a'));
    storeOf().write(state, 'b').subscribe().unsubscribe();
    await settled();
    await expect(done(storeOf('other').read(state))).resolves.toBe('a');
  });

  it('does not make a key, nor the database again after it was deleted', async () => {
    const generate = jest.spyOn(crypto.subtle, 'generateKey');
    await expect(
      after(async () => {
        const writing = storeOf().write(state, 'a').subscribe();
        await until(() => generate.mock.calls.length > 0);
        writing.unsubscribe();
      }),
    ).resolves.toMatchObject({ keys_w: {}, data_w: {} });
  });
});
