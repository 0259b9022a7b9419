import * as fc from 'fast-check';

import { jsonValue } from '../../src/hardening/jsonValue';
import { law } from '../support/laws';

const copied = (value: unknown) => {
  const dropped: string[] = [];
  const copy = jsonValue(value, (path, reason) => dropped.push(`${path}: ${reason}`));
  return { copy, dropped };
};
const nested = (depth: number): unknown => Array.from({ length: depth }).reduce((inner: unknown) => ({ inner }), 7);

describe('jsonValue', () => {
  it.each([
    [null, null],
    ['', ''],
    ['text', 'text'],
    [0, 0],
    [-1.5, -1.5],
    [true, true],
    [false, false],
    [[], []],
    [{}, {}],
    [NaN, null],
    [Infinity, null],
    [-Infinity, null],
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    [new Date(NaN), null],
    [undefined, undefined],
    [{ a: undefined, b: 1 }, { b: 1 }],
    [
      [1, undefined, 2],
      [1, null, 2],
    ],
    [
      [1, , 2],
      [1, null, 2],
    ],
    [{ a: { b: [{ c: 'd' }] } }, { a: { b: [{ c: 'd' }] } }],
  ])('keeps what JSON can hold: %p', (value, expected) => {
    expect(copied(value)).toEqual({ copy: expected, dropped: [] });
  });

  it.each([
    ['a function', { a: () => 1, b: 2 }, { b: 2 }, ['/a: function']],
    ['a symbol', { a: Symbol('s'), b: 2 }, { b: 2 }, ['/a: symbol']],
    ['a BigInt', { a: 1n, b: 2 }, { b: 2 }, ['/a: bigint']],
    ['one deep inside', { a: [{ b: 1n }] }, { a: [{}] }, ['/a/0/b: bigint']],
    ['an item, whose place stays', [1, () => 1, 2], [1, null, 2], ['/1: function']],
    ['the value itself', 1n, undefined, [': bigint']],
  ])('drops %s, and says where', (_, value, copy, dropped) => {
    expect(copied(value)).toEqual({ copy, dropped });
  });

  it('drops a cycle, and keeps what is only repeated', () => {
    const shared = { x: 1 };
    const cyclic: Record<string, unknown> = { first: shared, second: shared };
    cyclic['self'] = cyclic;
    cyclic['list'] = [cyclic];
    expect(copied(cyclic)).toEqual({
      copy: { first: { x: 1 }, second: { x: 1 }, list: [null] },
      dropped: ['/self: cycle', '/list/0: cycle'],
    });
  });

  it('drops a getter that throws', () => {
    const value = {
      get a(): never {
        throw new Error('of the page');
      },
      b: 2,
    };
    expect(copied(value)).toEqual({ copy: { b: 2 }, dropped: ['/a: throwing getter'] });
  });

  it('drops what cannot be read at all', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(copied({ a: proxy, b: 2 })).toEqual({ copy: { b: 2 }, dropped: ['/a: unreadable'] });
  });

  it('goes 64 levels deep', () => {
    expect(copied(nested(64))).toEqual({ copy: nested(64), dropped: [] });
    expect(copied(nested(65)).dropped).toEqual([`${'/inner'.repeat(64)}: too deep`]);
  });

  const bytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));
  const limit = 46 * 1024;

  it('ends soon where each level holds the next twice', () => {
    const doubling = Array.from({ length: 30 }).reduce((inner: unknown) => ({ a: inner, b: inner }), { x: 1 });
    const { copy, dropped } = copied({ doubling, after: 'all' });
    expect(bytes(copy)).toBeLessThanOrEqual(limit);
    expect(dropped[0]).toMatch(/^\/doubling(\/[ab])+: too large$/);
  });

  it.each([
    ['a text', { text: 'x'.repeat(limit) }, '/text'],
    ['a text of many bytes', { text: '€'.repeat(limit / 3) }, '/text'],
    ['a text of what JSON escapes', { text: '\n"'.repeat(limit / 8) }, '/text'],
    ['a list', { list: Array(50_000).fill(1) }, `/list/`],
    ['a list of nothing', { list: Array(50_000).fill(null) }, '/list/'],
    ['a list of what has no place in it', { list: Array(50_000).fill(undefined) }, '/list/'],
    ['a list of lists', { list: Array(50_000).fill([]) }, '/list/'],
    ['fields', { fields: Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`f${i}`, null])) }, '/fields'],
    ['a name', { fields: { ['n'.repeat(limit)]: 1 } }, '/fields'],
  ])('drops what is too large, and keeps what came before: %s', (_, value, path) => {
    const { copy, dropped } = copied({ before: 'kept', ...value });
    expect(copy).toMatchObject({ before: 'kept' });
    expect(bytes(copy)).toBeLessThanOrEqual(limit);
    expect(dropped[0]).toContain(path);
    expect(dropped[0]).toMatch(/: too large$/);
  });

  it('keeps a small value after one that is too large', () => {
    expect(copied({ large: 'x'.repeat(limit), small: 1 })).toEqual({
      copy: { small: 1 },
      dropped: ['/large: too large'],
    });
  });

  it('fills its room: the last byte, and not one more', () => {
    // A field counts a comma, also the last one.
    const room = limit - bytes({ text: '' }) - 1;
    expect(copied({ text: 'x'.repeat(room) }).dropped).toEqual([]);
    expect(copied({ text: 'x'.repeat(room + 1) }).dropped).toEqual(['/text: too large']);
  });

  it('tells of 20 at most', () => {
    expect(copied({ list: Array(1000).fill(() => 1) }).dropped).toHaveLength(20);
  });

  it('drops binary data', () => {
    expect(copied({ a: new Uint8Array(3), b: new DataView(new ArrayBuffer(1)), c: new ArrayBuffer(8), d: 1 })).toEqual({
      copy: { d: 1 },
      dropped: ['/a: binary data', '/b: binary data', '/c: binary data'],
    });
  });

  it('reads a date as it is, not as it says', () => {
    const date = Object.assign(new Date(0), { toISOString: () => 'never', getTime: () => NaN });
    expect(copied({ date }).copy).toEqual({ date: '1970-01-01T00:00:00.000Z' });
  });

  it('does not believe the length of a list', () => {
    const { copy } = copied({
      list: new Proxy([1], { get: (list, key) => (key === 'length' ? 1e12 : (Reflect.get(list, key) as unknown)) }),
    });
    expect(bytes(copy)).toBeLessThanOrEqual(limit);
  });

  it(
    'is never larger than its room',
    law(
      fc.array(fc.anything({ withDate: true, withSparseArray: true, maxKeys: 50 }), { minLength: 0, maxLength: 500 }),
      (value) => {
        expect(bytes(copied([value, value, value]).copy)).toBeLessThanOrEqual(limit);
      },
    ),
  );

  it('has fields of names that all objects have, also where a page has frozen their prototype', () => {
    // A setter refuses what a frozen field refuses, and can be taken away again.
    const { constructor } = Object.prototype;
    Object.defineProperty(Object.prototype, 'constructor', { value: constructor, writable: false, configurable: true });
    try {
      const given = { constructor: 'builder', a: 1 };
      expect(JSON.stringify(jsonValue(given, () => undefined))).toBe('{"constructor":"builder","a":1}');
    } finally {
      Object.defineProperty(Object.prototype, 'constructor', { value: constructor, writable: true });
    }
  });

  it('takes own properties only', () => {
    expect(
      copied(Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true }, hidden: { value: 3 } })),
    ).toEqual({ copy: { own: 2 }, dropped: [] });
  });

  it('does not call a toJSON of the page', () => {
    expect(copied({ a: { b: 1, toJSON: () => 'replaced' } })).toEqual({
      copy: { a: { b: 1 } },
      dropped: ['/a/toJSON: function'],
    });
  });

  it('does not let a value change the prototype of its copy', () => {
    const { copy } = copied(
      JSON.parse('{"a":1,"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
    );
    expect(copy).toEqual({ a: 1, constructor: { prototype: { polluted: true } } });
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });

  it(
    'never throws, and what it gives survives JSON',
    law(
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withNullPrototype: true,
        withSparseArray: true,
        withTypedArray: true,
      }),
      (value) => {
        const { copy } = copied(value);
        const text = JSON.stringify(copy ?? null);
        expect(JSON.stringify(JSON.parse(text))).toBe(text);
        expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
      },
    ),
  );

  it(
    'leaves alone what is JSON already',
    law(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const plain: unknown = JSON.parse(JSON.stringify(value), (key, inner: unknown) =>
        key === '__proto__' ? undefined : inner,
      );
      expect(copied(plain)).toEqual({ copy: plain, dropped: [] });
    }),
  );

  it(
    'agrees with JSON about plain data',
    law(
      fc.anything({
        maxDepth: 3,
        withDate: true,
        values: [fc.integer(), fc.double(), fc.string(), fc.boolean(), fc.constant(null), fc.constant(undefined)],
      }),
      (value) => {
        fc.pre(value !== undefined && !JSON.stringify(value).includes('__proto__'));
        expect(JSON.stringify(copied(value).copy)).toBe(JSON.stringify(value));
      },
    ),
  );
});
