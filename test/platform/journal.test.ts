import 'fake-indexeddb/auto';

import { IDBFactory, IDBObjectStore } from 'fake-indexeddb';
import { lastValueFrom } from 'rxjs';

import { idbJournal, journalName } from '../../src/platform/journal';
import type { Journal } from '../../src/platform/platform';
import { writeOtherKeys } from '../support/database';

const asked = <A>(answer$: Parameters<typeof lastValueFrom<A, undefined>>[0]): Promise<A | undefined> =>
  lastValueFrom(answer$, { defaultValue: undefined });
const write = (journal: Journal, changes: Readonly<Record<string, string | null>>) =>
  asked(journal.write(new Map(Object.entries(changes))));
const names = async (): Promise<unknown> => (await indexedDB.databases()).map(({ name }) => name);
const journalOf = (): Journal => idbJournal(() => indexedDB);

// In a browser, errors of the database are errors like any other; jest has an Error of its own beside theirs.
const ofNode: unknown = Object.getPrototypeOf(DOMException.prototype);
beforeAll(() => void Object.setPrototypeOf(DOMException.prototype, Error.prototype));
afterAll(() => void Object.setPrototypeOf(DOMException.prototype, ofNode as object));

afterEach(() => jest.restoreAllMocks());
beforeEach(() => {
  globalThis.indexedDB = new IDBFactory();
});

