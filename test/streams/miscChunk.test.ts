import { json } from '../../src/model/plainJson';
import { readMisc, writeMisc } from '../../src/streams/miscChunk';
import { memoryStorage } from '../support/memoryStorage';

const key = 'permutive-data-misc';

describe('the misc chunk', () => {
  it('keeps notes by name, each without the others', () => {
    const deps = { local: memoryStorage(), json };
    writeMisc('identities', { a: 1 }, deps);
    writeMisc('amp_ready', true, deps);
    writeMisc('identities', { b: 2 }, deps);
    expect(deps.local.read(key)).toBe('{"identities":{"b":2},"amp_ready":true}');
    expect([readMisc('identities', deps), readMisc('pubmatic', deps)]).toEqual([{ b: 2 }, undefined]);
  });

  it.each(['null', '[1]', '7', '"text"', '{"a":', ''])('is empty where %p is stored', (text) => {
    const deps = { local: memoryStorage({ [key]: text }), json };
    expect(readMisc('0', deps)).toBeUndefined();
    writeMisc('a', 1, deps);
    expect(deps.local.read(key)).toBe('{"a":1}');
  });
});
