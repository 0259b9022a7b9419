import { memoryStorage } from '../../../src/fakePlatform/memoryStorage';
import { localJournal } from '../../../src/sinks/delivery/localJournal';

const world = (start: Readonly<Record<string, string>> = {}) => {
  const local = memoryStorage(start);
  const journal = localJournal(local);
  const put = (records: Readonly<Record<string, string>>): boolean => journal.put(new Map(Object.entries(records)));
  return { local, journal, put };
};
const large = (characters: number): string => 'x'.repeat(characters);

describe('localJournal', () => {
  it('keeps each record under a key of its own, where every tab finds it', () => {
    const { local, put } = world({ 'permutive-local-journal/other/1': 'o', page: 'x' });
    expect(put({ 'page/1': 'a', 'page/2': 'b' })).toBe(true);
    expect(local.all()).toEqual({
      page: 'x',
      'permutive-local-journal/other/1': 'o',
      'permutive-local-journal/page/1': 'a',
      'permutive-local-journal/page/2': 'b',
    });
    const next = localJournal(local);
    expect(next.keys()).toEqual(['other/1', 'page/1', 'page/2']);
    expect(next.read('page/2')).toBe('b');
    expect(next.read('page/3')).toBeNull();
  });

  it('replaces and removes records', () => {
    const { journal, put } = world();
    put({ a: '1', b: '1' });
    put({ a: '2' });
    journal.remove('b');
    journal.remove('unknown');
    expect([journal.keys(), journal.read('a')]).toEqual([['a'], '2']);
  });

  it('erases all records, those of other tabs too, and nothing else', () => {
    const { local, journal, put } = world({ 'permutive-local-journal/other/1': 'o', 'permutive-id': 'x' });
    put({ a: '1' });
    journal.erase();
    expect(local.all()).toEqual({ 'permutive-id': 'x' });
  });

  it('says when storage refuses a record, and does not keep it in memory', () => {
    const { local, journal, put } = world();
    local.failure = 'quota';
    const write = jest.spyOn(local, 'remove');
    expect(put({ a: '1' })).toBe(false);
    expect(write).toHaveBeenLastCalledWith('permutive-local-journal/a');
    local.failure = undefined;
    expect(put({ b: '1' })).toBe(true);
    expect(journal.keys()).toEqual(['b']);
  });

  it('keeps the newest records that have room', () => {
    const { journal, put } = world();
    expect(put({ a: large(200_000), b: large(200_000) })).toBe(true);
    expect(put({ c: large(150_000) })).toBe(true);
    expect(journal.keys()).toEqual(['b', 'c']);
    expect(put({ b: large(10), d: large(349_990) })).toBe(true);
    expect(journal.keys()).toEqual(['c', 'b', 'd']);
  });

  it('says when not all records of a write have room, and keeps the newest of them', () => {
    const { journal, put } = world();
    expect(put({ a: large(300_000), b: large(300_000), c: large(200_000) })).toBe(false);
    expect(journal.keys()).toEqual(['b', 'c']);
  });

  it('has room again for what was removed', () => {
    const { journal, put } = world();
    put({ a: large(400_000) });
    journal.remove('a');
    expect(put({ b: large(400_000), c: large(100_000) })).toBe(true);
    expect(put({ c: large(1) })).toBe(true);
    expect(journal.keys()).toEqual(['b', 'c']);
  });
});
