import * as fc from 'fast-check';

import { DecodeError, readAs } from '../../../src/codecs/codecs';
import { canon } from '../../../src/engine/language/canonical';
import type { CanonicalQuery } from '../../../src/engine/language/canonicalLanguage';
import { bundleChecksumOf, checksumOf } from '../../../src/engine/language/checksums';
import type { Definition, Expr } from '../../../src/engine/language/language';
import { DefinitionCodec } from '../../../src/engine/language/languageCodec';
import { h32, h53 } from '../../../src/engine/language/murmur';
import { foldText, norm } from '../../../src/engine/language/text';
import { cpuMs } from '../../support/cpuTime';
import { law } from '../../support/laws';
import { queries } from '../support/language';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const checksum = (definition: Definition): string => checksumOf(canon(definition));

/** Writes the same query in another way: keys, children and operands in another order, with sugar, doubled. */
const rewrite = (json: Json, flip: () => boolean): Json => {
  if (Array.isArray(json)) return (json as readonly Json[]).map((child) => rewrite(child, flip));
  if (typeof json !== 'object' || json === null) return json;
  const node: Record<string, Json> = Object.fromEntries(
    Object.entries(json as Record<string, Json>).map(([key, value]) => [key, rewrite(value, flip)] as const),
  );
  const reversed = (list: Json | undefined): Json[] => [...((list ?? []) as readonly Json[])].reverse();
  for (const key of ['and', 'or', 'match']) if (key in node && flip()) node[key] = reversed(node[key]);
  for (const key of ['in', 'nin', 'words', 'under', 'contains', 'urlPath', 'domain'])
    if (key in node && flip())
      node[key] = [...reversed(node[key]), ...reversed(node[key])].map((operand) =>
        typeof operand === 'string' ? operand.toUpperCase() : operand,
      );
  const operands = node['in'] as readonly Json[] | undefined;
  if (operands?.length === 1 && flip()) {
    node['eq'] = operands[0]!;
    delete node['in'];
  }
  if (node['within'] === 1000 && flip()) node['within'] = { seconds: 1 };
  if (typeof node['event'] === 'string' && flip()) node['event'] = [node['event'], node['event']];
  if ('event' in node && 'within' in node && node['buckets'] === undefined && flip()) node['buckets'] = 100;
  if ('p' in node && 'words' in node && node['min'] === undefined && flip())
    Object.assign(node, { min: 1, hashed: false, fold: 'case' });
  if ('p' in node && flip()) return { and: [node] };
  return flip() ? Object.fromEntries(Object.entries(node).reverse()) : node;
};

