import Ajv from 'ajv';
import * as fc from 'fast-check';

import { checkProject } from '../../../project/checkProject';
import { optionFaults } from '../../../project/readOptions';
import type { Schema } from '../../../project/schema/ioTsSchema';
import { projectSchema } from '../../../project/schema/projectSchema';
import { addonList } from '../../../src/addons/addonList';
import { DefinitionCodec } from '../../../src/engine/language/languageCodec';
import { queries } from '../../engine/support/language';
import { anyDefinition } from '../../studio/support/definitions';
import { casesOf, lawOf } from '../../support/laws';
import { projectDefinition } from '../../support/project';

const schema = projectSchema();
interface Offered {
  readonly enum: readonly string[];
  readonly enumDescriptions: readonly string[];
  readonly errorMessage: string;
}
interface Offer {
  readonly properties?: Readonly<Record<string, Schema>>;
}
const ajv = new Ajv({ strict: false, allErrors: false });
const isProject = ajv.compile(schema);
const isDefinition = ajv.compile({
  ...schema,
  type: 'object',
  properties: {},
  required: [],
  allOf: [{ $ref: '#/definitions/definition' }],
});
const decodes = (definition: unknown): boolean => DefinitionCodec(definition).length === 0;

/** Each place of a value. */
const placesIn = (
  value: unknown,
  path: readonly (string | number)[] = [],
): readonly (readonly (string | number)[])[] =>
  typeof value === 'object' && value !== null
    ? [path, ...Object.entries(value).flatMap(([key, child]) => placesIn(child, [...path, key]))]
    : [path];
const valueAt = (value: unknown, place: readonly (string | number)[]): unknown =>
  place.reduce((at, name) => (at as Readonly<Record<string | number, unknown>>)[name], value);
const changed = (
  value: unknown,
  [name, ...rest]: readonly (string | number)[],
  change: (old: unknown) => unknown,
): unknown => {
  if (name === undefined) return change(value);
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string, unknown>;
  copy[name] = changed(copy[name], rest, change);
  return copy;
};
/** Values and keys that are wrong nearly everywhere, and right somewhere. */
const values: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1.5, 2, 1001, 4e10, '', 'x', 'session', [], [1], ['a'], {}, { days: 1 }, { days: 500 }],
  ...[{ gte: 1 }, { gte: 'x' }, { p: 'a', is: true }, { event: 'A' }, { const: true }, { enabled: true }],
];
const wrongValue = fc.constantFrom(...values);
const someKey = fc.constantFrom(
  ...['min', 'max', 'hashed', 'grams', 'fold', 'p', 'in', 'is', 'within', 'where', 'sum', 'distinct', 'span', 'event'],
  ...['sub', 'cohort', 'before', 'after', 'whatever', 'buckets', 'remote', 'not'],
);
const dateKeys = ['after', 'before'];
/** Definitions that the engine is tested with, and such with all that the tables of the language know. */
const definitions: fc.Arbitrary<unknown> = fc.oneof(
  queries().map(([definition]) => definition),
  anyDefinition,
);
/** A definition with one thing changed. */
const broken = definitions.chain((definition) => {
  const places = placesIn(definition);
  return fc
    .tuple(fc.constantFrom(...places), fc.constantFrom('replace', 'add', 'remove'), wrongValue, someKey)
    .map(([place, how, value, key]) =>
      changed(definition, place, (old) => {
        if (how === 'replace' || typeof old !== 'object' || old === null) return value;
        if (how === 'add') return Array.isArray(old) ? [...(old as unknown[]), value] : { ...old, [key]: value };
        const [first, ...rest] = Object.entries(old);
        return first === undefined ? value : Array.isArray(old) ? old.slice(1) : Object.fromEntries(rest);
      }),
    );
});
/** Whether the number of a subquery is below 1, which the compiler of the engine refuses. */
const hasNoSub = (value: unknown): boolean =>
  placesIn(value).some((place) => {
    const number = place.at(-1) === 'sub' ? valueAt(value, place) : undefined;
    return typeof number === 'number' && number < 1;
  });
/** Whether a text stands where a date should: a schema cannot read dates. */
const hasDate = (value: unknown): boolean => placesIn(value).some((place) => dateKeys.includes(String(place.at(-1))));

