import * as fc from 'fast-check';
import { isLeft, right } from 'fp-ts/Either';
import * as t from 'io-ts';

import { decode } from '../../src/codecs/decode';
import { ActivationCodec } from '../../src/model/activation';
import { ProjectDefinition } from '../../src/model/project';
import { broken, secret } from '../model/support/broken';
import { law } from '../support/laws';

const messageOf = (codec: t.Mixed, input: unknown): string => {
  const decoded = decode(codec)(input);
  return isLeft(decoded) ? decoded.left.message : 'nothing wrong';
};

describe('decode', () => {
  it('gives what the codec gives', () => {
    expect(decode(t.number)(7)).toEqual(right(7));
  });

  it('tells a thousand faults at most', () => {
    const decoded = decode(t.array(t.string))(Array.from({ length: 2000 }, () => 0));
    expect(isLeft(decoded) && decoded.left.faults.length).toBe(1000);
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
    [
      'a field of an exact intersection',
      ActivationCodec,
      { id: '1', short_id: 's', sc: 7, tt: 'Never' },
      'tt: expected',
    ],
    ['a record', t.record(t.string, t.number), { a: 'x' }, 'a: expected number'],
  ])('names the place: %s', (_, codec, input, expected) => {
    expect(messageOf(codec, input)).toContain(expected);
  });

  it('names a value of a union by its own place', () => {
    const message = messageOf(t.type({ a: t.union([t.number, t.null]) }), { a: 'x' });
    expect(message).toMatch(/^a: expected/);
    expect(message).not.toContain('a/0');
  });

  const codecs: readonly t.Mixed[] = [ProjectDefinition, t.array(ActivationCodec)];

  it(
    'never says the value',
    law(broken, (input) => {
      for (const codec of codecs) expect(messageOf(codec, input)).not.toContain(secret);
    }),
  );

  it('refuses what cannot even be read', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(messageOf(ProjectDefinition, proxy)).toBe('(root): expected what can be read');
  });

  it(
    'never throws',
    law(fc.anything(), (input) => {
      for (const codec of codecs) expect(() => decode(codec)(input)).not.toThrow();
    }),
  );
});
