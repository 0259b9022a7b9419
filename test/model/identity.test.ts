import * as fc from 'fast-check';

import { customerIdentities as readCopy } from '../../src/api/customerIdentities';
import { jsonValue } from '../../src/hardening/jsonValue';
import { json } from '../../src/hardening/plainJson';
import {
  decodeIdentities,
  distinctIdentities,
  encodeIdentities,
  type GivenIdentity,
  type Identities,
  isDue,
  isKnown,
  withIdentities,
} from '../../src/model/identity';
import { thirdPartyIdentities } from '../../src/streams/visitor/thirdPartyIdentities';
import { noon } from '../support/events';
import { law } from '../support/laws';

const refusal = 'Identify must be passed a non-empty string or list of { tag, id, priority? } tuples.';
const badHash =
  'Identify called with unsupported format of email_sha256 ID. The support format is hex-encoded 64 character long lowercase string.';
const day = 86_400_000;

const throwing = {
  get tag(): string {
    throw new Error('of the page');
  },
  id: '1',
};
const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({ tag: 'a', id: '1' }, {});
  revoke();
  return proxy;
};
const cyclic = (): object => {
  const list: unknown[] = [];
  list.push(list);
  return list;
};

/** Read as `permutive.identify` reads it: from a copy. */
const customerIdentities = (input: unknown) => readCopy(jsonValue(input, () => undefined));

/** Why nothing of it counts; undefined where something does. */
const faultOf = (input: unknown): string | undefined => {
  const { given, faults } = customerIdentities(input);
  return given.length === 0 ? faults.join('; ') : undefined;
};
const given = (input: unknown): readonly GivenIdentity[] => {
  const { given, faults } = customerIdentities(input);
  expect(faults).toEqual([]);
  return given;
};
const tagsOf = (list: readonly GivenIdentity[]): readonly string[] => list.map(({ tag }) => tag);
const none: Identities = new Map();
const one = (changes: Partial<GivenIdentity> = {}): GivenIdentity => ({
  tag: 'publisher_id',
  id: 'reader',
  priority: 0,
  ...changes,
});