describe('projectSchema', () => {
  it('accepts what the decoder accepts, and refuses what it refuses', () => {
    let [accepted, refused] = [0, 0];
    lawOf(2000)(fc.oneof(definitions, broken), (definition) => {
      fc.pre(decodes(definition) || !hasDate(definition));
      const fits = decodes(definition) && !hasNoSub(definition);
      if (fits) accepted++;
      else refused++;
      expect(isDefinition(definition)).toBe(fits);
    })();
    // Neither side is empty.
    expect(Math.min(accepted, refused)).toBeGreaterThan(casesOf(2000) / 10);
  });

  const many = (n: number, item: unknown): readonly unknown[] => Array.from({ length: n }, () => item);
  const step = { event: 'A' };
  const where = (test: object): object => ({ id: '1', q: { ...step, where: { p: 'a', ...test } } });
  it.each<readonly [string, number, number, (amount: number) => object]>([
    ['steps', 2, 8, (n) => ({ id: '1', q: { sequence: many(n, step) } })],
    ['names of an event', 1, 500, (n) => ({ id: '1', q: { event: many(n, 'A') } })],
    ['conditions', 1, 500, (n) => ({ id: '1', q: { and: many(n, step) } })],
    ['tests', 1, 500, (n) => where({ any: { or: many(n, { p: 'a', is: true }) } })],
    ['operands', 1, 20_000, (n) => where({ in: many(n, 'x') })],
    ['texts', 1, 20_000, (n) => where({ contains: many(n, 'x') })],
    ['segments', 1, 20_000, (n) => ({ id: '1', q: { thirdParty: { provider: '', in: many(n, 7) } } })],
    ['subqueries', 0, 500, (n) => ({ id: '1', q: step, sub: many(n, step) })],
    ['tags', 0, 500, (n) => ({ id: '1', q: step, tags: many(n, 'x') })],
    ['buckets', 1, 1000, (n) => ({ id: '1', q: { ...step, within: { days: 1 }, buckets: n } })],
    ['words of a hash', 1, 8, (n) => where({ words: [7], hashed: true, grams: n })],
    ['tests that hold', 0, Number.MAX_SAFE_INTEGER, (n) => where({ in: ['x'], min: n })],
    ['days of a window', 1, 400, (n) => ({ id: '1', q: { ...step, within: { days: n } } })],
  ])('holds the number of %s within the limits of the decoder: %d to %d', (_, least, most, definition) => {
    const fits = (amount: number): boolean => {
      const read = decodes(definition(amount));
      expect(isDefinition(definition(amount))).toBe(read);
      return read;
    };
    expect([least, most].map(fits)).toEqual([true, true]);
    expect([...(least === 0 ? [] : [least - 1]), most + 1].map(fits)).not.toContain(true);
  });

  it('says in editors what each field of a test and of a condition means', () => {
    const { pred, expr, definition } = schema['definitions'] as Readonly<Record<string, Schema>>;
    const fieldsOf = (of: unknown): readonly Schema[] => Object.values((of as Offer).properties ?? {});
    const fields = [definition, ...(pred?.['anyOf'] as readonly Schema[]), ...(expr?.['anyOf'] as readonly Schema[])];
    expect(fields.flatMap(fieldsOf)).toEqual(
      fields.flatMap(fieldsOf).map(
        () =>
          expect.objectContaining({
            description: expect.stringMatching(/^[A-Z].*\.$/) as unknown,
          }) as unknown,
      ),
    );
    expect((pred?.['anyOf'] as readonly Offer[]).flatMap(({ properties }) => properties?.['endsWith'] ?? [])).toEqual([
      {
        type: 'array',
        items: { type: 'string' },
        minItems: 1,
        maxItems: 20_000,
        description: 'The text of a value ends with one of these.',
      },
    ]);
  });

  it.each<readonly [object, boolean]>([
    [{}, true],
    [{ $schema: './schema.json' }, true],
    [{ workspaceId: 'w' }, false],
    [{ apiKey: undefined }, false],
    [{ config: { requestTimeout: 5000 } }, true],
    [{ config: { requestTimeout: 0 } }, false],
    [{ config: { watson: { enabled: 1 } } }, false],
    [{ queries: undefined }, false],
    [{ queries: [{ id: '1', q: { event: 'A' } }] }, true],
    [{ queries: [{ id: '1', q: { event: 'A', wher: {} } }] }, false],
    [{ cohortCodes: { 7: 'a' } }, true],
    [{ cohortCodes: { x: 'a' } }, false],
    [{ lift: { events: [] } }, false],
    [{ addons: { dfp: { auto_init: 1 } } }, false],
    [{ addons: { dfp: { tcf_purposes: [12] } } }, false],
    [{ addons: { dfp: { track_slot_rendered: false }, lotame: { client_id: 7 } } }, true],
    [
      { activations: { tracking_pixel: [{ id: 'a', short_id: 1, sc: 7, tt: 'OnEntry', c: { tcf_purposes: [7] } }] } },
      true,
    ],
    [
      { activations: { tracking_pixel: [{ id: 'a', short_id: 1, sc: 7, tt: 'OnEntry', c: { tcf_purposes: [12] } }] } },
      false,
    ],
    [{ activations: { overlays: [{ id: 'a', short_id: 1, sc: 7, tt: 'Never' }] } }, false],
    [{ rules: { 8: { t: 9 } } }, false],
    [{ events: { Purchase: { price: 'number', items: [{ sku: 'string' }] } } }, true],
    [{ events: { Purchase: { price: 'money' } } }, false],
    [{ taxonomies: { 7: [{ segtax: 4, id: '268' }] } }, true],
    [{ taxonomies: { 7: [{ segtax: 4, id: '198' }] } }, false],
    [{ taxonomies: { 7: [{ segtax: 6, id: 'JLBCU7' }] } }, false],
    [{ taxonomies: { 7: [{ segtax: 7, id: 'JLBCU7' }] } }, true],
    [{ taxonomies: { 7: [{ segtax: 5001, id: 'own.1' }] } }, true],
    [{ taxonomies: { 7: [{ segtax: 0, id: '1' }] } }, false],
    [{ taxonomies: { 7: [{ segtax: 4 }] } }, false],
  ])('reads %j as the check does: %p', (changes, fits) => {
    const definition = JSON.parse(JSON.stringify({ ...projectDefinition, queries: [], ...changes })) as unknown;
    expect(isProject(definition)).toBe(fits);
    expect(checkProject(definition).findings.every(({ severity }) => severity !== 'error')).toBe(fits);
  });

  it('offers the options of each addon, and refuses no value that the addon takes', () => {
    const { addons } = schema['properties'] as {
      readonly addons: { readonly properties: Readonly<Record<string, Offer>> };
    };
    expect(addons.properties['dfp']?.properties).toEqual({
      track_slot_rendered: { type: 'boolean' },
      track_slot_viewable: { type: 'boolean' },
      track_slot_clicked: { type: 'boolean' },
      track_targeting_keys: { type: 'boolean' },
    });
    expect(Object.keys(addons.properties['ctv']?.properties ?? {})).toEqual(['duration', 'videoProperties']);
    let [taken, refused] = [0, 0];
    for (const [name, listed] of Object.entries(addonList))
      for (const [option, offered] of Object.entries(addons.properties[name]?.properties ?? {}))
        for (const value of values) {
          const isTaken = optionFaults(listed, { [option]: value }).length === 0;
          const fits = ajv.compile(offered)(value);
          if (isTaken) expect([name, option, value, fits]).toEqual([name, option, value, true]);
          taken += Number(isTaken);
          refused += Number(!fits);
        }
    expect(Math.min(taken, refused)).toBeGreaterThan(50);
  });

  it('offers the entries of published taxonomies with their names, in the words of VS Code', () => {
    const { properties, allOf } = (schema['definitions'] as Readonly<Record<string, Schema>>)['taxonomyEntry'] as {
      readonly properties: { readonly segtax: { readonly anyOf: readonly Schema[] } };
      readonly allOf: readonly { readonly then: { readonly properties: { readonly id: Offered } } }[];
    };
    expect(properties.segtax.anyOf[0]).toEqual({
      enum: [4, 6, 7],
      enumDescriptions: [
        'Audience Taxonomy 1.1 of the IAB',
        'Content Taxonomy 2.2 of the IAB',
        'Content Taxonomy 3.0 of the IAB',
      ],
    });
    const [audience] = allOf.map(({ then }) => then.properties.id);
    expect(audience?.enumDescriptions[audience.enum.indexOf('268')]).toBe('Interest > Business and Finance');
    expect(audience?.enumDescriptions).toHaveLength(audience?.enum.length ?? 0);
    expect(audience?.errorMessage).toBe('The Audience Taxonomy 1.1 of the IAB has no such entry.');
  });
});
