import * as fc from 'fast-check';

import { compilePred } from '../../../src/engine/index/predicate';
import { canon } from '../../../src/engine/language/canonical';
import type { CanonicalPred, EventExpr } from '../../../src/engine/language/canonicalLanguage';
import { emitKeys } from '../../../src/engine/language/extraction';
import type { Leaf, Pred } from '../../../src/engine/language/language';
import { h53 } from '../../../src/engine/language/murmur';
import { norm } from '../../../src/engine/language/text';
import { law } from '../../support/laws';
import { pred, properties } from '../support/language';
import { matches } from '../support/oracle';
import { event, start, t0 } from '../support/run';

const canonical = (where: Pred): CanonicalPred => (canon({ id: '1', q: { event: 'A', where } }).q as EventExpr).where!;
const test = (where: Pred, root: unknown): boolean => compilePred(canonical(where), 7)({ root, event: null });
const x = (op: Readonly<Record<string, unknown>>): Leaf => ({ p: 'x', ...op });

describe('a leaf', () => {
  // Columns: the value at x; undefined is no value.
  it.each<[string, Leaf, unknown, boolean]>([
    ['in: number as text', x({ in: [123] }), '123', true],
    ['in: text as number', x({ in: ['123'] }), 123, true],
    ['in: folded', x({ in: ['FinTech'] }), 'ＦＩＮtech', true],
    ['in: exact', x({ in: ['FinTech'], fold: 'exact' }), 'fintech', false],
    ['in: accents', x({ in: ['creme'], fold: 'accent' }), 'Crème', true],
    ['in: booleans are no text', x({ in: ['true'] }), true, false],
    ['in: NaN is no text', x({ in: ['nan'] }), NaN, false],
    ['in: two hits', x({ in: ['a', 'b', 'c'], min: 2 }), ['a', 'c'], true],
    ['in: the same twice is one hit', x({ in: ['a', 'b'], min: 2 }), ['a', 'A'], false],
    ['in: a number and its text are one operand', x({ in: [1, '1'], min: 2 }), [1, '1'], false],
    ['in: at most', x({ in: ['a', 'b'], max: 1 }), ['a', 'b'], false],
    ['in: no hit needed', x({ in: ['a'], min: 0 }), 'z', true],
    ['in: no hit needed, but a value', x({ in: ['a'], min: 0 }), undefined, false],
    ['nin: absent', x({ nin: ['a'] }), undefined, false],
    ['nin: other', x({ nin: ['a'] }), 'b', true],
    ['nin: one of them', x({ nin: ['a'] }), ['a', 'b'], false],
    ['nin: no text', x({ nin: ['a'] }), true, false],
    ['contains', x({ contains: ['tech'] }), 'FinTech', true],
    ['contains: the empty text', x({ contains: [''] }), 'a', true],
    ['contains: several hits', x({ contains: ['fin', 'tech', 'zz'], min: 2 }), 'FinTech', true],
    ['contains: hits over several values', x({ contains: ['fin', 'tech'], min: 2 }), ['fin', 'tech'], true],
    ['startsWith', x({ startsWith: ['fin'] }), 'FinTech', true],
    ['startsWith: not inside', x({ startsWith: ['tech'] }), 'FinTech', false],
    ['endsWith', x({ endsWith: ['tech'] }), 'FinTech', true],
    ['endsWith: not inside', x({ endsWith: ['fin'] }), 'FinTech', false],
    ['words: on word boundaries', x({ words: ['art'] }), 'the party', false],
    ['words: a phrase', x({ words: ['real estate'] }), 'Some Real, Estate!', true],
    ['words: not across values', x({ words: ['real estate'] }), ['real', 'estate'], false],
    ['words: apostrophes', x({ words: ['women’s golf'] }), "Women's golf", true],
    ['words: without words', x({ words: ['...'] }), '...', false],
    ['under: itself', x({ under: ['A/B'] }), 'a/b', true],
    ['under: below', x({ under: ['a/b'] }), 'A / B / C', true],
    ['under: a space before a slash', x({ under: ['a/b'] }), 'a /b', true],
    ['under: leading slash', x({ under: ['a/b'] }), '/a/b/c', true],
    ['under: on boundaries', x({ under: ['a/b'] }), 'a/bc', false],
    ['under: not above', x({ under: ['a/b'] }), 'a', false],
    ['urlPath', x({ urlPath: ['markets/stocks'] }), 'https://n.example/us/markets/stocks/x?y#z', true],
    ['urlPath: bare', x({ urlPath: ['markets/stocks'] }), '/us/markets/stocks', true],
    ['urlPath: on boundaries', x({ urlPath: ['markets/stocks'] }), '/markets-stocks', false],
    ['urlPath: not the query', x({ urlPath: ['stocks'] }), 'https://n.example/?p=/stocks', false],
    ['urlPath: not the host', x({ urlPath: ['n.example'] }), 'https://n.example/a', false],
    ['urlPath: no scheme', x({ urlPath: ['a'] }), '//n.example/a', true],
    ['domain: itself', x({ domain: ['a.example'] }), 'https://a.example/x', true],
    ['domain: below', x({ domain: ['a.example'] }), 'https://user@www.A.example:8080/x', true],
    ['domain: on boundaries', x({ domain: ['a.example'] }), 'https://ba.example', false],
    ['domain: bare', x({ domain: ['a.example'] }), 'www.a.example', true],
    ['domain: not the path', x({ domain: ['a.example'] }), 'https://b.example/a.example', false],
    ['domain: none', x({ domain: ['a.example'] }), '/a.example', false],
    ['gte', x({ gte: 2 }), 2, true],
    ['gte: numeric text', x({ gte: 2 }), '3', false],
    ['gte: infinite', x({ gte: 2 }), Infinity, false],
    ['gt', x({ gt: 2 }), 2, false],
    ['gt: one of several', x({ gt: 2 }), [1, 3], true],
    ['lte', x({ lte: 2 }), 2, true],
    ['lt', x({ lt: 2 }), 2, false],
    ['lt: absent', x({ lt: 2 }), undefined, false],
    ['between: both ends', x({ between: [1, 2] }), [2], true],
    ['between: outside', x({ between: [1, 2] }), 2.1, false],
    ['after: at it', x({ after: '2024-01-01T00:00:00Z' }), '2024-01-01T00:00:00Z', true],
    ['before: at it', x({ before: '2024-01-01T00:00:00Z' }), '2024-01-01T00:00:00Z', false],
    ['before: ms', x({ before: '2024-01-01T00:00:00Z' }), 1_704_067_199_999, true],
    ['after: no date', x({ after: '2024-01-01T00:00:00Z' }), 'tomorrow 2030', false],
    ['is', x({ is: true }), [false, true], true],
    ['is: text', x({ is: true }), 'true', false],
    ['exists', x({ exists: true }), 0, true],
    ['exists: null is nothing', x({ exists: true }), null, false],
    ['exists: empty list', x({ exists: false }), [], true],
    ['size: none', x({ size: { eq: 0 } }), undefined, true],
    ['size: flattened', x({ size: { eq: 3 } }), [1, [2, 3], null], true],
    [
      'any: same element',
      x({
        any: {
          and: [
            { p: 'a', in: ['y'] },
            { p: 'b', gte: 2 },
          ],
        },
      }),
      [
        { a: 'y', b: 1 },
        { a: 'z', b: 2 },
      ],
      false,
    ],
    ['any: enough', x({ any: { p: 'a', in: ['y'] }, min: 2 }), [{ a: 'y' }, { a: 'y' }], true],
    ['any: too many', x({ any: { p: 'a', in: ['y'] }, max: 1 }), [{ a: 'y' }, { a: 'y' }], false],
    ['any: no objects', x({ any: { p: 'a', exists: false } }), ['y'], false],
    ['any: none needed', x({ any: { p: 'a', in: ['y'] }, min: 0 }), [{ a: 'z' }], true],
    ['all', x({ all: { p: 'a', in: ['y'] } }), [{ a: 'y' }, 'text', { a: 'y' }], true],
    ['all: not one', x({ all: { p: 'a', in: ['y'] } }), [{ a: 'y' }, { a: 'z' }], false],
    ['all: of nothing', x({ all: { p: 'a', in: ['y'] } }), [], false],
    ['none', x({ none: { p: 'a', in: ['y'] } }), [{ a: 'z' }], true],
    ['none: one', x({ none: { p: 'a', in: ['y'] } }), [{ a: 'z' }, { a: 'y' }], false],
    ['none: of nothing', x({ none: { p: 'a', in: ['y'] } }), undefined, true],
  ])('%s', (_name, leaf, value, truth) => {
    const root = value === undefined ? {} : { x: value };
    expect(test(leaf, root)).toBe(truth);
    // The index must say the same.
    const engine = start([{ id: '1', q: { event: 'A', where: leaf } }]);
    engine.process([event('A', t0, root)], t0);
    expect(engine.members()).toEqual(truth ? ['1'] : []);
  });

  it.each<[string, unknown, unknown[]]>([
    ['a', { a: 1 }, [1]],
    ['a.b', { a: { b: 1 } }, [1]],
    ['a.b', { a: [{ b: 1 }, { b: [2, 3] }, 'text', null] }, [1, 2, 3]],
    ['a', [{ a: 1 }, { a: 2 }], [1, 2]],
    ['a.length', { a: 'text' }, []],
    ['length', [1, 2], []],
    ['toString', {}, []],
    ['constructor.name', {}, []],
    ['__proto__', { a: 1 }, []],
    ['__proto__.a', JSON.parse('{"__proto__": {"a": 1}}'), [1]],
    ['constructor', { constructor: 5 }, [5]],
    ['$name', { $name: 'own' }, ['own']],
  ])('reads %s', (p, root, values) => {
    for (const value of values) expect(test({ p, in: [value as string] }, root)).toBe(true);
    expect(test({ p, size: { eq: values.length } }, root)).toBe(true);
  });

  it('reads the event itself', () => {
    const happened = event('A', Date.UTC(2024, 0, 2, 15, 30));
    const is = (p: string, value: string | number): boolean =>
      compilePred(canonical({ p, in: [value] }), 0)({ root: {}, event: happened });
    expect([
      is('$name', 'a'),
      is('$time', happened.time),
      is('$day', 19_724),
      is('$hour', 15),
      is('$session_id', 's1'),
      is('$view_id', 'v1'),
    ]).toEqual(Array(6).fill(true));
  });
});

