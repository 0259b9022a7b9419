import * as fc from 'fast-check';

import { NoJson } from '../../src/hardening/json';
import { json, plainData } from '../../src/hardening/plainJson';
import { law } from '../support/laws';
import { polluted } from '../support/pollution';

const prototypes: readonly (readonly [string, object])[] = [
  ['Array', Array.prototype],
  ['Object', Object.prototype],
  ['String', String.prototype],
  ['Number', Number.prototype],
  ['Boolean', Boolean.prototype],
];

/** Runs an action on a page that has given a prototype a `toJSON`, as older libraries do. */
const withToJson = <A>(prototype: object, action: () => A): A => {
  Object.defineProperty(prototype, 'toJSON', {
    value: () => 'of the page',
    configurable: true,
    enumerable: true,
    writable: true,
  });
  try {
    return action();
  } finally {
    delete (prototype as { toJSON?: unknown }).toJSON;
  }
};
/** What comes out at the other end: text becomes bytes on the wire. */
const received = (text: string): unknown => JSON.parse(new TextDecoder().decode(new TextEncoder().encode(text)));

const sample = {
  a: [1, -0, 1.5, 1e21, true, false, null],
  b: { c: 'text "quoted" \\ \n\t\u0000\u001f\u2028é😀' },
  d: [],
  e: {},
  f: '',
};

describe('json.stringify', () => {
  it.each(prototypes)('is not changed by a toJSON of %s.prototype', (_, prototype) => {
    expect(JSON.parse(withToJson(prototype, () => json.stringify(sample)))).toEqual(JSON.parse(JSON.stringify(sample)));
  });

  it.each(prototypes)('says what the browser would have said, with a toJSON of %s.prototype', (_, prototype) => {
    law(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      const plain = JSON.stringify(value);
      const patched = withToJson(prototype, () => json.stringify(value));
      expect(received(patched)).toEqual(JSON.parse(plain));
    })();
  });

  it(
    'is the browser’s own otherwise',
    law(fc.jsonValue(), (value) => {
      expect(json.stringify(value)).toBe(JSON.stringify(value));
    }),
  );

  it.each([
    ['an undefined field', { a: undefined, b: 1 }, '{"b":1}'],
    ['an undefined item', [undefined, 1], '[null,1]'],
    ['no number', [NaN, Infinity, -Infinity], '[null,null,null]'],
    ['a key to escape', { 'a"b': 1 }, '{"a\\"b":1}'],
    ['half a character', ['\ud83d', '\ude00', '😀'], '["\\ud83d","\\ude00","😀"]'],
  ])('says of %s what the browser says', (_, value, expected) => {
    expect(json.stringify(value)).toBe(expected);
    expect(withToJson(Array.prototype, () => json.stringify(value))).toBe(expected);
  });

  it('is not changed by a JSON.stringify of the page', () => {
    const native = JSON.stringify;
    JSON.stringify = () => 'of the page';
    try {
      expect(json.stringify({ a: 1 })).toBe('{"a":1}');
    } finally {
      JSON.stringify = native;
    }
  });

  it('leaves out what the page adds to Object.prototype', () => {
    Object.defineProperty(Object.prototype, 'added', { value: 1, configurable: true, enumerable: true });
    try {
      expect(json.stringify({ a: 1 })).toBe('{"a":1}');
      expect(withToJson(Array.prototype, () => json.stringify({ a: 1 }))).toBe('{"a":1}');
    } finally {
      delete (Object.prototype as { added?: unknown }).added;
    }
  });
});

describe('json.parse', () => {
  it.each([
    ['{"a":[1,null]}', { a: [1, null] }],
    ['null', null],
    ['7', 7],
    ['', NoJson],
    ['{', NoJson],
    ['undefined', NoJson],
  ])('%s', (text, expected) => {
    expect(json.parse(text)).toEqual(expected);
  });

  it(
    'never throws',
    law(fc.string({ unit: 'binary' }), (text) => {
      expect(() => json.parse(text)).not.toThrow();
    }),
  );

  it('is not changed by a JSON.parse of the page', () => {
    const native = JSON.parse;
    JSON.parse = () => 'of the page';
    try {
      expect(json.parse('{"a":1}')).toEqual({ a: 1 });
    } finally {
      JSON.parse = native;
    }
  });
});

describe('plainData', () => {
  const data = { list: [{ a: 1 }], text: 't' };

  test('is the data itself on an ordinary page', () => {
    expect(plainData(data)).toBe(data);
  });

  test('has the fields of the data only, at each depth, where the page has added fields to all objects', () => {
    const fields = polluted({ where: 'evil' }, () => {
      const copy = plainData(data) as typeof data & { where?: unknown };
      const [item] = copy.list as readonly { where?: unknown }[];
      return [copy.where, item?.where, JSON.stringify(copy)];
    });
    expect(fields).toEqual([undefined, undefined, JSON.stringify(data)]);
  });
});
