import * as fc from 'fast-check';

import { queuedCallOf } from '../../src/api/queuedCalls';
import {
  AnyNumber,
  AnyString,
  type Codec,
  DecodeError,
  list,
  object,
  readAs,
  readerOf,
  readOr,
  shape,
} from '../../src/codecs/codecs';
import { ConsentRecord } from '../../src/model/consent';
import { QueuedEventCodec } from '../../src/model/queuedEvent';
import { isUserId, isUuid, Uuid } from '../../src/primitives/uuid';
import { PauseCodec } from '../../src/sinks/delivery/pause';
import { broken, secret } from '../model/support/broken';
import { cpuMs } from '../support/cpuTime';
import { law } from '../support/laws';

const messageOf = (read: unknown): string => (read instanceof DecodeError ? read.message : 'nothing wrong');

describe('readAs', () => {
  it('looks for its own keys only, whatever a page has added to all objects', () => {
    const Point = object<{ readonly x: number }>('Point', shape({ x: AnyNumber }, { name: AnyString }));
    const polluted = Object.prototype as { added?: unknown };
    polluted.added = () => undefined;
    try {
      expect(readAs(Point, { x: 1 })).toEqual({ x: 1 });
    } finally {
      delete polluted.added;
    }
  });

  it('tells a thousand faults at most, in a time that does not grow with the square of their number', () => {
    const wrong = Array.from({ length: 300_000 }, () => 0);
    let read: unknown;
    expect(cpuMs(() => (read = readAs(list(AnyString), wrong)))).toBeLessThan(1000);
    expect(read instanceof DecodeError && read.faults.length).toBe(1000);
  });

  it('gives the input itself', () => {
    const input = { a: 1, more: true };
    expect(readAs(object('an input', shape({ a: AnyNumber })), input)).toBe(input);
  });

  it.each<readonly [string, Codec<unknown>, unknown, string]>([
    ['the root', AnyNumber, 'x', '(root): expected number'],
    ['a field', object('o', shape({ a: AnyNumber })), { a: 'x' }, 'a: expected number'],
    ['a missing field', object('o', shape({ a: AnyNumber })), {}, 'a: expected number'],
    ['an optional field', object('o', shape({}, { a: AnyNumber })), { a: null }, 'a: expected number'],
    [
      'a deep field',
      object('o', shape({ a: list(object('i', shape({ b: AnyString }))) })),
      { a: [{ b: '' }, { b: 1 }] },
      'a/1/b: expected string',
    ],
    ['two fields', object('o', shape({ a: AnyNumber, b: AnyString })), {}, 'a: expected number; b: expected string'],
    ['no object', object('o', shape({})), [], '(root): expected o'],
    ['no list', list(AnyString), {}, '(root): expected a list'],
    ['a short list', list(AnyString, 1, 2), [], '(root): expected a list of 1 to 2'],
  ])('names the place: %s', (_, codec, input, expected) => {
    expect(messageOf(readAs(codec, input))).toBe(expected);
  });

  it('lets an optional field be undefined', () =>
    expect(readAs(object('o', shape({}, { a: AnyNumber })), { a: undefined })).toEqual({ a: undefined }));

  const readers: readonly ((input: unknown) => unknown)[] = [
    ...[QueuedEventCodec, ConsentRecord, PauseCodec, Uuid].map((codec) => readerOf<unknown>(codec)),
    queuedCallOf,
  ];

  it(
    'never says the value',
    law(broken, (input) => {
      for (const read of readers) expect(messageOf(read(input))).not.toContain(secret);
    }),
  );

  it('refuses what cannot even be read', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(messageOf(readAs(QueuedEventCodec, proxy))).toBe('(root): expected what can be read');
  });

  it(
    'never throws',
    law(fc.anything(), (input) => {
      for (const read of readers) expect(() => read(input)).not.toThrow();
    }),
  );
});

describe('readOr', () => {
  it('gives the value, or else the fallback after saying why', () => {
    const onFault = jest.fn();
    expect(readOr(AnyNumber, 7, 0, onFault)).toBe(7);
    expect(onFault).not.toHaveBeenCalled();
    expect(readOr(AnyNumber, 'x', 0, onFault)).toBe(0);
    expect(onFault.mock.calls).toEqual([[new DecodeError([{ path: '', expected: 'number' }])]]);
  });
});

describe('UUIDs', () => {
  it.each([
    ['5b2f7a3c-1d4e-4f60-9a8b-0c1d2e3f4a5b', true, true],
    ['5B2F7A3C-1D4E-4F60-9A8B-0C1D2E3F4A5B', true, true],
    ['5b2f7a3c-1d4e-1f60-9a8b-0c1d2e3f4a5b', true, false],
    ['5b2f7a3c-1d4e-7f60-9a8b-0c1d2e3f4a5b', true, false],
    ['00000000-0000-0000-0000-000000000000', true, false],
    ['5b2f7a3c-1d4e-4f60-7a8b-0c1d2e3f4a5b', false, false],
    ['5b2f7a3c1d4e4f609a8b0c1d2e3f4a5b', false, false],
    ['5b2f7a3c-1d4e-4f60-9a8b-0c1d2e3f4a5', false, false],
    ['5b2f7a3c-1d4e-4f60-9a8b-0c1d2e3f4a5bb', false, false],
    ['{5b2f7a3c-1d4e-4f60-9a8b-0c1d2e3f4a5b}', false, false],
    [' 5b2f7a3c-1d4e-4f60-9a8b-0c1d2e3f4a5b', false, false],
    ['', false, false],
    [undefined, false, false],
  ])('%s: a UUID %p, a user id %p', (id, uuid, userId) => {
    expect([isUuid(id), isUserId(id)]).toEqual([uuid, userId]);
  });

  it(
    'takes every UUID of version 4',
    law(fc.uuid({ version: 4 }), (id) => {
      expect(isUserId(id)).toBe(true);
    }),
  );
});