describe('predicates', () => {
  it(
    'mean what the plain interpreter says, and never throw',
    law(pred, properties, (where, root) => {
      expect(compilePred(canonical(where), 0)({ root, event: null })).toBe(matches(where, root, null));
    }),
  );

  it(
    'never throw, whatever the page tracks',
    law(pred, fc.object({ key: fc.constantFrom('kw', 'text', 'url', 'list', 'n', 'flag') }), (where, root) => {
      expect(() => test(where, root)).not.toThrow();
    }),
  );

  it(
    'hold for hashed operands as for plain ones',
    law(
      fc.constantFrom('in', 'words', 'under', 'urlPath', 'domain'),
      fc.array(fc.constantFrom('red', 'red blue', 'red/blue', 'art', 'red.example'), { minLength: 1, maxLength: 4 }),
      properties,
      fc.constantFrom(1, 2),
      (tag, operands, root, min) => {
        const p = { in: 'kw', words: 'text', under: 'tax', urlPath: 'url', domain: 'url' }[tag];
        const plain = { p, [tag]: operands, min } as unknown as Leaf;
        const hashed = {
          p,
          [tag]: [...new Set((canonical(plain) as unknown as Record<string, string[]>)[tag])].map((operand) =>
            h53(norm(operand), 7),
          ),
          hashed: true,
          grams: 3,
          min,
        } as unknown as Leaf;
        expect(test(hashed, root)).toBe(test(plain, root));
        const engine = start([{ id: '1', q: { event: 'A', where: hashed } }], {
          bundle: { v: 1, id: 'b', seed: 7, queries: [{ id: '1', q: { event: 'A', where: hashed } }] },
        });
        engine.process([event('A', t0, root)], t0);
        expect(engine.members()).toEqual(test(plain, root) ? ['1'] : []);
      },
    ),
  );

  it('meet no longer run of hashed words than their own leaf allows', () => {
    const phrase = h53('red blue', 0);
    const ask = (id: string, grams: number): { id: string; q: { event: string; where: Leaf } } => ({
      id,
      q: { event: 'A', where: { p: 'text', words: [phrase], hashed: true, grams } },
    });
    const engine = start([ask('1', 1), ask('2', 2)]);
    engine.process([event('A', t0, { text: 'red blue' })], t0);
    expect(engine.members()).toEqual(['2']);
  });

  it('take as keys every run of words', () => {
    const keys: string[] = [];
    emitKeys('words', 'a b c', 2, (key) => keys.push(key));
    expect(keys).toEqual(['a', 'a b', 'b', 'b c', 'c']);
  });
});
