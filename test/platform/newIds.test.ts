import { validate, version } from 'uuid';

import { newIds } from '../../src/platform/newIds';

describe('newIds', () => {
  it('makes ids of version 4, each another one', () => {
    const newId = newIds((bytes) => crypto.getRandomValues(bytes));
    const ids = Array.from({ length: 1000 }, newId);
    expect(new Set(ids).size).toBe(1000);
    expect(ids.every((id) => validate(id) && version(id) === 4)).toBe(true);
  });

  it('draws nothing before the first id, and then for many ids at once', () => {
    const draw = jest.fn((bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes));
    const newId = newIds(draw);
    expect(draw).not.toHaveBeenCalled();
    for (let i = 0; i < 129; i += 1) newId();
    expect(draw).toHaveBeenCalledTimes(2);
  });

  it('uses each random byte once', () => {
    let next = 0;
    const newId = newIds((bytes) => bytes.forEach((_, i) => (bytes[i] = next += 1)));
    expect([newId(), newId()]).toEqual([
      '01020304-0506-4708-890a-0b0c0d0e0f10',
      '11121314-1516-4718-991a-1b1c1d1e1f20',
    ]);
  });
});