describe('the canonical form', () => {
  it(
    'E7 has one checksum for all ways to write a query',
    law(queries(), fc.infiniteStream(fc.boolean()), ([definition], flips) => {
      const flip = (): boolean => flips.next().value === true;
      const other = rewrite(JSON.parse(JSON.stringify(definition)) as Json, flip) as unknown as Definition;
      expect(canon(other)).toEqual(canon(definition!));
      expect(checksum({ ...other, name: 'another', tags: ['x'] })).toBe(checksum(definition!));
    }),
  );

  it(
    'E7 is its own canonical form, and a valid definition',
    law(queries(), (definitions) => {
      for (const definition of definitions) {
        expect(DefinitionCodec(definition)).toEqual([]);
        const again = { id: definition.id, ...(canon(definition) as Pick<Definition, 'q' | 'sub'>) };
        expect(DefinitionCodec(again)).toEqual([]);
        expect(canon(again)).toEqual(canon(definition));
        expect(JSON.stringify(canon(again))).toBe(JSON.stringify(canon(definition)));
        expect(canon({ ...again, canonical: true })).toEqual(canon(definition));
      }
    }),
  );

  it.each<[string, Expr, Expr]>([
    ['threshold', { event: 'A', is: { gte: 2 } }, { event: 'A', is: { gte: 3 } }],
    ['window', { event: 'A', within: 1000 }, { event: 'A', within: 2000 }],
    ['number of buckets', { event: 'A', within: 1000 }, { event: 'A', within: 1000, buckets: 10 }],
    ['order of steps', { sequence: [{ event: 'A' }, { event: 'B' }] }, { sequence: [{ event: 'B' }, { event: 'A' }] }],
    ['operand', { event: 'A', where: { p: 'x', in: ['a'] } }, { event: 'A', where: { p: 'x', in: ['b'] } }],
    [
      'hits',
      { event: 'A', where: { p: 'x', in: ['a', 'b'] } },
      { event: 'A', where: { p: 'x', in: ['a', 'b'], min: 2 } },
    ],
    [
      'folding',
      { event: 'A', where: { p: 'x', in: ['a'] } },
      { event: 'A', where: { p: 'x', in: ['a'], fold: 'accent' } },
    ],
    ['lookup', { thirdParty: { provider: 'a', in: [1] } }, { secondParty: { provider: 'a', in: [1] } }],
  ])('tells another %s', (_what, a, b) => {
    expect(checksum({ id: '1', q: a })).not.toBe(checksum({ id: '1', q: b }));
  });

  it('names a bundle by its queries, whatever their order', () => {
    expect(
      bundleChecksumOf([
        ['1', 'a'],
        ['2', 'b'],
      ]),
    ).toBe(
      bundleChecksumOf([
        ['2', 'b'],
        ['1', 'a'],
      ]),
    );
    expect(
      bundleChecksumOf([
        ['1', 'a'],
        ['2', 'b'],
      ]),
    ).toBe(h53('1:a,2:b', 0).toString(36));
    expect(bundleChecksumOf([['1', 'a']])).not.toBe(bundleChecksumOf([['1', 'b']]));
  });

  it('writes sugar, durations and defaults out', () => {
    const q: Expr = {
      and: [
        { event: 'B', where: { and: [{ p: 'x', eq: 'Ä  b' }] }, within: { hours: 2 } },
        { match: [{ thirdParty: { provider: 'P', in: ['B', '10', 'a', 10, 9, '9'], hashed: false } }] },
        { sequence: [{ event: ['B', 'A', 'B'] }, { event: 'C' }], span: { minutes: 1 } },
        { last: { event: 'L' }, is: { p: 'x', neq: 1 }, within: { weeks: 1 } },
      ],
    };
    expect(canon({ id: '1', q })).toEqual<CanonicalQuery>({
      q: {
        and: [
          { buckets: 100, event: ['B'], is: { gte: 1 }, where: { in: ['ä b'], p: 'x' }, within: 7_200_000 },
          { is: { gte: 1 }, sequence: [{ event: ['A', 'B'] }, { event: ['C'] }], span: 60_000 },
          { is: { nin: [1], p: 'x' }, last: { event: ['L'] }, within: 604_800_000 },
          { match: [{ thirdParty: { in: [9, 10, 'a', 'b'], min: 1, provider: 'P' } }], min: 1 },
        ],
      },
      sub: [],
    });
  });
});