describe('what a page gives identify', () => {
  it('is a string for the default tag, or a list', () => {
    expect(given('reader')).toEqual([{ tag: 'default', id: 'reader', priority: 0 }]);
    expect(given([{ tag: 'a', id: '1', priority: 7, expiry: 9, more: true }])).toMatchObject([
      { tag: 'a', id: '1', priority: 7, expiry: 9 },
    ]);
  });

  it('has its priority from its place, but for the built-in tags', () => {
    const list = ['a', 'b', 'default', 'appnexus', 'pxid', 'toString'].map((tag) => ({ tag, id: '1' }));
    expect(given(list).map(({ priority }) => priority)).toEqual([0, 1, 0, 1, 1, 5]);
    expect(given([{ tag: 'default', id: '1', priority: 4 }])).toMatchObject([{ priority: 4 }]);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['an empty string', ''],
    ['an empty list', []],
    ['a number', 7],
    ['a single object', { tag: 'a', id: '1', priority: 0 }],
    ['a list of strings', ['a']],
    ['a list with a hole alone', [undefined]],
    ['a numeric id', [{ tag: 'a', id: 1 }]],
    ['no id', [{ tag: 'a' }]],
    ['no tag', [{ id: '1' }]],
    ['a list in a list', [[{ tag: 'a', id: '1' }]]],
    ['a throwing getter', [throwing]],
    ['a revoked proxy', [revoked()]],
    ['a cycle', cyclic()],
    ['a function', () => 'reader'],
    ['a symbol', Symbol('reader')],
    ['arguments that are no list', { 0: { tag: 'a', id: '1' }, length: 1 }],
    ['a map', new Map([['a', '1']])],
  ])('is refused when it is %s', (_, input) => {
    expect(faultOf(input)).toBe(refusal);
  });

  const hash = 'a0'.repeat(32);
  it.each([
    hash.toUpperCase(),
    hash.slice(1),
    `${hash}0`,
    `g${hash.slice(1)}`,
    '',
    'reader@example.com',
    ` ${hash}`,
    `${hash}\n`,
  ])('is refused when email_sha256 is %p', (id) => {
    expect(faultOf([{ tag: 'email_sha256', id }])).toBe(badHash);
  });
  it('takes email_sha256 as 64 lowercase hex characters', () => {
    expect(given([{ tag: 'email_sha256', id: hash }])).toHaveLength(1);
  });

  it.each(['default', 'Email', 'email_address', 'E-Mail', 'publisher_id'])(
    'is refused where an email address would be stored and sent in clear: %s',
    (tag) => {
      const reason = expect.stringMatching(/^Identify called with unsupported format of ID\. .*email_sha256/) as string;
      expect(faultOf([{ tag, id: 'd@x.example' }])).toEqual(reason);
      expect(faultOf('d@x.example')).toEqual(reason);
    },
  );
  it.each(['reader%40site.example', 'reader＠site.example'])('may not have one in another spelling: %s', (id) => {
    expect(customerIdentities(id).given).toEqual([]);
  });

  it('may have an address under the tag for addresses', () => {
    expect(given([{ tag: 'email', id: 'd@x.example' }])).toHaveLength(1);
  });
  it.each(['Email-SHA256', 'emailSha256'])('is refused when %s is no hash', (tag) => {
    expect(faultOf([{ tag, id: 'reader' }])).toBe(badHash);
  });
  it.each(['Email', 'EMAIL_MD5', 'emailMd5', 'email-address', 'IP_Address', 'Public'])(
    'is never stored as %s',
    (tag) => {
      expect(encodeIdentities(new Map([[tag, { ...one({ tag }), expiry: noon + 1 }]]), noon)).toEqual({});
    },
  );

  it('counts but for its broken entries, each reason being told once and without a value', () => {
    const hash = 'a0'.repeat(32);
    const { given, faults } = customerIdentities([
      { tag: 'broken', id: 'reader@site.example' },
      undefined,
      { tag: 'first', id: '1' },
      'text',
      { tag: 'email_sha256', id: 'short' },
      { tag: 'second', id: '2', priority: '0' },
      { tag: 'email_sha256', id: hash },
    ]);
    expect(given.map(({ tag, id, priority }) => [tag, id, priority])).toEqual([
      ['first', '1', 2],
      ['email_sha256', hash, 6],
    ]);
    expect(faults).toHaveLength(4);
    expect(faults.slice(1)).toEqual([refusal, badHash, '5/priority: expected number']);
    expect(faults.join()).not.toMatch(/reader@|short/);
  });

  it('is refused with all faults, by path and type and never by value', () => {
    const list = [
      { tag: 'a', id: '1', priority: 'secret' },
      { tag: 'b', id: '2', expiry: '2030' },
      { tag: 'c', id: '3', priority: NaN },
    ];
    expect(faultOf(list)).toBe('0/priority: expected number; 1/expiry: expected number; 2/priority: expected number');
  });

  it(
    'never throws',
    law(fc.anything({ withBigInt: true, withNullPrototype: true, withMap: true, withDate: true }), (input) => {
      expect(() => customerIdentities(input)).not.toThrow();
    }),
  );
});

describe('distinct identities', () => {
  it('are one a tag, the one of the highest priority, in order of priority', () => {
    const list = [
      one({ priority: 3, id: 'late' }),
      one({ tag: 'b', priority: 2 }),
      one({ priority: 1, id: 'first' }),
      one({ priority: 1, id: 'second' }),
    ];
    expect(distinctIdentities(list, noon)).toEqual([one({ priority: 1, id: 'first' }), one({ tag: 'b', priority: 2 })]);
  });

  it.each(['', '0', '-1'])('leave out %p, which is nobody’s id', (id) => {
    expect(distinctIdentities([one({ id }), one({ tag: 'b' })], noon)).toEqual([one({ tag: 'b' })]);
  });

  it('leave out an id of more than 4,096 characters', () => {
    const long = one({ id: 'i'.repeat(4096) });
    expect(distinctIdentities([long, one({ tag: 'b', id: `${long.id}i` })], noon)).toEqual([long]);
  });

  it('leave out what has expired: now at or past expiry', () => {
    expect(
      tagsOf(
        distinctIdentities(
          [one({ expiry: noon }), one({ tag: 'past', expiry: noon - 1 }), one({ tag: 'later', expiry: noon + 1 })],
          noon,
        ),
      ),
    ).toEqual(['later']);
  });

  it('of a huge list are found without comparing each with each', () => {
    const list = Array.from({ length: 100_000 }, (_, i) => one({ tag: `t${i % 50_000}`, priority: i }));
    expect(distinctIdentities(list, noon)).toHaveLength(50_000);
  });

  const identity = fc.record({
    tag: fc.constantFrom('a', 'b', 'c'),
    id: fc.constantFrom('1', '2', '0'),
    priority: fc.nat(50),
  });
  it(
    'do not depend on the order of different priorities',
    law(fc.uniqueArray(identity, { selector: ({ priority }) => priority }), (list) => {
      expect(distinctIdentities([...list].reverse(), noon)).toEqual(distinctIdentities(list, noon));
    }),
  );
});

