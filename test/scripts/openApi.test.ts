import fc from 'fast-check';
import * as t from 'io-ts';

import { schemaOf } from '../../project/schema/ioTsSchema';
import { AdvertiserAnswer, EventResults, IdentifyBody, IdentifyResult, openApi } from '../../scripts/openApi';
import { DecodeError, type Reader } from '../../src/codecs/codecs';
import { advertiserSegment } from '../../src/endpoints/advertiserSegment';
import { batchTexts } from '../../src/endpoints/batchTexts';
import { identify } from '../../src/endpoints/identify';
import { lawOf } from '../support/laws';

describe('schemaOf', () => {
  it.each<[t.Mixed, object]>([
    [t.array(t.string), { type: 'array', items: { type: 'string' } }],
    [t.record(t.string, t.number), { type: 'object', additionalProperties: { type: 'number' } }],
    [t.union([t.null, t.literal(true)]), { anyOf: [{ type: 'null' }, { const: true }] }],
    [t.keyof({ a: null, b: null }), { enum: ['a', 'b'] }],
    [
      t.strict({ a: t.boolean, b: t.unknown }),
      { type: 'object', properties: { a: { type: 'boolean' }, b: {} }, required: ['a'] },
    ],
    [t.partial({ a: t.UnknownRecord }), { type: 'object', properties: { a: { type: 'object' } } }],
    [t.refinement(t.number, Number.isInteger, 'integer'), { type: 'number', description: 'integer' }],
    [
      t.intersection([t.type({ a: t.string }), t.partial({ b: t.string })]),
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
          { type: 'object', properties: { b: { type: 'string' } } },
        ],
      },
    ],
  ])('describes %p', (type, schema) => {
    expect(schemaOf(type)).toEqual(schema);
  });

  it('refuses what it cannot describe', () => {
    const own = new t.Type<string>('own text', t.string.is, t.string.validate, String);
    expect(() => schemaOf(t.type({ a: own }))).toThrow('own text has no schema');
  });
});

describe('the collector’s description', () => {
  /** Values that are nearly right: any JSON, and the right form with any JSON in one place. */
  const near = (right: (field: fc.Arbitrary<unknown>) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
    fc.oneof(fc.jsonValue(), right(fc.oneof(fc.string(), fc.integer(), fc.jsonValue())));
  it.each<[string, t.Mixed, Reader<unknown> | undefined, fc.Arbitrary<unknown>]>([
    ['results', EventResults, batchTexts.answer, near((any) => fc.array(fc.record({ code: any, body: any })))],
    [
      'identify',
      IdentifyBody,
      identify.body?.read,
      near((any) =>
        fc.record({
          user_id: any,
          aliases: fc.array(fc.record({ tag: any, id: any, priority: any }), { maxLength: 2 }),
        }),
      ),
    ],
    ['the visitor', IdentifyResult, identify.answer, near((any) => fc.record({ user_id: any }))],
  ])('accepts what the SDK accepts: %s', (_, type, read, value) => {
    lawOf(100)(value, (input) => type.is(input) === !(read?.(input) instanceof DecodeError))();
  });

  it('accepts what the SDK accepts: the cohorts of advertisers, but for groups that do not fit together', () => {
    const answer = near((any) => {
      const cohort = fc.record({ code: any, groups: fc.array(any, { maxLength: 2 }) });
      const groups = fc.record({ types: fc.array(any, { maxLength: 2 }), counts: fc.array(any, { maxLength: 2 }) });
      return fc.record({ c: fc.record({ cohorts: fc.array(cohort, { maxLength: 2 }), groups }), ctx: any });
    });
    const withGroup = (group: unknown): unknown => ({
      c: { cohorts: [{ code: 'a', groups: [group] }], groups: { types: ['budget'], counts: [1] } },
      ctx: null,
    });
    const isToldApart = (input: unknown): void => {
      const read = advertiserSegment.answer(input);
      const isAccepted = !(read instanceof DecodeError) || read.message.includes('Non matching');
      expect(AdvertiserAnswer.is(input)).toBe(isAccepted);
    };
    [0, 1, 0.5, '0'].map(withGroup).forEach(isToldApart);
    lawOf(100)(answer, isToldApart)();
  });

  it('has the call that loses no event', () => {
    const { paths } = openApi() as { readonly paths: Record<string, { readonly post?: unknown }> };
    expect(paths['/v2.0/batch/events']?.post).toMatchObject({
      requestBody: { content: { 'text/plain': { schema: { type: 'array', maxItems: 100 } } } },
      parameters: [{ name: 'enrich' }, { name: 'sdkp' }, { name: 'k', required: true }],
      responses: { 503: { headers: { 'Retry-After': { schema: { type: 'integer' } } } } },
    });
  });
});