describe('idbJournal', () => {
  it('touches nothing before it is asked', async () => {
    journalOf();
    await expect(names()).resolves.toEqual([]);
  });

  it('has nothing at first', async () => {
    await expect(asked(journalOf().keys())).resolves.toEqual([]);
    await expect(asked(journalOf().read('a'))).resolves.toBeUndefined();
  });

  it('keeps what is written, in a database of its own, for the next page', async () => {
    await write(journalOf(), { 'p/1': 'one', 'p/2': 'two' });
    await expect(names()).resolves.toEqual([journalName]);
    const next = journalOf();
    await expect(asked(next.keys())).resolves.toEqual(['p/1', 'p/2']);
    await expect(asked(next.read('p/2'))).resolves.toBe('two');
  });

  it('puts, replaces and removes at once', async () => {
    const journal = journalOf();
    await write(journal, { a: '1', b: '1', c: '1' });
    await write(journal, { a: null, b: '2', d: '1', z: null });
    await expect(asked(journal.keys())).resolves.toEqual(['b', 'c', 'd']);
    await expect(asked(journal.read('b'))).resolves.toBe('2');
  });

  it('asks for the disk when it writes, not when it only removes', async () => {
    const journal = journalOf();
    const durabilities: unknown[] = [];
    await asked(journal.keys());
    // oxlint-disable-next-line typescript/unbound-method -- called with the database
    const { transaction } = IDBDatabase.prototype;
    jest.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (
      this: IDBDatabase,
      ...args: Parameters<IDBDatabase['transaction']>
    ) {
      durabilities.push(args[2]?.durability);
      return transaction.apply(this, args);
    });
    await write(journal, { a: '1', b: null });
    await write(journal, { a: null });
    expect(durabilities).toEqual(['strict', 'relaxed']);
  });

  it('writes each time it is subscribed', async () => {
    const journal = journalOf();
    const write$ = journal.write(new Map([['a', '1']]));
    await expect(asked(journal.keys())).resolves.toEqual([]);
    await asked(write$);
    await expect(asked(journal.keys())).resolves.toEqual(['a']);
  });

  it('uses a database that another version of the SDK has raised', async () => {
    await write(journalOf(), { a: '1' });
    const raised = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open(journalName, 7);
      request.onsuccess = () => resolve(request.result);
    });
    raised.close();
    const journal = journalOf();
    await expect(asked(journal.keys())).resolves.toEqual(['a']);
    await write(journal, { b: '1' });
    await expect(asked(journal.keys())).resolves.toEqual(['a', 'b']);
  });

  it('is opened again at the next operation where opening it has failed', async () => {
    const journal = journalOf();
    const opening = jest.spyOn(IDBFactory.prototype, 'open').mockImplementation(() => {
      throw new Error('denied');
    });
    await expect(write(journal, { a: '1' })).rejects.toThrow('denied');
    opening.mockRestore();
    await write(journal, { a: '1' });
    await expect(asked(journal.keys())).resolves.toEqual(['a']);
  });

  it.each([
    ['this page has it open', true],
    ['this page has not opened it', false],
  ])('erases itself, also while another tab has it open, and begins anew, where %s', async (_, isOpen) => {
    const [journal, other] = [journalOf(), journalOf()];
    if (isOpen) await write(journal, { a: '1' });
    await write(other, { b: '1' });
    await asked(journal.erase());
    await expect(names()).resolves.toEqual([]);
    await expect(asked(other.keys())).resolves.toEqual([]);
    await write(journal, { c: '1' });
    await expect(asked(other.keys())).resolves.toEqual(['c']);
  });

  it('is emptied by an erasure where another tab does not let go of it, and is there again once that tab does', async () => {
    const journal = journalOf();
    await write(journal, { a: '1' });
    const stubborn = await new Promise<IDBDatabase>((resolve) => {
      const request = indexedDB.open(journalName);
      request.onsuccess = () => resolve(request.result);
    });
    await asked(journal.erase());
    const reading = stubborn.transaction('events').objectStore('events').getAll();
    await new Promise((resolve) => (reading.onsuccess = resolve));
    expect(reading.result).toEqual([]);
    const written = write(journal, { b: '1' });
    stubborn.close();
    await written;
    await expect(asked(journalOf().keys())).resolves.toEqual(['b']);
  });

  it.each([
    ['there was one', true],
    ['there was none', false],
  ])('keeps what is written in the task of the erasure, where %s', async (_, isThere) => {
    if (isThere) await write(journalOf(), { a: '1' });
    const journal = journalOf();
    const erasing = asked(journal.erase());
    await write(journal, { b: '1' });
    await erasing;
    await expect(asked(journal.keys())).resolves.toEqual(['b']);
    await expect(asked(journalOf().keys())).resolves.toEqual(['b']);
  });

  it('is not made by an erasure', async () => {
    await asked(journalOf().erase());
    await expect(names()).resolves.toEqual([]);
  });

  it('is deleted where it cannot be emptied', async () => {
    const journal = journalOf();
    await write(journal, { a: '1' });
    jest.spyOn(IDBObjectStore.prototype, 'clear').mockImplementation(() => {
      throw new Error('broken');
    });
    await asked(journal.erase());
    await expect(names()).resolves.toEqual([]);
  });

  it.each([
    ['is none', () => undefined],
    [
      'cannot be asked for',
      () => {
        throw new Error('denied');
      },
    ],
    [
      'refuses to open',
      () => ({
        open: () => {
          throw new Error('denied');
        },
        deleteDatabase: () => {
          throw new Error('denied');
        },
      }),
    ],
  ])('fails, and erases in peace, where there %s', async (_, factory) => {
    const journal = idbJournal(factory as unknown as () => IDBFactory);
    await expect(write(journal, { a: '1' })).rejects.toThrow();
    await expect(asked(journal.keys())).rejects.toThrow();
    await expect(asked(journal.erase())).resolves.toBeUndefined();
  });

  it('lists only keys that are text, and writes and erases beside all others', async () => {
    await write(journalOf(), { 'p/1': 'one' });
    await writeOtherKeys(journalName, 'events', 'a text');
    const journal = journalOf();
    await expect(asked(journal.keys())).resolves.toEqual(['p/1']);
    await write(journal, { 'p/1': null, 'p/2': 'two' });
    await expect(asked(journal.keys())).resolves.toEqual(['p/2']);
    await asked(journal.erase());
    await expect(names()).resolves.toEqual([]);
  });

  it('fails where a record cannot be put', async () => {
    jest.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new Error('full');
    });
    await expect(write(journalOf(), { a: '1' })).rejects.toThrow('full');
  });
});
