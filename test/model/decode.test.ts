import * as fc from 'fast-check';
import { isLeft, isRight, right } from 'fp-ts/Either';
import * as t from 'io-ts';

import { QueuedCall } from '../../src/api/queuedCalls';
import { Activation } from '../../src/model/activation';
import { ConsentRecord } from '../../src/model/consent';
import { decode, DecodeError, decodeOr } from '../../src/model/decode';
import { EngineMessage } from '../../src/model/engineMessages';
import { Event } from '../../src/model/event';
import { PageProject } from '../../src/model/project';
import { UserId, Uuid } from '../../src/model/uuid';
import { QueuedEvent } from '../../src/sinks/delivery/appState';
import { law } from '../support/laws';

const messageOf = (codec: t.Mixed, input: unknown): string => {
  const decoded = decode(codec)(input);
  return isLeft(decoded) ? decoded.left.message : 'nothing wrong';
};

describe('decode', () => {
  it('gives what the codec gives', () => {
    expect(decode(t.number)(7)).toEqual(right(7));
  });

  it.each<readonly [string, t.Mixed, unknown, string]>([
    ['the root', t.number, 'x', '(root): expected number'],
    ['a field', t.type({ a: t.number }), { a: 'x' }, 'a: expected number'],
    ['a missing field', t.type({ a: t.number }), {}, 'a: expected number'],
    [
      'a deep field',
      t.type({ a: t.array(t.type({ b: t.string })) }),
      { a: [{ b: '' }, { b: 1 }] },
      'a/1/b: expected string',
    ],
    ['two fields', t.type({ a: t.number, b: t.string }), {}, 'a: expected number; b: expected string'],
    [
      'a field of an intersection',
      t.type({ a: t.intersection([t.type({ b: t.number }), t.partial({ c: t.string })]) }),
      { a: { b: 1, c: 2 } },
      'a/c: expected string',
    ],
    ['a field of an exact intersection', Activation, { id: '1', short_id: 's', sc: 7, tt: 'Never' }, 'tt: expected'],
    ['a record', t.record(t.string, t.number), { a: 'x' }, 'a: expected number'],
  ])('names the place: %s', (_, codec, input, expected) => {
    expect(messageOf(codec, input)).toContain(expected);
  });

  it('names a value of a union by its own place', () => {
    const message = messageOf(t.type({ a: t.union([t.number, t.null]) }), { a: 'x' });
    expect(message).toMatch(/^a: expected/);
    expect(message).not.toContain('a/0');
  });

  const codecs: readonly t.Mixed[] = [
    Event,
    QueuedEvent,
    ConsentRecord,
    PageProject,
    EngineMessage,
    QueuedCall,
    UserId,
    Uuid,
    t.array(Activation),
  ];
  const secret = 'reader@site.example';
  // The secret in every place that a value can have, under names that codecs know.
  const names = fc.constantFrom(
    'id',
    'name',
    'time',
    'properties',
    'type',
    'event',
    'opt_in',
    'token',
    'queries',
    'config',
    'functionName',
    'arguments',
    'sc',
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constant(secret),
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(names, tie('value'), { maxKeys: 4 }),
    ),
  }));

  it(
    'never says the value',
    law(value, (input) => {
      for (const codec of codecs) expect(messageOf(codec, input)).not.toContain(secret);
    }),
  );

  it('refuses what cannot even be read', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(messageOf(Event, proxy)).toBe('(root): expected what can be read');
  });

  it(
    'never throws',
    law(fc.anything(), (input) => {
      for (const codec of codecs) expect(() => decode(codec)(input)).not.toThrow();
    }),
  );
});

describe('decodeOr', () => {
  it('gives the value, or else the fallback after saying why', () => {
    const onError = jest.fn();
    expect(decodeOr(t.number, 7, 0, onError)).toBe(7);
    expect(onError).not.toHaveBeenCalled();
    expect(decodeOr(t.number, 'x', 0, onError)).toBe(0);
    expect(onError.mock.calls).toEqual([[new DecodeError([{ path: '', expected: 'number' }])]]);
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
    expect([isRight(decode(Uuid)(id)), isRight(decode(UserId)(id))]).toEqual([uuid, userId]);
  });

  it(
    'takes every UUID of version 4',
    law(fc.uuid({ version: 4 }), (id) => {
      expect(UserId.is(id)).toBe(true);
    }),
  );
});