describe('a known identity', () => {
  const known = withIdentities(none, [one()], noon);

  it('lasts for a day, or until its expiry', () => {
    expect(known.get('publisher_id')).toEqual({ ...one(), expiry: noon + day });
    expect(withIdentities(none, [one({ expiry: noon + 5 })], noon).get('publisher_id')?.expiry).toBe(noon + 5);
  });

  it.each([
    [day - 1, false],
    [day, true],
    [day + 1, true],
  ])('after %i ms is due: %p', (ms, due) => {
    expect(isDue(known.get('publisher_id'), noon + ms)).toBe(due);
    expect(isKnown(one(), known, noon + ms)).toBe(!due);
  });

  it('is due when absent', () => {
    expect(isDue(undefined, noon)).toBe(true);
  });

  it.each([
    ['another id', { id: 'other' }, false],
    ['another priority', { priority: 1 }, false],
    ['another tag', { tag: 'other' }, false],
    ['another expiry', { expiry: noon + 7 }, false],
    ['the same expiry', { expiry: noon + day }, true],
    ['nothing else', {}, true],
  ])('with %s: is known %p', (_, changes, expected) => {
    expect(isKnown(one(changes), known, noon)).toBe(expected);
  });
});

describe('the stored identities', () => {
  it('are by tag, without what is read as the person, and without what has expired', () => {
    const tags = ['a', 'email', 'email_md5', 'public', 'ip_address', 'email_sha256', '__proto__'];
    const all = withIdentities(none, [...tags.map((tag) => one({ tag })), one({ tag: 'old', expiry: noon + 1 })], noon);
    const entry = { id: 'reader', expiry: noon + day, priority: 0 };
    const text = json.stringify(encodeIdentities(all, noon + 1));
    expect(text).toBe(
      JSON.stringify(Object.fromEntries(['a', 'email_sha256', '__proto__'].map((tag) => [tag, entry]))),
    );
    expect([...decodeIdentities(json.parse(text), () => undefined).values()]).toEqual(
      ['a', 'email_sha256', '__proto__'].map((tag) => ({ tag, ...entry })),
    );
  });

  it('that make no sense are told and left out, their neighbours stay', () => {
    const faults: string[] = [];
    const read = decodeIdentities(
      { a: { id: 7, expiry: 1, priority: 0 }, b: { id: '1', expiry: 1, priority: 0 } },
      ({ message }) => faults.push(message),
    );
    expect([[...read.keys()], faults]).toEqual([
      ['b'],
      ['identities/a: id: expected an id of 4096 characters at most'],
    ]);
  });

  it('that are too long are told and left out', () => {
    const faults: string[] = [];
    const entry = (length: number) => ({ id: 'i'.repeat(length), expiry: 1, priority: 0 });
    const read = decodeIdentities({ a: entry(4096), b: entry(4097) }, ({ message }) => faults.push(message));
    expect([[...read.keys()], faults]).toEqual([
      ['a'],
      ['identities/b: id: expected an id of 4096 characters at most'],
    ]);
  });

  it.each([
    [undefined, 0],
    [null, 0],
    [7, 1],
    ['text', 1],
    [[], 1],
  ])('are none where %p is stored: %p faults', (stored, count) => {
    const onFault = jest.fn();
    expect(decodeIdentities(stored, onFault).size).toBe(0);
    expect(onFault).toHaveBeenCalledTimes(count);
  });
});

describe('third-party identities', () => {
  it('come after the customer’s: built-in tags at 1, then what the page knows, then vendors', () => {
    const known = withIdentities(
      none,
      [one({ priority: 4 }), one({ tag: 'b', priority: 9 }), one({ tag: 'tradedesk', priority: 50 })],
      noon,
    );
    const found = [
      ['appnexus', '1'],
      ['pxid', '2'],
      ['sailthru', '3'],
      ['tradedesk', '4'],
    ] as const;
    expect(thirdPartyIdentities(found, known).map(({ priority }) => priority)).toEqual([1, 1, 11, 12]);
    expect(thirdPartyIdentities(found, none).map(({ priority }) => priority)).toEqual([1, 1, 2, 3]);
  });

  it('keeps the priority of a provider of the project at each renewal', () => {
    const renewed = (times: number, known = withIdentities(none, [one({ priority: 4 })], noon)): number => {
      const [found] = thirdPartyIdentities([['id5id', 'x']], known, ['id5id']);
      return times === 0 ? found!.priority : renewed(times - 1, withIdentities(known, [found!], noon));
    };
    expect([0, 1, 2, 3].map((times) => renewed(times))).toEqual([7, 7, 7, 7]);
  });
});
