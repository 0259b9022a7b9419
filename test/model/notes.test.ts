import { memoryStorage } from '../../src/fakePlatform/memoryStorage';
import { json } from '../../src/hardening/plainJson';
import { readNote, writeNote } from '../../src/model/notes';

const key = 'permutive-data-misc';

describe('the misc chunk', () => {
  it('keeps the entries of others', () => {
    const local = memoryStorage({ [key]: '{"identities":{"default":{"value":"1"}},"metricsEnabled":true}' });
    writeNote('metricsEnabled', false, { local, json });
    expect(JSON.parse(local.all()[key]!)).toEqual({ identities: { default: { value: '1' } }, metricsEnabled: false });
  });

  it.each(['', '{', 'null', '7', '"text"', '[1]'])('is empty where %j is stored, and can be written', (stored) => {
    const local = memoryStorage({ [key]: stored });
    expect(readNote('a', { local, json })).toBeNull();
    writeNote('a', 1, { local, json });
    expect(local.all()).toEqual({ [key]: '{"a":1}' });
    expect([readNote('a', { local, json }), readNote('toString', { local, json })]).toEqual([1, null]);
  });

  it('pollutes nothing', () => {
    const local = memoryStorage({ [key]: '{"__proto__":{"polluted":1}}' });
    writeNote('a', 1, { local, json });
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
