import * as fc from 'fast-check';
import { jsonValue } from '../../src/model/jsonValue';
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
    [[1, undefined, 2], [1, null, 2]],
    [[1, , 2], [1, null, 2]],
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
    expect(copied(cyclic)).toEqual({ copy: { first: { x: 1 }, second: { x: 1 }, list: [null] }, dropped: ['/self: cycle', '/list/0: cycle'] });
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

  it('takes own properties only', () => {
    expect(copied(Object.create({ inherited: 1 }, { own: { value: 2, enumerable: true }, hidden: { value: 3 } }))).toEqual({ copy: { own: 2 }, dropped: [] });
  });

  it('does not call a toJSON of the page', () => {
    expect(copied({ a: { b: 1, toJSON: () => 'replaced' } })).toEqual({ copy: { a: { b: 1 } }, dropped: ['/a/toJSON: function'] });
  });

  it('does not let a value change the prototype of its copy', () => {
    const { copy } = copied(JSON.parse('{"a":1,"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'));
    expect(copy).toEqual({ a: 1, constructor: { prototype: { polluted: true } } });
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect({}).not.toHaveProperty('polluted');
  });

  it('never throws, and what it gives survives JSON', law(fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true, withSparseArray: true, withTypedArray: true }), (value) => {
    const { copy } = copied(value);
    if (copy !== undefined) expect(JSON.parse(JSON.stringify(copy))).toEqual(copy);
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  }));

  it('leaves alone what is JSON already', law(fc.jsonValue({ noUnicodeString: false }), (value) => {
    const plain: unknown = JSON.parse(JSON.stringify(value), (key, inner: unknown) => (key === '__proto__' ? undefined : inner));
    expect(copied(plain)).toEqual({ copy: plain, dropped: [] });
  }));

  it('agrees with JSON about plain data', law(fc.anything({ maxDepth: 3, withDate: true, values: [fc.integer(), fc.double(), fc.string(), fc.boolean(), fc.constant(null), fc.constant(undefined)] }), (value) => {
    fc.pre(value !== undefined && !JSON.stringify(value).includes('__proto__'));
    expect(JSON.stringify(copied(value).copy)).toBe(JSON.stringify(value));
  }));
});