describe('decoding', () => {
  const faultsOf = (q: unknown): string => {
    const result = readAs(DefinitionCodec, { id: '1', q });
    return result instanceof Error ? result.message : 'none';
  };
  const deep = (where: unknown): unknown => ({ event: 'A', where });

  it.each([
    [{ and: [] }, 'q/and: expected a list of 1 to 500'],
    [{ evnt: 'A' }, expect.stringContaining('q: expected a query node with exactly one of const')],
    [{ event: 'A', cohort: 'B' }, expect.stringContaining('q: expected a query node with exactly one of')],
    [
      { event: 'A', wihtin: 5 },
      'q: expected a query node with only event, is, within, buckets, where, sum, distinct, remote',
    ],
    [{ event: 'A', sum: 'x', distinct: 'y' }, 'q: expected either sum or distinct'],
    [{ event: 'A', distinct: 'y', within: 'session' }, 'q: expected a duration as the window of distinct'],
    [
      { event: 'A', is: { gte: 1, lte: 2 } },
      expect.stringContaining('q/is: expected a comparison with exactly one of'),
    ],
    [{ event: 'A', is: { gte: 'x' } }, 'q/is/gte: expected a finite number'],
    [{ event: 'A', within: { days: 401 } }, 'q/within/days: expected a duration of at most 400 days'],
    [{ event: 'A', within: 0 }, 'q/within: expected a duration of at most 400 days'],
    [{ event: 'A', within: 'week' }, 'q/within: expected one of session, view'],
    [{ entered: '1', within: 'session' }, expect.stringContaining('q/within: expected a duration')],
    [{ event: 'A', buckets: 1001 }, 'q/buckets: expected an integer from 1 to 1000'],
    [{ sequence: [{ event: 'A' }] }, 'q/sequence: expected a list of 2 to 8'],
    [{ sequence: [{ event: 'A' }, { evnt: 'A' }] }, expect.stringContaining('q/sequence/1: expected a step')],
    [
      { lookup: 'moon', where: { p: 'x', exists: true } },
      'q/lookup: expected one of geo, client, user, classification',
    ],
    [{ lookalike: { model: 'm', gte: 2 } }, 'q/lookalike/gte: expected a number from 0 to 1'],
    [{ not: { sub: 1.5 } }, 'q/not/sub: expected an integer'],
    [deep({ p: 'x' }), expect.stringContaining('q/where: expected a predicate with exactly one of')],
    [deep({ p: 'x', in: [] }), 'q/where/in: expected a list of 1 to 20000'],
    [deep({ p: 'x', in: [null] }), 'q/where/in/0: expected a string or a finite number'],
    [deep({ p: 'x', in: ['a'], hashed: true }), 'q/where: expected integers as hashed operands'],
    [
      { thirdParty: { provider: 'P', in: [5, 'text'], hashed: true } },
      'q/thirdParty: expected integers as hashed operands',
    ],
    [
      deep({ p: 'x', contains: ['a'], hashed: true }),
      expect.stringContaining('q/where: expected a predicate with only'),
    ],
    [deep({ p: 'x', after: 'yesterday' }), 'q/where/after: expected an ISO date'],
    [
      deep({
        or: [
          { p: 'x', gte: 1 },
          { p: 'x', gte: NaN },
          { p: '', is: true },
        ],
      }),
      'q/where/or/1/gte: expected a finite number; q/where/or/2/p: expected a string that is not empty',
    ],
    [{ event: 'A', where: deep('x') }, expect.stringContaining('q/where: expected a predicate')],
    [null, 'q: expected a query node (an object)'],
  ])('%j', (q, message) => {
    expect(faultsOf(q)).toEqual(message);
  });

  it(
    'never throws, and takes no time, whatever it is given',
    law(fc.anything({ maxDepth: 4 }), (q) => {
      expect(() => faultsOf(q)).not.toThrow();
    }),
  );

  it.each([null, 5, 'x', [], { q: { const: true } }, { id: '1' }, { id: '', q: { const: true } }])(
    'refuses %j as a definition',
    (definition) => {
      expect(readAs(DefinitionCodec, definition)).toBeInstanceOf(DecodeError);
    },
  );
});

describe('text', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({
      unit: fc.constantFrom('H', '̱', 'İ', 'ß', 'Σ', 'ﬁ', '　', ' ', '\n', 'é', 'e', '́', 'Ａ', '\ud800', 'a'),
    }),
  );

  it(
    'is normal once it is normalised',
    law(text, (each) => {
      expect(norm(norm(each))).toBe(norm(each));
      for (const fold of ['case', 'accent', 'exact'] as const)
        expect(foldText(foldText(each, fold), fold)).toBe(foldText(each, fold));
    }),
  );

  it('is folded in time that grows with its length only, whatever marks it has', () => {
    const marked = `a${'\u0301\u0323'.repeat(23_000)}`;
    for (const fold of ['case', 'accent', 'exact'] as const)
      expect(cpuMs(() => foldText(marked, fold))).toBeLessThan(300);
  });

  it('is folded as far as asked', () => {
    expect(foldText('  Crème  BRÛLÉE', 'case')).toBe('crème brûlée');
    expect(foldText('  Crème  BRÛLÉE', 'accent')).toBe('creme brulee');
    expect(foldText('Ｃrème  B', 'exact')).toBe('Crème  B');
  });

  it(
    'hashes exactly, for any text and length',
    law(text, fc.nat(2 ** 31), (each, seed) => {
      const hash = h53(each, seed);
      expect(Number.isSafeInteger(hash) && hash >= 0).toBe(true);
      expect(hash % 2 ** 32).toBe(h32(each, seed));
      expect(
        h53(each.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd'), seed),
      ).toBe(hash);
    }),
  );
});
